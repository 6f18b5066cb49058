/// The head of a request (RFC 9112): its line and its headers.
struct HTTPHead: Sendable {
    /// How the length of the body is known.
    enum Framing: Equatable {
        case none
        case length(Int)
        case chunks
    }

    var method: String
    /// The path with the query, or `*`.
    var target: String
    var headers: [(name: String, value: String)] = []
    var framing = Framing.none
    var isPersistent = false
    /// Whether the client knows chunks, which came with HTTP/1.1.
    var knowsChunks: Bool

    /// Reads a head, without the blank line at its end.
    init(_ bytes: ArraySlice<UInt8>, _ limits: ConnectionLimits) throws(HTTPFault) {
        // A line may end without the carriage return (RFC 9112, section 2.2).
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            line.last == 0x0D ? line.dropLast() : line
        }
        let parts = (lines.first ?? bytes).split(separator: 0x20, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == 3, parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0", Self.isToken(parts[0]),
            parts[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .notHTTP }
        guard lines.count - 1 <= limits.headers else {
            throw HTTPFault(431, "the request has more than \(limits.headers) headers")
        }
        method = parts[0]
        knowsChunks = parts[2] == "HTTP/1.1"
        target = parts[1]
        for line in lines.dropFirst() { headers.append(try Self.header(line)) }
        framing = try readFraming(limits)
        try readTarget()
        let options = Self.values("connection", headers).joined(separator: ",").lowercased().split(separator: ",")
            .map { $0.filter { $0 != " " && $0 != "\t" } }
        isPersistent = knowsChunks ? !options.contains("close") : options.contains("keep-alive")
    }

    private static func header(_ line: ArraySlice<UInt8>) throws(HTTPFault) -> (name: String, value: String) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            throw HTTPFault(400, "a header of the request has no name")
        }
        let name = String(decoding: line[..<colon], as: UTF8.self)
        guard isToken(name) else { throw HTTPFault(400, "a header of the request has no name") }
        let value = line[line.index(after: colon)...].drop(while: isBlank)
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw HTTPFault(400, "a header of the request has a control character")
        }
        let bytes = Array(value).reversed().drop(while: isBlank).reversed()
        // A value is bytes, whose encoding no header names (RFC 9110, section 5.5).
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        return (name, text)
    }

    /// A target may be a whole URL, whose authority replaces `Host` (RFC 9112, section 3.2).
    private mutating func readTarget() throws(HTTPFault) {
        let hosts = Self.values("host", headers)
        guard hosts.count == 1 || hosts.isEmpty && !knowsChunks else {
            throw HTTPFault(
                400, "a request has one `Host`, and this one has \(hosts.count == 0 ? "none" : "\(hosts.count)")")
        }
        if target.lowercased().hasPrefix("http://") || target.lowercased().hasPrefix("https://") {
            let rest = target[target.index(after: target.firstIndex(of: ":") ?? target.startIndex)...].dropFirst(2)
            let authority = rest.prefix { !"/?#".contains($0) }
            guard !authority.isEmpty else { throw .notHTTP }
            headers.removeAll { $0.name.lowercased() == "host" }
            headers.append(("Host", String(authority)))
            let path = rest.dropFirst(authority.count)
            target = path.isEmpty && method == "OPTIONS" ? "*" : path.hasPrefix("/") ? String(path) : "/\(path)"
        }
        let host = Self.values("host", headers).first ?? ""
        guard host.utf8.allSatisfy({ Self.isToken($0) || ":[]".utf8.contains($0) }) else {
            throw HTTPFault(400, "the `Host` of the request is not a host")
        }
        guard target.hasPrefix("/") || target == "*" && method == "OPTIONS" else { throw .notHTTP }
    }

    private func readFraming(_ limits: ConnectionLimits) throws(HTTPFault) -> Framing {
        let codings = Self.values("transfer-encoding", headers)
        let lengths = Self.values("content-length", headers)
        // A request with both could mean two things to two readers (RFC 9112, section 6.1).
        guard codings.isEmpty || lengths.isEmpty else {
            throw HTTPFault(400, "the request has both `Content-Length` and `Transfer-Encoding`")
        }
        if !codings.isEmpty {
            guard knowsChunks else { throw HTTPFault(400, "HTTP/1.0 has no `Transfer-Encoding`") }
            guard codings.count == 1, codings[0].lowercased() == "chunked" else {
                throw HTTPFault(501, "the only transfer encoding is `chunked`")
            }
            return .chunks
        }
        guard let first = lengths.first else { return .none }
        guard lengths.count == 1, !first.isEmpty, first.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw HTTPFault(400, "`Content-Length` is not a number")
        }
        guard let length = Int(first), length <= limits.bodyBytes else { throw .bodyTooLarge(limits) }
        return .length(length)
    }

    /// The size that the line before a chunk states, without its extensions (RFC 9112, section 7.1).
    static func chunkSize(_ line: [UInt8]) throws(HTTPFault) -> Int {
        let field = line.prefix { $0 != UInt8(ascii: ";") }
        let digits = Array(field).reversed().drop(while: isBlank).reversed()
        // `Int` would take a sign.
        guard !digits.isEmpty, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw HTTPFault(400, "the size of a chunk is not a number") }
        return size
    }

    /// The values of a header, by its name in lowercase.
    static func values(_ name: String, _ headers: [(name: String, value: String)]) -> [String] {
        headers.filter { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }.map(\.value)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isToken) }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

/// The text of responses.
enum HTTPText {
    enum Framing {
        case none
        case length(Int)
        case chunks
        /// The end of the connection is that of the body.
        case close
    }

    /// The head of a response.
    ///
    /// - Parameter date: the time of the response, unless its headers have one (RFC 9110, section 6.6.1).
    static func head(
        _ status: Int, _ headers: [(name: String, value: String)], _ framing: Framing, isLast: Bool, date: String
    ) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(reason(status))\r\n"
        if HTTPHead.values("date", headers).isEmpty { text += "Date: \(date)\r\n" }
        for (name, value) in headers {
            // A line break in a value would begin another header.
            let safe = value.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) }
            text += "\(name): \(String(safe))\r\n"
        }
        switch framing {
        case .none, .close: break
        case .length(let length): text += "Content-Length: \(length)\r\n"
        case .chunks: text += "Transfer-Encoding: chunked\r\n"
        }
        if isLast { text += "Connection: close\r\n" }
        return Array((text + "\r\n").utf8)
    }

    /// Whether a response with the status has no body, whatever its headers say (RFC 9112, section 6.3).
    static func isBodiless(_ status: Int) -> Bool { status < 200 || status == 204 || status == 304 }

    static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        // An empty one would be the last.
        bytes.isEmpty ? [] : Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
    }

    static let lastChunk = Array("0\r\n\r\n".utf8)

    /// The names of statuses (RFC 9110, section 15, and IANA's registry).
    private static let reasons = [
        100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints", 200: "OK", 201: "Created",
        202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content", 205: "Reset Content",
        206: "Partial Content", 207: "Multi-Status", 208: "Already Reported", 226: "IM Used", 300: "Multiple Choices",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 305: "Use Proxy",
        307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
        402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
        407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
        411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
        415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
        421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked", 424: "Failed Dependency",
        425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons", 500: "Internal Server Error",
        501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
        505: "HTTP Version Not Supported", 506: "Variant Also Negotiates", 507: "Insufficient Storage",
        508: "Loop Detected", 511: "Network Authentication Required",
    ]

    /// Empty for a status without a name (RFC 9112, section 4).
    static func reason(_ status: Int) -> String { reasons[status] ?? "" }
}
