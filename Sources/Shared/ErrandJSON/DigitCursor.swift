/// Reads fixed fields of digits from bytes.
struct DigitCursor {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    /// A number of exactly this many digits.
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

    /// Digits after a decimal point, at least one; those after the ninth are dropped.
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

    /// A number of two digits, or of one or two where it is written without a zero before it.
    mutating func number(padded digits: Int) -> Int? {
        if digits > 1 { return number(digits) }
        guard let first = number(1) else { return nil }
        return number(1).map { first * 10 + $0 } ?? first
    }

    /// The index of a name among names of three letters, in any case.
    mutating func name(of names: StaticString) -> Int? {
        guard bytes.count - index >= 3 else { return nil }
        let known = names.buffer
        for start in stride(from: 0, to: known.count, by: 3)
        where (0..<3).allSatisfy({ bytes[index + $0] | 0x20 == known[start + $0] | 0x20 }) {
            index += 3
            return start / 3
        }
        return nil
    }

    /// `AM` or `PM`, in any case: whether it is afternoon.
    mutating func half() -> Bool? {
        let isAfternoon = take(UInt8(ascii: "P")) || take(UInt8(ascii: "p"))
        guard isAfternoon || take(UInt8(ascii: "A")) || take(UInt8(ascii: "a")) else { return nil }
        return take(UInt8(ascii: "M")) || take(UInt8(ascii: "m")) ? isAfternoon : nil
    }

    /// An offset from UTC in seconds: `+0800`, `+08:00` or `Z`.
    mutating func offset(hasColon: Bool, takesZ: Bool) -> Int? {
        if takesZ, take(UInt8(ascii: "Z")) { return 0 }
        let isNegative = take(ASCII.minus)
        guard isNegative || take(ASCII.plus), let hour = number(2), hour < 24, !hasColon || take(ASCII.colon),
            let minute = number(2), minute < 60
        else { return nil }
        let offset = hour * 3600 + minute * 60
        return isNegative ? -offset : offset
    }

    /// Consumes this byte if it is next.
    mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }
}

extension StaticString {
    /// The bytes of a literal, which are there for as long as the program runs.
    var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount) }
}
