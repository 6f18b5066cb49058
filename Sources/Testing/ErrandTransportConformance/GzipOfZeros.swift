/// Zeros, compressed as far as it goes: to a thousandth.
enum GzipOfZeros {
    /// So many zeros at least, with fixed Huffman codes (RFC 1951 section 3.2.6): one as it is, and then again and again
    /// the 258 before. Above a megabyte without the checksum of RFC 1952, which no reader gets to see.
    static func bytes(atLeast zeros: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        bytes.reserveCapacity(zeros / 150)
        var (bits, count): (UInt64, UInt64) = (0, 0)
        func put(_ value: UInt64, _ size: UInt64) {
            bits |= value << count
            count += size
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: bits))
                (bits, count) = (bits >> 8, count - 8)
            }
        }
        let repetitions = zeros / 258 + 1
        // The last block; the literal 0; length 258 (code 285) at distance 1; the end. The first bit of a code is
        // its lowest here.
        put(0b011, 3)
        put(0b0000_1100, 8)
        for _ in 0..<repetitions { put(0b1010_0011, 13) }
        put(0, 7)
        put(0, 7)
        let size = 1 + 258 * repetitions
        if size <= 1 << 20 {
            for number in [checksum(ofZeros: size), UInt32(size)] {
                for shift in stride(from: 0, to: 32, by: 8) {
                    bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(shift)))
                }
            }
        }
        return bytes
    }

    /// CRC-32 (RFC 1952 section 8), a bit at a time.
    private static func checksum(ofZeros count: Int) -> UInt32 {
        var value = UInt32.max
        for _ in 0..<(count * 8) { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        return ~value
    }
}
