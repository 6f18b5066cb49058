#if os(Linux)
import ErrandRuntime

/// The header of a request in libcurl's form.
struct HeaderLines: Sendable {
    private(set) var lines: [String] = []
    /// The requested encodings of the response: libcurl inflates those that it knows.
    private(set) var acceptedEncodings = "gzip, deflate"

    /// Nil if a header is invalid: its name isn't a header name, or its value contains a line break.
    init?(_ request: TransportRequest) {
        // libcurl adds these by itself, which an empty line prevents.
        var missing = ["Expect", "Content-Type"]
        for field in request.headers.fields {
            guard Self.isName(field.name), !field.value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
                return nil
            }
            if HTTPHeaders.isEqual(field.name, "Accept-Encoding") {
                acceptedEncodings = field.value
            } else if !Self.isFraming(field.name) {
                missing.removeAll { HTTPHeaders.isEqual(field.name, $0) }
                // libcurl takes a header with a value of blanks for one to leave out. In the form with a semicolon, it sends a
                // header without a value.
                let value = HTTPHeaders.trimmed(field.value)
                lines.append(value.isEmpty ? field.name + ";" : field.name + ": " + value)
            }
        }
        for name in missing { lines.append(name + ":") }
    }

    /// libcurl frames the body itself, because it knows what it sends.
    private static func isFraming(_ name: String) -> Bool {
        HTTPHeaders.isEqual(name, "Content-Length") || HTTPHeaders.isEqual(name, "Transfer-Encoding")
    }

    /// RFC 9110 section 5.6.2.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 < 0x80 && nameBytes[Int($0)] }
    }

    private static let nameBytes = (UInt8.min..<0x80).map { byte in
        byte > 0x20 && byte < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte)
    }
}

extension TransportRequest {
    /// Whether a length is sent without a body, as servers expect it with these methods (RFC 9110 section 8.6).
    var announcesEmptyBody: Bool { ["POST", "PUT", "PATCH", "QUERY"].contains(method.rawValue) }
}
#endif
