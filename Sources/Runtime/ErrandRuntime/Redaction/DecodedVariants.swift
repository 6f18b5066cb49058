/// A text as it is, and as it reads when one layer of encoding after the other is taken off it: percent-encoding, the
/// escapes of JSON and the character references of HTML. Servers repeat what they were sent in any of these spellings.
struct DecodedVariants {
    /// One reading. A byte of it comes from `origins[i]..<origins[i + 1]` of the text.
    struct Reading {
        var bytes: [UInt8] = []
        /// Nil if the reading is the text itself.
        var origins: [Int]?

        func place(of range: Range<Int>) -> Range<Int> {
            guard let origins else { return range }
            return origins[range.lowerBound]..<origins[range.upperBound]
        }
    }

    /// The text itself first. More than three layers of encoding do not occur by mistake.
    private(set) var readings: [Reading]

    private static let maximumLayers = 3

    init(_ text: [UInt8]) {
        readings = [Reading(bytes: text)]
        for _ in 0..<Self.maximumLayers {
            guard let next = Self.decoded(readings[readings.count - 1]) else { return }
            readings.append(next)
        }
    }

    /// The text without one layer; nil if it doesn't have one.
    private static func decoded(_ reading: Reading) -> Reading? {
        let bytes = reading.bytes
        guard bytes.contains(where: { $0 == 0x25 || $0 == 0x5C || $0 == 0x26 }) else { return nil }
        var result = Reading(bytes: [], origins: [])
        result.bytes.reserveCapacity(bytes.count)
        var isChanged = false
        var position = 0
        while position < bytes.count {
            let start = reading.origins?[position] ?? position
            let (found, length) = unit(bytes, position) ?? ([bytes[position]], 1)
            if length > 1 { isChanged = true }
            for byte in found {
                result.bytes.append(byte)
                result.origins?.append(start)
            }
            position += length
        }
        result.origins?.append(reading.origins?[bytes.count] ?? bytes.count)
        return isChanged ? result : nil
    }

    /// The bytes that the escape at a position spells, and the escape's length; nil without an escape.
    private static func unit(_ bytes: [UInt8], _ position: Int) -> (bytes: [UInt8], length: Int)? {
        switch bytes[position] {
        case UInt8(ascii: "%"): return number(bytes, position + 1, digits: 2).map { ([UInt8($0)], 3) }
        case UInt8(ascii: "\\"): return escape(bytes, position)
        case UInt8(ascii: "&"): return reference(bytes, position)
        default: return nil
        }
    }

    /// RFC 8259 section 7, and the escapes that other languages add.
    private static func escape(_ bytes: [UInt8], _ position: Int) -> (bytes: [UInt8], length: Int)? {
        guard position + 1 < bytes.count else { return nil }
        switch bytes[position + 1] {
        case UInt8(ascii: "b"): return ([0x08], 2)
        case UInt8(ascii: "f"): return ([0x0C], 2)
        case UInt8(ascii: "n"): return ([0x0A], 2)
        case UInt8(ascii: "r"): return ([0x0D], 2)
        case UInt8(ascii: "t"): return ([0x09], 2)
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            return ([bytes[position + 1]], 2)
        case UInt8(ascii: "x"): return number(bytes, position + 2, digits: 2).flatMap(utf8).map { ($0, 4) }
        case UInt8(ascii: "u"):
            guard let high = number(bytes, position + 2, digits: 4) else { return nil }
            if let plain = utf8(high) { return (plain, 6) }
            guard (0xD800..<0xDC00).contains(high), position + 7 < bytes.count,
                bytes[position + 6] == UInt8(ascii: "\\"),
                bytes[position + 7] == UInt8(ascii: "u"), let low = number(bytes, position + 8, digits: 4),
                (0xDC00..<0xE000).contains(low)
            else { return nil }
            return utf8(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)).map { ($0, 12) }
        default: return nil
        }
    }

    private static let references: [(name: [UInt8], byte: UInt8)] = [
        (Array("&amp;".utf8), 0x26), (Array("&lt;".utf8), 0x3C), (Array("&gt;".utf8), 0x3E),
        (Array("&quot;".utf8), 0x22), (Array("&apos;".utf8), 0x27),
    ]

    /// `&amp;`, `&#39;` and `&#x27;` (the HTML standard, section 13.5).
    private static func reference(_ bytes: [UInt8], _ position: Int) -> (bytes: [UInt8], length: Int)? {
        for reference in references where bytes[position...].starts(with: reference.name) {
            return ([reference.byte], reference.name.count)
        }
        guard position + 2 < bytes.count, bytes[position + 1] == UInt8(ascii: "#"),
            let end = bytes[position...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
        else { return nil }
        let isHexadecimal = bytes[position + 2] | 0x20 == UInt8(ascii: "x")
        let digits = String(decoding: bytes[(position + (isHexadecimal ? 3 : 2))..<end], as: UTF8.self)
        return UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(utf8).map { ($0, end + 1 - position) }
    }

    private static func number(_ bytes: [UInt8], _ start: Int, digits: Int) -> UInt32? {
        guard start + digits <= bytes.count else { return nil }
        var number: UInt32 = 0
        for byte in bytes[start..<start + digits] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            number = number << 4 | UInt32(digit)
        }
        return number
    }

    /// Nil for half a surrogate pair.
    private static func utf8(_ scalar: UInt32) -> [UInt8]? { Unicode.Scalar(scalar).map { Array(String($0).utf8) } }
}
