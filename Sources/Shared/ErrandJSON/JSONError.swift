/// Why a document could not be read, or a value could not be written: what was wrong, where, and
/// what was expected there.
public struct JSONError: Error, Sendable, Hashable {
    /// The kind of fault.
    public enum Code: Sendable, Hashable {
        /// The value is well-formed, but of another kind than the requested one.
        case typeMismatch(found: JSONKind)
        /// An object ends without a key that must be there. The offset is that of its `}`.
        case missingKey(String)
        /// A string isn't one of a closed set of words.
        case unknownToken
        /// A string has not the form that was asked for: a timestamp, a UUID, base64 …
        case malformedText
        /// A number does not fit the type that was asked for. That includes a `Double` that would
        /// overflow to infinity, and a `Decimal` of more digits than it holds.
        case numberOutOfRange
        /// The document ends too early.
        case unexpectedEnd
        /// A byte that the grammar does not allow here (RFC 8259 section 2).
        case invalidSyntax
        /// A number that breaks the grammar of numbers (RFC 8259 section 6).
        case invalidNumber
        /// A backslash with something else after it than RFC 8259 section 7 allows.
        case invalidEscape
        /// One half of a surrogate pair, which isn't a character (RFC 8259 section 8.2).
        case loneSurrogate
        /// A raw control character, U+0000 to U+001F, in a string (RFC 8259 section 7).
        case controlCharacter
        /// Bytes that are not UTF-8 (RFC 3629 section 4).
        case invalidUTF8
        /// The document starts with a byte order mark (RFC 8259 section 8.1).
        case byteOrderMark
        /// Arrays and objects are nested deeper than the limit (RFC 8259 section 9).
        case tooDeep
        /// Something else than white space follows the document's value.
        case trailingContent
        /// A value was expected of a closure, which returned nil without a fault of its own.
        case noValue
        /// A value that JSON cannot express: NaN, an infinity, a date outside the years 0 to 9999.
        case notWritable
        /// Generated code refused the value, for this reason.
        case refused(String)
    }

    /// The kind of fault.
    public var code: Code
    /// Where in the document, in bytes from its start. In a written document: how much was written.
    public var byteOffset: Int
    /// The place in the document, as a path from its root: `$.data.list[1].price`. Keys that aren't identifiers are in
    /// brackets: `$['a b']`. `•••` replaces text that may be secret. An ellipsis replaces a key that is too long, and the
    /// middle levels of a path that is too long.
    public var path: String
    /// The expected value, in a few words: `number`. Empty if the code is sufficient.
    public var expectation: String
    /// The value found, cut short; `•••` if it may be `sensitive`. Empty at the end of the document.
    public var excerpt: String

    /// A fault made outside a scan, for instance by a test.
    public init(
        code: Code, byteOffset: Int, path: String = "$", expectation: String = "", excerpt: String = ""
    ) {
        self.code = code
        self.byteOffset = byteOffset
        self.path = path
        self.expectation = expectation
        self.excerpt = excerpt
    }

    /// Whether the document isn't JSON at all. Otherwise it is JSON that does not fit the requested type.
    public var isMalformed: Bool { code.isMalformed }
}

extension JSONError.Code {
    /// Whether a document with this fault isn't JSON.
    var isMalformed: Bool {
        switch self {
        case .unexpectedEnd, .invalidSyntax, .invalidNumber, .invalidEscape, .loneSurrogate,
            .controlCharacter, .invalidUTF8, .byteOrderMark, .tooDeep, .trailingContent:
            true
        case .typeMismatch, .missingKey, .unknownToken, .malformedText, .numberOutOfRange, .noValue,
            .notWritable, .refused:
            false
        }
    }

    /// The code's name, as descriptions print it.
    var name: String {
        switch self {
        case .typeMismatch: "typeMismatch"
        case .missingKey(let key): "missing key '\(key)'"
        case .unknownToken: "unknownToken"
        case .malformedText: "malformedText"
        case .numberOutOfRange: "numberOutOfRange"
        case .unexpectedEnd: "unexpectedEnd"
        case .invalidSyntax: "invalidSyntax"
        case .invalidNumber: "invalidNumber"
        case .invalidEscape: "invalidEscape"
        case .loneSurrogate: "loneSurrogate"
        case .controlCharacter: "controlCharacter"
        case .invalidUTF8: "invalidUTF8"
        case .byteOrderMark: "byteOrderMark"
        case .tooDeep: "tooDeep"
        case .trailingContent: "trailingContent"
        case .noValue: "noValue"
        case .notWritable: "notWritable"
        case .refused(let reason): "refused: \(reason)"
        }
    }
}

extension JSONError: CustomStringConvertible {
    /// One line without the excerpt: `typeMismatch (number) at $.data.list[1].price, byte 250`. What
    /// is in parentheses is the expectation.
    public var description: String {
        let expected = expectation.isEmpty ? "" : " (\(expectation))"
        return PrintedText.line("\(code.name)\(expected) at \(path), byte \(byteOffset)", limit: 4 * PrintedText.limit)
    }
}

/// The kind of a JSON value, determined by its first byte (RFC 8259 section 3).
public enum JSONKind: String, Sendable, Hashable, CaseIterable {
    case object, array, string, number, bool, null
    /// No value: the document ends here, or something is here that starts none.
    case end
}
