#if os(Linux)

/// The texts by which libcurl says that the server has refused a stream of HTTP/2: with `REFUSED_STREAM`, or with a GOAWAY whose
/// last stream is below it. No result and no other fact says so.
enum RefusedStream {
    /// The first one is about a connection of the request's own. The second one follows the name of the protocol and the number
    /// of the stream, in brackets, and needs version 8.3.
    private static let texts = [
        "REFUSED_STREAM, retrying a fresh connect", "REFUSED_STREAM, try again on a new connection",
    ].map { Array($0.utf8) }

    static func isReported(by text: UnsafeRawBufferPointer) -> Bool {
        var rest = text[...]
        // Only names and numbers: a header in brackets, which may say anything, has a colon.
        while rest.first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")),
            rest[rest.startIndex + 1..<end].allSatisfy(isPartOfName)
        {
            rest = rest[(end + 1)...].drop { $0 == UInt8(ascii: " ") }
        }
        return texts.contains { rest.starts(with: $0) }
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "/"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
#endif
