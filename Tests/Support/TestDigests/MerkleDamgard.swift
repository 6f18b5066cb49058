/// What MD5, SHA-1 and SHA-256 share: padding, and words in one byte order or the other.
enum MerkleDamgard {
    enum ByteOrder { case littleEndian, bigEndian }

    /// The message, a one bit, zeros, and its length in bits, cut into blocks of 64 bytes.
    static func blocks(of message: [UInt8], length order: ByteOrder) -> [ArraySlice<UInt8>] {
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        let bits = UInt64(message.count) * 8
        let shifts = stride(from: 0, to: 64, by: 8)
        let length = shifts.map { UInt8(truncatingIfNeeded: bits >> UInt64($0)) }
        padded += order == .littleEndian ? length : length.reversed()
        return stride(from: 0, to: padded.count, by: 64).map { padded[$0..<($0 + 64)] }
    }

    /// RFC 2104, over one of the functions.
    static func authenticate(
        _ message: [UInt8], key: [UInt8], with digest: ([UInt8]) -> [UInt8]
    ) -> [UInt8] {
        var key = key.count > 64 ? digest(key) : key
        key += [UInt8](repeating: 0, count: 64 - key.count)
        let inner = digest(key.map { $0 ^ 0x36 } + message)
        return digest(key.map { $0 ^ 0x5c } + inner)
    }

    static func words(of block: ArraySlice<UInt8>, order: ByteOrder) -> [UInt32] {
        stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
            let four = block[start..<(start + 4)]
            let ordered = order == .littleEndian ? Array(four.reversed()) : Array(four)
            return ordered.reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    static func bytes(of word: UInt32, order: ByteOrder) -> [UInt8] {
        let bigEndian = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        return order == .bigEndian ? bigEndian : bigEndian.reversed()
    }
}
