#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes one command into one request: the path, the query, the headers, the body. Generated code calls it in the contract's
/// order. The encoder then adds the session, the signature and the contract's common parameters by itself.
///
/// Nothing throws. The encoder remembers values that cannot be sent, and the command fails as `invalidRequest`. Printing the
/// request blanks values marked `sensitive`.
public struct RequestEncoder: ~Copyable {
    let method: HTTPMethod
    /// Without a slash at its end.
    let base: String
    /// Whether parameters have to be kept for a signature.
    let isSigned: Bool
    /// The contract's sensitive names on the wire, for values inside of JSON.
    let sensitiveNames: Set<String>
    /// The sources of common parameters that differ between requests. They are made anew for each attempt.
    let wallTime: Date
    let chance: RandomSource

    var path = ""
    /// Whether the path gets a mark in place of each value.
    var marksSegments = false
    /// A path has no braces, because they are percent-encoded.
    static let segmentMark: Character = "{"
    /// A URL in the place of server and path.
    var absoluteURL: String?
    var isAbsoluteURLSensitive = false
    /// Whether the headers are written for the URL, which is the caller's own whole one.
    var isForURL = false
    /// Whether a link leads away from the service. A later link back to it doesn't undo that.
    var leavesService = false
    /// The link from the previous page, in place of path and query.
    var link: PageLink?
    var hidesLink = false
    /// `name=value` pairs, encoded, with `&` between them; and the same as it may be printed.
    var queryText = ""
    var printedPath: String?
    var printedQuery: String?
    var headers = HTTPHeaders()
    var body = BodyWriter()
    /// All parameters of query and body as text, kept only for a signature.
    var parameters: [SignedParameter] = []
    /// The texts that must not be printed.
    var secrets: [String] = []
    var problems: [BrokenField] = []

    package init(
        method: HTTPMethod, base: String, isSigned: Bool, sensitiveNames: Set<String> = [],
        wallTime: Date, chance: RandomSource
    ) {
        self.method = method
        self.base = base
        self.isSigned = isSigned
        self.sensitiveNames = sensitiveNames
        self.wallTime = wallTime
        self.chance = chance
    }

    // MARK: Path

    /// Appends a part of the path as it is: the contract's own text, percent-encoded already.
    public mutating func path(_ literal: StaticString) {
        append(path: literal.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }, printed: nil)
    }

    /// Appends a value as one segment of the path (RFC 3986 section 3.3), with any characters escaped. The values `""`, `.` and
    /// `..` would lead to another path and are refused.
    public mutating func segment<Value: RequestValue>(_ value: Value, sensitive: Bool = false) {
        guard let text = text(of: value, "path", sensitive) else { return }
        append(segment: text, PercentEncoding.encode(text), sensitive)
    }

    /// - Parameter encoded: the text as the path contains it.
    mutating func append(segment text: String, _ encoded: String, _ isSensitive: Bool) {
        if marksSegments { return path.append(Self.segmentMark) }
        if text.isEmpty || text == "." || text == ".." {
            problems.append(BrokenField(name: "path", reason: "has a segment that is empty or dots"))
        }
        append(path: encoded, printed: isSensitive ? Redaction.mark : nil)
    }

    /// Puts a whole URL in the place of server and path. Such a request never carries a session.
    public mutating func wholeURL(_ url: URL, sensitive: Bool = false) {
        let text = url.absoluteString
        if Origin(text) == nil {
            problems.append(BrokenField(name: "url", reason: "must be an http or https URL"))
        }
        absoluteURL = String(text.prefix { $0 != "#" })
        isAbsoluteURLSensitive = sensitive
        isForURL = true
        if sensitive { secrets.append(text) }
    }

    // MARK: Query, headers

    /// Appends a parameter to the query, percent-encoded (RFC 3986 section 3.4).
    public mutating func query<Value: RequestValue>(
        _ name: String, _ value: Value, sensitive: Bool = false
    ) {
        guard let text = text(of: value, name, sensitive) else { return }
        note(parameter: name, text)
        append(query: name, text, sensitive)
    }

    /// Adds a header. A value with a line break or another control character would be a header of its
    /// own (RFC 9110 section 5.5) and is refused. The spaces and tabs around a value are not sent, because they are not part of it: a
    /// value of blanks is sent as an empty one.
    public mutating func header<Value: RequestValue>(
        _ name: String, _ value: Value, sensitive: Bool = false
    ) {
        guard let text = text(of: value, name, sensitive) else { return }
        append(header: name, text, sensitive, isForURL: isForURL)
    }

    /// Adds a cookie to the header `Cookie` (RFC 6265 section 5.4). A value with a character that a cookie cannot have is refused.
    public mutating func cookie<Value: RequestValue>(
        _ name: String, _ value: Value, sensitive: Bool = false
    ) {
        guard let text = text(of: value, name, sensitive) else { return }
        append(cookie: name, text, of: name, isForURL: isForURL)
    }

    /// Whether a byte is one of a cookie's value (RFC 6265 section 4.1.1): no control character, blank, quotation mark, comma,
    /// semicolon or backslash.
    private static func isPartOfCookie(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"\",;\\".utf8.contains(byte)
    }

    /// Adds a parameter in the place that the method has for it. For GET, HEAD and DELETE it is the query. For the others it is
    /// the body, or the query if the body has no fields.
    public mutating func parameter<Value: RequestValue>(
        _ name: String, _ value: Value, sensitive: Bool = false
    ) {
        guard !method.carriesParametersInQuery, body.makeRoomForFields(isEmptyAllowed: true) else {
            return query(name, value, sensitive: sensitive)
        }
        field(name, value, sensitive: sensitive)
    }

    /// Adds a parameter that is a list: an array in a JSON body, elsewhere one parameter for each element.
    public mutating func parameter<Value: RequestValue>(
        _ name: String, list values: [Value], sensitive: Bool = false
    ) {
        guard !method.carriesParametersInQuery, body.makeRoomForFields(isEmptyAllowed: true), body.isJSON else {
            for value in values { parameter(name, value, sensitive: sensitive) }
            return
        }
        field(name, sensitive: sensitive) { writer in
            writer.writeArray(values) { value, writer in value.write(to: &writer) }
        }
    }

    // MARK: Made anew per attempt

    /// The time of this attempt.
    public var timestamp: Date { wallTime }

    /// A new UUID (RFC 9562 section 5.4).
    public mutating func uuid() -> UUID { chance.uuid() }

    // MARK: Steps

    /// The text of a value that is about to be written, noted as a secret if it is one.
    mutating func text<Value: RequestValue>(
        of value: Value, _ name: String, _ isSensitive: Bool
    ) -> String? {
        guard let text = value.requestText else {
            problems.append(BrokenField(name: name, reason: "must be a number"))
            return nil
        }
        if isSensitive { secrets.append(text) }
        return text
    }

    mutating func note(parameter name: String, _ text: String) {
        if isSigned { parameters.append(SignedParameter(name: name, value: text)) }
    }

    mutating func append(query name: String, _ text: String, _ isSensitive: Bool) {
        append(query: name, isSensitive) { PercentEncoding.append(text, to: &$0) }
    }

    /// - Parameter write: writes the encoded value.
    @inline(__always)
    mutating func append(query name: String, _ isSensitive: Bool, _ write: (inout String) -> Void) {
        if printedQuery != nil || isSensitive {
            var printed = printedQuery ?? queryText
            Self.append(name, &printed)
            if isSensitive { printed += Redaction.mark } else { write(&printed) }
            printedQuery = printed
        }
        Self.append(name, &queryText)
        write(&queryText)
    }

    /// - Parameter isForURL: whether the contract has written it for a whole URL.
    mutating func append(header name: String, _ text: String, _ isSensitive: Bool, isForURL: Bool = false) {
        guard Self.consists(text, of: { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
            problems.append(BrokenField(name: name, reason: "must not hold control characters"))
            return
        }
        let value = HTTPHeaders.trimmed(text)
        // A request has one such header at most (RFC 6265 section 5.4). A transport may join several with commas.
        if HTTPHeaders.isEqual(name, "Cookie"), let others = headers["Cookie"] {
            headers.set("Cookie", "\(others); \(value)", isSensitive: true, isForURL: isForURL)
        } else {
            headers.append(name, value, isSensitive: isSensitive, isForURL: isForURL)
        }
    }

    /// - Parameter field: the name under which a value that cannot be sent is reported.
    mutating func append(cookie name: String, _ text: String, of field: String, isForURL: Bool = false) {
        guard Self.consists(text, of: Self.isPartOfCookie) else {
            problems.append(BrokenField(name: field, reason: "has a character that a cookie cannot have"))
            return
        }
        append(header: "Cookie", "\(name)=\(text)", true, isForURL: isForURL)
    }

    /// Whether all bytes of a text are allowed. Each byte of a view of UTF-8 costs a call, one of a buffer does not.
    @inline(__always)
    private static func consists(_ text: String, of isAllowed: (UInt8) -> Bool) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isAllowed) } ?? text.utf8.allSatisfy(isAllowed)
    }

    private mutating func append(path text: String, printed: String?) {
        if printed != nil, printedPath == nil { printedPath = path }
        printedPath? += printed ?? text
        path += text
    }

    private static func append(_ name: String, _ query: inout String) {
        if !query.isEmpty { query += "&" }
        PercentEncoding.append(name, to: &query)
        query += "="
    }
}
