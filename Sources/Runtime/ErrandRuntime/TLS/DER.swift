/// Reads elements of DER (ITU-T X.690), the form of certificates and keys. All lengths are checked, because a certificate may come from
/// a server.
enum DER {
    static let integer: UInt8 = 0x02
    static let bits: UInt8 = 0x03
    static let octets: UInt8 = 0x04
    static let sequence: UInt8 = 0x30

    /// Takes the next element; nil if it has another tag, or isn't complete.
    static func element(
        _ bytes: inout ArraySlice<UInt8>, _ tag: UInt8
    ) -> (whole: ArraySlice<UInt8>, content: ArraySlice<UInt8>)? {
        let start = bytes.startIndex
        guard bytes.count >= 2, bytes[start] == tag else { return nil }
        var (length, head) = (Int(bytes[start + 1]), 2)
        if length >= 0x80 {
            let count = length - 0x80
            // Four bytes are more than any certificate has.
            guard (1...4).contains(count), bytes.count >= 2 + count else { return nil }
            length = bytes[(start + 2)..<(start + 2 + count)].reduce(0) { $0 << 8 | Int($1) }
            head += count
        }
        guard bytes.count - head >= length else { return nil }
        let whole = bytes[start..<(start + head + length)]
        bytes = bytes[whole.endIndex...]
        return (whole, whole.dropFirst(head))
    }
}
