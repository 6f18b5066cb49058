import MockServer

/// Why a request is not read to its end. The connection is closed after the response.
struct HTTPFault: Error, Equatable {
    let status: Int
    let message: String

    static let badRequest = "the request is not HTTP/1.1"
}

/// The head of a request (RFC 9112): its line and its headers.
struct HTTPHead: Equatable {
    /// How the length of the body is known.
    enum Framing: Equatable {
        case none
        case length(Int)
        case chunks
    }

    var method: String
    var target: String
    var headers: [(name: String, value: String)]
    var framing: Framing
    var isPersistent: Bool

    static func == (left: HTTPHead, right: HTTPHead) -> Bool {
        left.method == right.method && left.target == right.target && left.framing == right.framing
            && left.isPersistent == right.isPersistent && left.headers.map(\.name) == right.headers.map(\.name)
            && left.headers.map(\.value) == right.headers.map(\.value)
    }

    /// Reads a head, without the blank line at its end.
    init(_ bytes: some Collection<UInt8>, _ limits: ConnectionLimits) throws(HTTPFault) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw HTTPFault(status: 400, message: HTTPFault.badRequest)
        }
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let parts = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0", Self.isToken(parts[0]),
            parts[1].hasPrefix("/") || parts[1] == "*",
            parts[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw HTTPFault(status: 400, message: HTTPFault.badRequest) }
        guard lines.count - 1 <= limits.headers else {
            throw HTTPFault(status: 431, message: "the request has more than \(limits.headers) headers")
        }
        method = String(parts[0])
        target = String(parts[1])
        headers = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":"), Self.isToken(line[..<colon]) else {
                throw HTTPFault(status: 400, message: "a header of the request has no name")
            }
            var value = line[line.index(after: colon)...]
            while let first = value.first, first == " " || first == "\t" { value.removeFirst() }
            while let last = value.last, last == " " || last == "\t" { value.removeLast() }
            guard value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F || $0 == "\t" }) else {
                throw HTTPFault(status: 400, message: "a header of the request has a control character")
            }
            headers.append((String(line[..<colon]), String(value)))
        }
        framing = try Self.framing(headers, limits)
        let connection = Self.values("connection", headers).joined(separator: ",").lowercased()
        isPersistent = parts[2] == "HTTP/1.1" ? !connection.contains("close") : connection.contains("keep-alive")
    }

    private static func framing(
        _ headers: [(name: String, value: String)], _ limits: ConnectionLimits
    ) throws(HTTPFault) -> Framing {
        let codings = values("transfer-encoding", headers)
        let lengths = values("content-length", headers)
        // A request with both could mean two things to two readers (RFC 9112, section 6.1).
        guard codings.isEmpty || lengths.isEmpty else {
            throw HTTPFault(status: 400, message: "the request has both `Content-Length` and `Transfer-Encoding`")
        }
        if !codings.isEmpty {
            guard codings.count == 1, codings[0].lowercased() == "chunked" else {
                throw HTTPFault(status: 501, message: "the only transfer encoding is `chunked`")
            }
            return .chunks
        }
        guard let first = lengths.first else { return .none }
        guard lengths.count == 1, first.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !first.isEmpty else {
            throw HTTPFault(status: 400, message: "`Content-Length` is not a number")
        }
        guard let length = Int(first), length <= limits.bodyBytes else {
            throw tooLarge(limits)
        }
        return .length(length)
    }

    static func tooLarge(_ limits: ConnectionLimits) -> HTTPFault {
        HTTPFault(status: 413, message: "the body is larger than \(limits.bodyBytes >> 20) MiB")
    }

    /// The values of a header, by its name in small letters.
    static func values(_ name: String, _ headers: [(name: String, value: String)]) -> [String] {
        headers.filter { $0.name.lowercased() == name }.map(\.value)
    }

    private static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    /// The request for the engine.
    func request(body: [UInt8]) -> MockRequest {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return MockRequest(
            method: method, path: String(parts.first ?? ""), query: parts.count > 1 ? String(parts[1]) : "",
            headers: headers, body: body)
    }
}

/// The text of responses.
enum HTTPText {
    /// The head of a response. With a nil length, the body comes in chunks.
    static func head(
        _ status: Int, _ headers: [(name: String, value: String)], length: Int?, isLast: Bool
    ) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(reason(status))\r\n"
        for (name, value) in headers {
            // A line break in a value would begin another header.
            let safe = value.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) }
            text += "\(name): \(String(safe))\r\n"
        }
        if let length {
            if status != 204, status != 304 { text += "Content-Length: \(length)\r\n" }
        } else {
            text += "Transfer-Encoding: chunked\r\n"
        }
        if isLast { text += "Connection: close\r\n" }
        return Array((text + "\r\n").utf8)
    }

    static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
    }

    static let lastChunk = Array("0\r\n\r\n".utf8)

    private static let reasons = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 400: "Bad Request", 401: "Unauthorized",
        403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict",
        410: "Gone", 413: "Content Too Large", 422: "Unprocessable Content", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
        502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    ]

    static func reason(_ status: Int) -> String { reasons[status] ?? "Status" }
}
