#if os(Linux)
import ErrandRuntime

/// The header of a response, of which libcurl gives one line after the other.
struct ResponseFields {
    private(set) var all: [HTTPHeaders.Field] = []

    /// Takes a line, as bytes and not as characters, since each response has many.
    ///
    /// - Returns: false for the empty line at which the header ends.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let line = Self.dropEnd(bytes[...]) { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
        guard let first = line.first else { return false }
        if line.starts(with: "HTTP/".utf8) {
            all = []
        } else if HTTPHeaders.isPadding(first), let last = all.popLast() {
            // The line continues a folded value (RFC 9112 section 5.2).
            all.append(HTTPHeaders.Field(last.name, last.value + " " + Self.value(line)))
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(decoding: line[..<colon], as: UTF8.self)
            all.append(HTTPHeaders.Field(name, Self.value(line[(colon + 1)...])))
        }
        return true
    }

    /// A value without the spaces and tabs around it (RFC 9110 section 5.5).
    private static func value(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: dropEnd(bytes.drop(while: HTTPHeaders.isPadding), while: HTTPHeaders.isPadding), as: UTF8.self)
    }

    private static func dropEnd(
        _ bytes: Slice<UnsafeRawBufferPointer>, while isDropped: (UInt8) -> Bool
    ) -> Slice<UnsafeRawBufferPointer> {
        bytes[..<(bytes.lastIndex { !isDropped($0) }.map { $0 + 1 } ?? bytes.startIndex)]
    }
}
#endif
