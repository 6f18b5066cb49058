/// Consecutive digits, read eight bytes at a time. Without a loop over single digits, no branch depends on their number. Such a
/// branch is the main cost of numbers with varying length.
enum DigitRun {
    /// How many bytes after the start `read` looks at.
    static var reach: Int { 24 }

    /// The value and the number of the digits at `start`, up to 24 of which the value holds 19. So many
    /// bytes must be there.
    @inline(__always)
    static func read(_ start: BytePointer) -> (value: UInt64, count: Int) {
        let (first, count) = eight(start)
        if count < 8 { return (first, count) }
        let (second, more) = eight(start + 8)
        let value = first &* power(more) &+ second
        if more < 8 { return (value, 8 + more) }
        let (third, rest) = eight(start + 16)
        return (value &* power(rest) &+ third, 16 + rest)
    }

    /// The digits at the start of eight bytes.
    @inline(__always)
    private static func eight(_ start: BytePointer) -> (value: UInt64, count: Int) {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let word = UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
        // 0 to 9 for digits; anything else gets its high bit. A carry reaches bytes after only.
        let digits = word ^ (ones &* 0x30)
        let others = ((digits &+ ones &* 0x76) | digits) & (ones &* 0x80)
        let count = others.trailingZeroBitCount >> 3
        if count == 0 { return (0, 0) }
        // Zeros move in from the front; then neighbors are joined: 8 × 1, 4 × 2, 2 × 4 digits.
        var value = digits &<< UInt64(truncatingIfNeeded: (8 - count) * 8)
        value = value &* 10 &+ value >> 8
        let upper = (value & 0x0000_00FF_0000_00FF) &* (100 + 1_000_000 << 32)
        let lower = (value >> 16 & 0x0000_00FF_0000_00FF) &* (1 + 10_000 << 32)
        return ((upper &+ lower) >> 32, count)
    }

    /// A power of ten up to 10^19; 0 for what is beyond.
    @inline(__always)
    static func power(_ exponent: Int) -> UInt64 {
        exponent < powersOfTen.count ? powersOfTen[exponent] : 0
    }

    static let powersOfTen: [UInt64] = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
        10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
        1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000,
        1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
    ]
}
