import ErrandJSON
import Foundation
import TestSeeds
import Testing

/// Numbers that lie hard at the border between two doubles, against the C library and the standard
/// library.
@Suite struct RoundingTests {
    private let numbers = NumberTests()

    /// Vern Paxson, "A Program for Testing IEEE Decimal-Binary Conversion" (1991), the
    /// stress inputs for 53 bits: close to a halfway point, for each number of digits.
    static let hardest = [
        "5e125", "69e267", "999e-26", "7861e-34", "75569e-254", "928609e-261", "9210917e80", "84863171e114",
        "653777767e273", "5232604057e-298", "27235667517e-109", "653532977297e-123", "3142213164987e-294",
        "46202199371337e-72", "231010996856685e-73", "9324754620109615e212", "78459735791271921e49",
        "272104041512242479e200", "6802601037806061975e198", "20505426358836677347e-221",
        "836168422905420598437e-234", "4891559871276714924261e222",
        "9e-265", "85e-37", "623e100", "3571e263", "81661e153", "920657e-23", "4603285e-24", "87575437e-309",
        "245540327e122", "6138508175e120", "83356057653e193", "619534293513e124", "2335141086879e218",
        "36167929443327e-159", "609610927149051e-255", "3743626360493413e-165", "94080055902682397e-242",
        "899810892172646163e283", "7120190517612959703e120", "25188282901709339043e-252",
        "308984926168550152811e-52", "6372891218502368041059e64",
    ]

    @Test(arguments: hardest) func paxson(_ text: String) throws { try numbers.expectExact(text) }

    /// The point halfway between two neighbors has up to 767 digits; one digit more decides.
    @Test func halfwayPoints() throws {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for round in 0..<400 {
            // Normal, subnormal, and next to a power of two.
            var bits = random.next() & 0x7FFF_FFFF_FFFF_FFFF
            if round % 4 == 1 { bits &= 0x000F_FFFF_FFFF_FFFF }
            if round % 4 == 2 { bits &= 0x7FF0_0000_0000_0000 }
            let value = Double(bitPattern: bits)
            guard value.nextUp.isFinite else { continue }
            let half = Self.digits(betweenAnd: value)
            // Behind a fraction digits may follow; an integer needs a point for them.
            let tail = half.contains(".") ? "" : "."
            for text in [half, half + tail + "0000000001", half + tail + "0"] {
                try numbers.expectExact(text, "seed \(seed)")
            }
            // One less in the last place.
            if half.last != "0" {
                let below = half.dropLast() + "\((half.last?.wholeNumberValue ?? 1) - 1)"
                try numbers.expectExact(below + tail + "9999999999", "seed \(seed)")
            }
        }
    }

    /// All digits of the point halfway between a value and the next one.
    private static func digits(betweenAnd value: Double) -> String {
        // An odd multiple of half the last place: (2 × significand + 1) × 2^exponent.
        let isNormal = value.exponentBitPattern != 0
        var digits = "\(2 * (value.significandBitPattern | (isNormal ? 1 << 52 : 0)) + 1)".utf8.map { Int($0) - 48 }
        digits.reverse()
        let exponent = Int(isNormal ? value.exponentBitPattern : 1) - 1076
        // Multiplied by 2, or by 5 with the point one place further left.
        for _ in 0..<abs(exponent) {
            var carry = 0
            for index in digits.indices {
                carry += digits[index] * (exponent > 0 ? 2 : 5)
                digits[index] = carry % 10
                carry /= 10
            }
            if carry > 0 { digits.append(carry) }
        }
        let text = digits.reversed().map { "\($0)" }.joined()
        if exponent >= 0 { return text }
        let padded = String(repeating: "0", count: max(0, 1 - exponent - text.count)) + text
        return padded.dropLast(-exponent) + "." + padded.suffix(-exponent)
    }

    @Test func manyDigits() throws {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let count = Int(random.next() % 1_200) + 1
            let digits = "1" + (0..<count).map { _ in "\(random.next() % 10)" }.joined()
            try numbers.expectExact(
                "0.\(String(repeating: "0", count: Int(random.next() % 320)))\(digits)", "seed \(seed)")
            try numbers.expectExact("\(digits)e-\(random.next() % 1_500 + UInt64(max(0, count - 300)))", "seed \(seed)")
        }
        try numbers.expectExact("1" + String(repeating: "0", count: 800) + "e-800")
        try numbers.expectExact("0." + String(repeating: "0", count: 800) + "1e801")
    }

    /// The digits are those of the standard library: the shortest, and of these the closest.
    @Test func shortestDigits() throws {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        var values = [
            0.1, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 0x1p53, 0x1p54, 1e-4, 0.00012,
            1e-5,
        ]
        // Powers of two, whose lower neighbor is closer, and of ten.
        values += (-1074...1023).map { Double(sign: .plus, exponent: $0, significand: 1) }
        values += (-323...308).compactMap { Double("1e\($0)") }
        for _ in 0..<10_000 {
            values.append(Double(bitPattern: random.next()))
            values.append(Double(Int64(bitPattern: random.next()) >> Int64(random.next() % 64)) / 1000)
            values.append(Double(bitPattern: random.next() & 0x000F_FFFF_FFFF_FFFF))
        }
        for value in values where value.isFinite {
            for value in [value, -value, value.nextUp] where value.isFinite {
                let text = "\(value)"
                #expect(JSONText.of(value) == (text.hasSuffix(".0") ? String(text.dropLast(2)) : text), "seed \(seed)")
            }
        }
    }

    /// Where a decimal takes its digits from is looked at; what comes out must be what Foundation says.
    @Test func decimalsAsText() throws {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5_000 {
            let digits = random.next() >> (random.next() % 64)
            let exponent = Int(random.next() % 60) - 40
            let value = Decimal(
                sign: random.next() % 2 == 0 ? .plus : .minus, exponent: exponent, significand: Decimal(digits))
            let text = try #require(JSONText.of(value))
            #expect(Decimal(string: text) == value, "\(text) seed \(seed)")
            #expect(!text.contains(".") || text.last != "0", "\(text) seed \(seed)")
            var wanted = value.description
            if wanted.contains(".") {
                while wanted.last == "0" { wanted.removeLast() }
                if wanted.last == "." { wanted.removeLast() }
            }
            #expect(text == wanted, "seed \(seed)")
        }
    }
}
