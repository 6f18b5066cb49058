import Diagnostics

/// Reads a type as text: `string`, `User?`, `[User]`, `[string: User]`, `timestamp(unix)`, each with an optional default
/// after `=`.
///
///     field  = type [ "=" default ]
///     type   = base { "?" }
///     base   = "[" type "]" | "[" "string" ":" type "]" | name [ "(" word ")" ]
struct TypeText {
    /// The type that was read, or the reason why none was. Offsets are UTF-8 offsets into the text.
    enum Outcome {
        case type(TypeReference, defaultText: Range<Int>?)
        case failure(message: String, help: String?, at: Range<Int>)
    }

    private struct Failure: Error {
        var message: String
        var help: String?
        var range: Range<Int>
    }

    private static let deepest = 32
    private let bytes: [UInt8]
    private let locate: (Range<Int>) -> SourceRange
    private var position = 0
    private var depth = 0

    /// `locate` turns a part of the text into its place in the file.
    static func read(_ text: String, locate: @escaping (Range<Int>) -> SourceRange) -> Outcome {
        var reader = TypeText(bytes: Array(text.utf8), locate: locate)
        do {
            let type = try reader.type()
            reader.skipBlanks()
            guard reader.position < reader.bytes.count else { return .type(type, defaultText: nil) }
            guard reader.bytes[reader.position] == UInt8(ascii: "=") else {
                throw reader.failure("text follows the end of the type", help: reader.adviceForRest())
            }
            return .type(type, defaultText: (reader.position + 1)..<reader.bytes.count)
        } catch let failure as Failure {
            return .failure(message: failure.message, help: failure.help, at: failure.range)
        } catch {
            return .failure(message: "\(error)", help: nil, at: 0..<text.utf8.count)
        }
    }

    /// The most common form of a type: a word of the language, optionally with a `?`; `nil` for everything else.
    static func primitive(_ text: String) -> TypeReference? { primitives[text] }

    /// By their spelling, so that equal types share one object.
    private static let primitives = Dictionary(
        uniqueKeysWithValues: Primitive.allCases.flatMap { primitive -> [(String, TypeReference)] in
            [(primitive.spelling, .primitive(primitive)), (primitive.spelling + "?", .optional(.primitive(primitive)))]
        })

    private init(bytes: [UInt8], locate: @escaping (Range<Int>) -> SourceRange) {
        self.bytes = bytes
        self.locate = locate
    }

    private mutating func type() throws -> TypeReference {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else {
            throw failure(
                "a type cannot be nested deeper than \(Self.deepest)", help: "name the inner types under `types`")
        }
        var result = try base()
        skipBlanks()
        while peek() == UInt8(ascii: "?") {
            position += 1
            guard !result.isOptional else {
                throw Failure(
                    message: "the type has two `?`", help: "write one `?`", range: (position - 1)..<position)
            }
            result = .optional(result)
        }
        return result
    }

    private mutating func base() throws -> TypeReference {
        skipBlanks()
        guard peek() == UInt8(ascii: "[") else { return try name() }
        let opening = position
        position += 1
        let first = try type()
        skipBlanks()
        if peek() == UInt8(ascii: ":") {
            guard first == .primitive(.string) else {
                throw Failure(
                    message: "the keys of a map are strings", help: "write `[string: …]`",
                    range: (opening + 1)..<position)
            }
            position += 1
            let value = try type()
            try close(opening)
            return .map(value)
        }
        try close(opening)
        return .list(first)
    }

    private mutating func close(_ opening: Int) throws {
        skipBlanks()
        guard peek() == UInt8(ascii: "]") else {
            throw Failure(
                message: "this `[` is not closed", help: "write `]` after the element's type",
                range: opening..<(opening + 1))
        }
        position += 1
    }

    private mutating func name() throws -> TypeReference {
        let start = position
        while let byte = peek(), Self.isNameByte(byte) { position += 1 }
        guard position > start else {
            throw failure("a type is missing here", help: "write a type, such as `string`, `User?` or `[User]`")
        }
        let nameEnd = position
        if peek() == UInt8(ascii: "(") {
            while let byte = peek(), byte != UInt8(ascii: ")") {
                _ = byte
                position += 1
            }
            guard peek() != nil else {
                throw Failure(message: "this `(` is not closed", help: nil, range: nameEnd..<(nameEnd + 1))
            }
            position += 1
        }
        let spelling = String(decoding: bytes[start..<position], as: UTF8.self)
        if let primitive = Primitive(spelling: spelling) { return .primitive(primitive) }
        if position > nameEnd {
            throw Failure(
                message: "`\(spelling)` is not a type",
                help: "write `timestamp`, `timestamp(unix)` or `timestamp(milliseconds)`", range: start..<position)
        }
        return .named(Located(spelling, at: locate(start..<position)))
    }

    private func adviceForRest() -> String? {
        switch peek() {
        case UInt8(ascii: "|"): "declare a `union` under `types` for a value of several types"
        case UInt8(ascii: "]"): "this `]` has no opening bracket"
        case UInt8(ascii: ":"): "write a map as `[string: User]`, with a space after the colon"
        case UInt8(ascii: "<"): "write a list as `[User]` and a map as `[string: User]`"
        default: "write a default after `=`; other options need the long form `{type: …, …}`"
        }
    }

    private func failure(_ message: String, help: String?) -> Failure {
        Failure(message: message, help: help, range: position..<min(position + 1, max(bytes.count, position)))
    }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = peek(), byte == 0x20 || byte == 0x09 || byte == 0x0A { position += 1 }
    }

    /// Letters, digits, `_` and everything outside ASCII; `.` and `-` so that a wrong name is named whole.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2E, 0x2D: true
        default: byte >= 0x80
        }
    }
}

extension TypeReference {
    /// The type that a text spells; nil for any other text. Its names have no place in a file.
    package init?(spelling: String) {
        let start = SourcePosition(line: 1, column: 1, offset: 0)
        let nowhere = SourceRange(file: "", start: start, end: start)
        guard case .type(let type, defaultText: nil) = TypeText.read(spelling, locate: { _ in nowhere }) else {
            return nil
        }
        self = type
    }
}
