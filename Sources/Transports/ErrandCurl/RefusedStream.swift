#if os(Linux)

/// The texts by which libcurl says that the server has refused a stream of HTTP/2: with `REFUSED_STREAM`, or with a GOAWAY whose
/// last stream is below it. No result and no other fact says so.
enum RefusedStream {
    static func isReported(by text: UnsafeRawBufferPointer) -> Bool {
        let text = text.prefix(longestText)
        // All versions, about a connection of the request's own.
        if text.starts(with: "REFUSED_STREAM, retrying a fresh connect".utf8) { return true }
        // Later versions.
        if text.starts(with: stream.utf8) {
            return text.dropFirst(stream.utf8.count).drop(while: isDigit).starts(with: " refused by server".utf8)
        }
        // From version 8.3, after the name of the protocol and the number of the stream.
        return withoutNames(text).starts(with: "REFUSED_STREAM, try again on a new connection".utf8)
    }

    private static let stream = "HTTP/2 stream "
    /// More than any of them has.
    private static let longestText = 200

    /// The text without names and numbers in brackets at its start. A header in brackets, which may say anything, has a colon.
    private static func withoutNames(_ text: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var rest = text
        while rest.first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")),
            rest[..<end].dropFirst().allSatisfy(isPartOfName)
        {
            rest = rest[(end + 1)...].drop { $0 == UInt8(ascii: " ") }
        }
        return rest
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "/"),
            UInt8(ascii: "-"):
            true
        default: isDigit(byte)
        }
    }
}
#endif
