/// Reads fixed fields of digits from bytes.
struct DigitCursor {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    /// A number of exactly so many digits.
    mutating func number(_ digits: Int) -> Int? {
        guard bytes.count - index >= digits else { return nil }
        var value = 0
        for _ in 0..<digits {
            guard ASCII.isDigit(bytes[index]) else { return nil }
            value = value * 10 + Int(bytes[index] &- ASCII.zero)
            index += 1
        }
        return value
    }

    /// Digits behind a decimal point, at least one; those behind the ninth are dropped.
    mutating func nanoseconds() -> Int? {
        var value = 0
        var digits = 0
        while index < bytes.count, ASCII.isDigit(bytes[index]) {
            if digits < 9 { value = value * 10 + Int(bytes[index] &- ASCII.zero) }
            digits += 1
            index += 1
        }
        if digits == 0 { return nil }
        for _ in min(digits, 9)..<9 { value *= 10 }
        return value
    }

    /// Consumes this byte if it is next.
    mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }
}
