import ErrandJSON
import Foundation
import TestSeeds
import Testing

@Suite struct ValueTests {
    @Test func keepsTextAndOrder() throws {
        let text = #"{"b":1.50,"a":[true,null,1e400,"é\n"],"c":{"z":{},"y":[]}}"#
        let value = try JSONValue(parsing: text)
        #expect(value.description == text)
        #expect(value["b"]?.number?.text == "1.50")
        #expect(value["b"]?.number?.decimal == Decimal(string: "1.5"))
        #expect(value["a"]?[3]?.string == "é\n")
        #expect(value["a"]?[2]?.number?.double == nil)
        #expect(value["a"]?[9] == nil && value["q"] == nil && value[0] == nil)
        #expect(try JSONValue(parsing: #"{"a":1,"b":2,"a":3}"#).description == #"{"a":3,"b":2}"#)
    }

    @Test func equality() throws {
        #expect(try JSONValue(parsing: #"{"a":1.0,"b":[]}"#) == ["b": [], "a": 1])
        for (left, right) in [
            ("1", "1.0"), ("10e-1", "1"), ("-0", "0"), ("1e2", "100.00"), ("0.001", "1E-3"), ("0e9", "0"),
        ] {
            let a = try #require(JSONNumber(text: left))
            let b = try #require(JSONNumber(text: right))
            #expect(a == b && a.hashValue == b.hashValue, "\(left) \(right)")
        }
        #expect(JSONNumber(text: "1") != JSONNumber(text: "-1"))
        #expect(JSONNumber(text: "1e1") != JSONNumber(text: "1"))
        for text in ["", "01", "1.", "x", " 1", "1 ", "NaN"] { #expect(JSONNumber(text: text) == nil) }
        #expect(JSONNumber(text: "1e2")?.int == 100)
        #expect(JSONNumber(text: "-9223372036854775808")?.int == .min)
        #expect(JSONNumber(text: "1.5")?.int == nil)
        let literal: JSONValue = ["a": [1, 2.5, true, nil, "x"]]
        #expect(literal.description == #"{"a":[1,2.5,true,null,"x"]}"#)
    }

    @Test func throughACoder() throws {
        let value = try JSONValue(parsing: #"{"a":[1,2.5,true,null,"x",1e300],"b":{}}"#)
        let again = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value))
        #expect(again == value)
    }

    /// Threads other than the main one have 512 KB of stack on Apple's systems.
    @Test func theDeepestValueFitsASmallStack() async {
        let text = String(repeating: #"{"a":["#, count: 256) + String(repeating: "]}", count: 256)
        let isEqual = await withCheckedContinuation { continuation in
            let thread = Thread {
                let value = try? JSONValue(parsing: text)
                let again = try? JSONValue(parsing: text)
                continuation.resume(
                    returning: value != nil && value == again && value.hashValue == again.hashValue
                        && value?.description == text)
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
        #expect(isEqual)
    }

    @Test func largeObjects() {
        var object = JSONObject()
        for index in 0..<100 { object["k\(index)"] = JSONValue(integerLiteral: index) }
        object["k50"] = nil
        object["k51"] = "new"
        #expect(object.count == 99 && object["k99"] == 99 && object["k50"] == nil && object["k51"] == "new")
        var value = JSONValue.object(object)
        for index in 3..<100 { value["k\(index)"] = nil }
        #expect(value == ["k0": 0, "k1": 1, "k2": 2])
    }

    @Test func randomRoundTrips() throws {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let value = RandomValue.make(&random, depth: 5)
            let bytes = Array(value.description.utf8)
            let again = try JSON.scan(bytes) { $0.readValue() }
            #expect(again == value && again.hashValue == value.hashValue, "seed \(seed)")
            #expect(again.description == value.description, "seed \(seed)")
            #expect(ReferenceReading.ofFoundation(bytes) || ReferenceReading.isKnownDifference(bytes), "seed \(seed)")
        }
    }
}

/// Values of all kinds, with the strings and numbers that hurt.
enum RandomValue {
    static func make(_ random: inout SeededGenerator, depth: Int) -> JSONValue {
        switch random.next() % (depth > 0 ? 8 : 5) {
        case 0: return .null
        case 1: return .bool(random.next() % 2 == 0)
        case 2: return .number(JSONNumber(Int(bitPattern: UInt(random.next() >> (random.next() % 64)))))
        case 3: return JSONNumber(Double(bitPattern: random.next())).map(JSONValue.number) ?? .null
        case 4: return .string(text(&random))
        case 5: return .array((0..<random.next() % 5).map { _ in make(&random, depth: depth - 1) })
        default:
            var object = JSONObject()
            for _ in 0..<random.next() % 12 { object[text(&random)] = make(&random, depth: depth - 1) }
            return .object(object)
        }
    }

    static func text(_ random: inout SeededGenerator) -> String {
        let pieces = ["a", "Z", "0", " ", "\"", "\\", "/", "\n", "\u{1}", "é", "ß", "漢", "😀", "\u{2028}", "\u{7F}"]
        return (0..<random.next() % 20).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined()
    }
}
