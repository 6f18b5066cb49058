import ErrandJSON
import Foundation
import TestSeeds
import Testing

@Suite struct NumberTests {
    /// Ties, ends of ranges, and the digits on which other parsers went wrong.
    static let hardDoubles = [
        "0", "-0", "0.0", "-0.0e5", "1", "0.1", "123456789012345678", "9007199254740993",
        "9007199254740992.5", "9007199254740993.0000000000000000000000001", "2.2250738585072011e-308",
        "2.2250738585072014e-308", "4.9406564584124654e-324", "2.4703282292062327e-324",
        "2.4703282292062328e-324", "1.7976931348623157e308", "1.7976931348623158e308", "1e22", "1e23",
        "8.5e22", "3.518437208883201171875e13", "62.5364939768271845828", "8.10109172351e-10",
        "1.50000000000000011102230246251565", "1.4999999999999999888977697537484", "1e-19", "1e19",
        "18446744073709551615e19", "18446744073709551615e-19", "18446744073709551616", "1e-400",
        "0.000000000000000000000000000000000000001", "100000000000000000000000000000000000000000e-30",
        "7.2057594037927933e16", "5e-324", "6631236871469758276785396630275967242420e-70",
        "1090544144181609348835077142190", "-65.619720000000029", "43.420273000000009", "1E+2", "1e-0",
    ]

    @Test(arguments: hardDoubles) func hardDouble(_ text: String) throws {
        try expectExact(text)
    }

    @Test func randomDoubles() throws {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100_000 {
            let text: String
            switch random.next() % 4 {
            case 0:
                let value = Double(bitPattern: random.next())
                if !value.isFinite { continue }
                text = "\(value)"
            case 1:
                text = "\(random.next() >> (random.next() % 64)).\(random.next() >> (random.next() % 64))"
            case 2:
                text = "\(random.next() >> (random.next() % 64))e\(Int(random.next() % 60) - 30)"
            default:
                text = "-\(random.next())\(random.next())e-\(random.next() % 330)"
            }
            try expectExact(text, "seed \(seed)")
        }
    }

    /// White space after a number, since numbers are read in another way near the end of a document.
    static let far = [UInt8](repeating: 0x20, count: 100)

    /// Against the C library.
    func expectExact(_ text: String, _ comment: Comment = "") throws {
        let wanted = strtod(text, nil)
        let read = try JSON.scan(Array(text.utf8)) { $0.readDouble() }
        #expect(read.bitPattern == wanted.bitPattern, "\(text) \(comment)")
        let far = try JSON.scan(Array(text.utf8) + Self.far) { $0.readDouble() }
        #expect(far.bitPattern == wanted.bitPattern, "\(text) far from the end \(comment)")
        let wantedSingle = strtof(text, nil)
        if wantedSingle.isFinite {
            let single = try JSON.scan(Array(text.utf8)) { $0.readFloat() }
            #expect(single.bitPattern == wantedSingle.bitPattern, "\(text) as Float \(comment)")
        }
        let written = try JSON.bytes { $0.write(read) }
        let again = try JSON.scan(written) { $0.readDouble() }
        #expect(again.bitPattern == read.bitPattern, "\(text) written \(comment)")
    }

    @Test func overflowIsRefused() {
        for text in ["1e309", "-1e309", "1e99999999999999999999", "1.7976931348623159e308"] {
            #expect(fault(text) { $0.readDouble() }?.code == .numberOutOfRange, "\(text)")
        }
        #expect(fault("3.5e38") { $0.readFloat() }?.code == .numberOutOfRange)
    }

    @Test func integers() throws {
        #expect(try read("9223372036854775807") { $0.readInt64() } == .max)
        #expect(try read("-9223372036854775808") { $0.readInt64() } == .min)
        #expect(try read("18446744073709551615") { $0.readUInt() } == .max)
        #expect(try read("2147483647") { $0.readInt32() } == .max)
        #expect(try read("-2147483648") { $0.readInt32() } == .min)
        #expect(try read("-0") { $0.readInt() } == 0)
        #expect(try read("1.0") { $0.readInt() } == 1)
        #expect(try read("1e2") { $0.readInt() } == 100)
        #expect(try read("1200e-2") { $0.readInt() } == 12)
        #expect(try read("1844674407370955161.5e1") { $0.readUInt() } == .max)
        #expect(try read("1.00000000000000000000000") { $0.readInt() } == 1)
        for text in ["9223372036854775808", "-9223372036854775809", "1e19", "1e999999999999999999999"] {
            #expect(fault(text) { $0.readInt64() }?.code == .numberOutOfRange, "\(text)")
        }
        for text in ["-1", "18446744073709551616", "99999999999999999999999999"] {
            #expect(fault(text) { $0.readUInt() }?.code == .numberOutOfRange, "\(text)")
        }
        for text in ["2147483648", "-2147483649"] {
            #expect(fault(text) { $0.readInt32() }?.code == .numberOutOfRange, "\(text)")
        }
        for text in ["1.5", "1e-1", "0.1", "1e-99", "1.00000000000000000000001"] {
            let code = fault(text) { $0.readInt() }?.code
            #expect(code == .typeMismatch(found: .number), "\(text)")
        }
        let far = String(decoding: Self.far, as: UTF8.self)
        for text in [
            "01", "-", "-01", "1.", "1e", "1e+", ".5", "+1", "1.e1", "0x1", "--1", "1e1.5", "00.5", "-.5", "1.5e",
            "1.5e-",
        ] {
            #expect(fault(text) { $0.readInt() }?.isMalformed == true, "\(text)")
            #expect(fault(text) { $0.readDouble() }?.isMalformed == true, "\(text)")
            // The same fault at the same place for any rest of the document, unless the fault is that it ends.
            let near = fault(text + "]") { $0.readDouble() }
            #expect(fault(text + far + "]") { $0.readDouble() }?.byteOffset == near?.byteOffset, "\(text)")
            #expect(fault(text + far + "]") { $0.readInt() }?.isMalformed == true, "\(text)")
        }
    }

    /// All lengths, at both ends of the range of each, near the end of the document and far from it.
    @Test func integersOfAllLengths() throws {
        for length in 1...20 {
            for text in ["1" + String(repeating: "0", count: length - 1), String(repeating: "9", count: length)] {
                for text in [text, "-" + text] {
                    for document in [text, text + String(decoding: Self.far, as: UTF8.self)] {
                        #expect((try? read(document) { $0.readInt64() }) == Int64(text), "\(text)")
                        #expect((try? read(document) { $0.readInt32() }) == Int32(text), "\(text)")
                        #expect((try? read(document) { $0.readUInt() }) == UInt(text), "\(text)")
                        #expect(try read(document) { $0.readDouble() } == strtod(text, nil), "\(text)")
                    }
                }
            }
        }
    }

    @Test func randomIntegers() throws {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            let value = Int64(bitPattern: random.next()) >> Int64(random.next() % 64)
            let written = try JSON.bytes { $0.write(value) }
            #expect(String(decoding: written, as: UTF8.self) == "\(value)", "seed \(seed)")
            for bytes in [written, written + Self.far] {
                #expect(try JSON.scan(bytes) { $0.readInt64() } == value, "seed \(seed)")
                #expect((try? JSON.scan(bytes) { $0.readInt32() }) == Int32(exactly: value), "seed \(seed)")
                #expect((try? JSON.scan(bytes) { $0.readUInt() }) == UInt(exactly: value), "seed \(seed)")
            }
        }
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("0.1", "0.1"), ("500.00", "500"), ("-12.340", "-12.34"),
        ("1e3", "1000"), ("1.5e-3", "0.0015"), ("123456789012345678901234567890.12345678", ""),
        ("12345678901234567890123456789012345678", ""), ("0.00000000000000000000000000000000000001", ""),
        ("10000000000000000000", ""), ("99999999999999999999", ""), ("0.30000000000000004", ""),
        ("100000000000000000000000000000000000000000", ""), ("9999999999999999999.9999999999999999999", ""),
        ("1000000000000000000000000000000000000000000000.0", "1000000000000000000000000000000000000000000000"),
        ("10000000000000000000000000000000000001e-2", "100000000000000000000000000000000000.01"),
    ]) func decimal(_ text: String, _ wanted: String) throws {
        let wanted = wanted.isEmpty ? text : wanted
        let value = try read(text) { $0.readDecimal() }
        #expect(JSONText.of(value) == wanted)
        #expect(value == Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")))
        #expect(try JSON.bytes { $0.write(value) } == Array(wanted.utf8))
    }

    @Test func randomDecimals() throws {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5_000 {
            let count = Int(random.next() % 38) + 1
            var digits = (0..<count).map { _ in "\(random.next() % 10)" }
            digits[0] = "\(random.next() % 9 + 1)"
            digits[count - 1] = "\(random.next() % 9 + 1)"
            let scale = Int(random.next() % UInt64(count))
            if scale > 0 { digits.insert(".", at: count - scale) }
            let text = (random.next() % 2 == 0 ? "-" : "") + digits.joined()
            #expect(JSONText.of(try read(text) { $0.readDecimal() }) == text, "seed \(seed)")
        }
    }

    @Test func decimalsThatDoNotFitAreRefused() {
        for text in [
            "1e200", "1e-129", "123456789012345678901234567890123456789", "0.\(String(repeating: "12", count: 30))",
        ] {
            #expect(fault(text) { $0.readDecimal() }?.code == .numberOutOfRange, "\(text)")
        }
    }

    @Test func shortest() {
        #expect(JSONText.of(1.0) == "1")
        #expect(JSONText.of(-0.0) == "-0")
        #expect(JSONText.of(0.1) == "0.1")
        #expect(JSONText.of(Float(0.1)) == "0.1")
        #expect(JSONText.of(1e300) == "1e+300")
        #expect(JSONText.of(Double.nan) == nil)
        #expect(JSONText.of(-Double.infinity) == nil)
    }

    @Test func lenient() throws {
        #expect(try read(#""12""#) { $0.readLenientInt() } == 12)
        #expect(try read("12") { $0.readLenientInt() } == 12)
        #expect(try read(#""-1.50""#) { $0.readLenientDouble() } == -1.5)
        #expect(try read(#""1.5""#) { $0.readLenientFloat() } == 1.5)
        #expect(try read(#""0.10""#) { $0.readLenientDecimal() } == Decimal(string: "0.1"))
        #expect(try read(#""7""#) { $0.readLenientInt32() } == 7)
        #expect(try read(#""7""#) { $0.readLenientInt64() } == 7)
        #expect(try read(#""7""#) { $0.readLenientUInt() } == 7)
        for text in ["1", "true", #""1""#, #""true""#] { #expect(try read(text) { $0.readLenientBool() }) }
        for text in ["0", "false", #""0""#, #""false""#] {
            #expect(try read(text) { $0.readLenientBool() } == false)
        }
        #expect(try read("1.50") { $0.readLenientString() } == "1.50")
        #expect(try read("true") { $0.readLenientString() } == "true")
        #expect(try read(#""a\n""#) { $0.readLenientString() } == "a\n")
        for text in [#""""#, #"" 1""#, #""1 ""#, #""x""#, #""1x""#, "true", "null", "[1]"] {
            #expect(fault(text) { $0.readLenientInt() }?.isMalformed == false, "\(text)")
            #expect(fault(text) { $0.readLenientDouble() }?.isMalformed == false, "\(text)")
        }
        for text in ["2", #""yes""#, "null", "{}", "1.0"] {
            #expect(fault(text) { $0.readLenientBool() }?.isMalformed == false, "\(text)")
        }
        #expect(fault(#""1e400""#) { $0.readLenientDouble() }?.code == .numberOutOfRange)
        #expect(fault("null") { $0.readLenientString() }?.code == .typeMismatch(found: .null))
        #expect(try read(#""""#) { $0.readNullOrEmpty() })
        #expect(try read("null") { $0.readNullOrEmpty() })
    }
}

/// Reads a document of the test's own.
func read<Value>(_ text: String, _ body: (inout JSONReader) -> Value?) throws -> Value {
    try JSON.scan(Array(text.utf8), body)
}

/// The fault of reading a document; nil without one.
func fault<Value>(
    _ text: String, sensitive: Set<String> = [], _ body: (inout JSONReader) -> Value?
) -> JSONError? {
    do throws(JSONError) {
        _ = try JSON.scan(Array(text.utf8), sensitive: sensitive, body)
        return nil
    } catch {
        return error
    }
}
