#if os(Linux)
import ErrandRuntime

/// The header of a request in libcurl's form.
struct HeaderLines: Sendable {
    private(set) var lines: [String] = []
    /// The requested encodings of the response: libcurl inflates those that it knows.
    private(set) var acceptedEncodings = "gzip, deflate"

    /// Nil if a header is invalid: its name isn't a header name, or its value contains a line break.
    init?(_ request: TransportRequest) {
        var names: Set<String> = []
        for field in request.headers.fields {
            guard Self.isName(field.name), !field.value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
                return nil
            }
            let name = field.name.lowercased()
            names.insert(name)
            switch name {
            case "accept-encoding": acceptedEncodings = field.value
            // libcurl frames the body itself, because it knows what it sends.
            case "content-length", "transfer-encoding": continue
            default:
                // libcurl takes a header with a value of blanks for one to leave out. In the form with a semicolon, it sends a
                // header without a value.
                let value = HTTPHeaders.trimmed(field.value)
                lines.append(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)")
            }
        }
        // This removes the headers that libcurl adds by itself.
        for name in ["Expect", "Content-Type"] where !names.contains(name.lowercased()) { lines.append("\(name):") }
    }

    /// RFC 9110 section 5.6.2.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                byte > 0x20 && byte < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte)
            }
    }
}

extension TransportRequest {
    /// Whether a length is sent without a body, as servers expect it with these methods (RFC 9110 section 8.6).
    var announcesEmptyBody: Bool { ["POST", "PUT", "PATCH", "QUERY"].contains(method.rawValue) }
}
#endif
