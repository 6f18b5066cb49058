/// Bytes in the forms of deflate, without being compressed (RFC 1951 section 3.2.4): what any reader takes, and any test can cut.
enum StoredBlocks {
    /// RFC 1952.
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + raw(bytes) + number(checksum(of: bytes)) + number(UInt32(bytes.count))
    }

    /// RFC 1950, which HTTP calls `deflate`.
    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return [0x78, 0x01] + raw(bytes) + number(high << 16 | low).reversed()
    }

    /// RFC 1951: blocks of 60,000 bytes.
    private static func raw(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(60_000)
            rest = rest.dropFirst(block.count)
            let size = UInt16(block.count)
            result.append(rest.isEmpty ? 1 : 0)
            for number in [size, ~size] { result += [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)] }
            result += block
        } while !rest.isEmpty
        return result
    }

    private static func number(_ value: UInt32) -> [UInt8] {
        stride(from: 0, to: 32, by: 8).map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }

    /// CRC-32 (RFC 1952 section 8), a bit at a time.
    private static func checksum(of bytes: [UInt8]) -> UInt32 {
        var value = UInt32.max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }
}
