import ErrandJSON
import Foundation
import Testing

@Suite struct FaultTests {
    @Test func pathAndOffset() {
        let fault = fault(#"{"data": {"list": [{"price": 1}, {"price": "1"}]}}"#) { (reader: inout JSONReader) in
            reader.read(at: JSONPath("data", "list")) { list in
                list.readArray { $0.readMap { $0.readDouble() } }
            }
        }
        #expect(fault?.description == "typeMismatch (number) at $.data.list[1].price, byte 43")
        #expect(fault?.code == .typeMismatch(found: .string))
        #expect(fault?.excerpt == #""1""#)
        #expect(fault?.isMalformed == false)
    }

    @Test(arguments: [
        (#"{"a b": [1, {"c'd": x}]}"#, "invalidSyntax (value) at $['a b'][1]['c\\'d'], byte 20"),
        (#"[1 2]"#, "invalidSyntax (comma or closing bracket) at $, byte 3"),
        (#"[1,]"#, "invalidSyntax (value) at $[1], byte 3"),
        (#"{"a":1 "b":2}"#, "invalidSyntax (comma or closing brace) at $, byte 7"),
        (#"{"a":1,}"#, "invalidSyntax (key) at $, byte 7"),
        (#"{"a" 1}"#, "invalidSyntax (colon) at $.a, byte 5"),
        (#"{"a":{"b":tru}}"#, "invalidSyntax (true) at $.a.b, byte 10"),
        (#"{"a":[01]}"#, "invalidNumber (value) at $.a[0], byte 6"),
        (#"{"a":[1.]}"#, "invalidNumber (value) at $.a[0], byte 6"),
        (#"{"a":[-"#, "unexpectedEnd (value) at $.a, byte 7"),
        ("01", "invalidNumber (value) at $, byte 0"),
        ("-1e", "unexpectedEnd (value) at $, byte 3"),
        (#"{"a":"x\q"}"#, "invalidEscape (string) at $.a, byte 7"),
        (#"{"a":"\ud800"}"#, "loneSurrogate (string) at $.a, byte 6"),
        ("{\"a\":\"\t\"}", "controlCharacter (string) at $.a, byte 6"),
        (#"{"a":"#, "unexpectedEnd (value) at $.a, byte 5"),
        (#"{"a":"x"#, "unexpectedEnd (string) at $.a, byte 7"),
        (#"[{"a":1},[2"#, "unexpectedEnd (element or closing bracket) at $[1], byte 11"),
        ("", "unexpectedEnd (value) at $, byte 0"),
        (" ", "unexpectedEnd (value) at $, byte 1"),
        ("1 1", "trailingContent (end of document) at $, byte 2"),
        ("\u{FEFF}1", "byteOrderMark at $, byte 0"),
    ]) func malformed(_ text: String, _ wanted: String) {
        let fault = fault(text) { $0.readValue() }
        #expect(fault?.description == wanted)
        #expect(fault?.isMalformed == true)
    }

    @Test func missingKey() {
        let text = #"{"data": {"fromAccount": 1, "other": {"amount": 2}}}"#
        let keys = JSONKeys(["amount", "fromAccount"])
        let fault = fault(text) { (reader: inout JSONReader) in
            reader.read(at: JSONPath("data")) { (reader: inout JSONReader) -> Int? in
                var fields = reader.beginObject()
                while reader.nextField(keys, &fields) >= 0 { _ = reader.readInt() }
                return 0
            }
        }
        #expect(fault?.code == .missingKey("amount"))
        #expect(fault?.description == "missing key 'amount' at $.data, byte 50")
    }

    @Test func refusedByGeneratedCode() {
        let fault = fault(#"{"a": [10, 2000, 3]}"#) { (reader: inout JSONReader) in
            reader.read(at: JSONPath("a")) { (reader: inout JSONReader) in
                reader.readArray { (reader: inout JSONReader) -> Int? in
                    let value = reader.readInt()
                    if value > 100 { reader.fail("more than 100") }
                    return value
                }
            }
        }
        #expect(fault?.description == "refused: more than 100 at $.a[1], byte 11")
        #expect(fault?.excerpt == "2000")
    }

    @Test func aClosureWithoutValueIsAFault() {
        #expect(
            fault("1") { (reader: inout JSONReader) -> Int? in
                reader.skipValue()
                return nil
            }?.code == .noValue)
        let inside = fault("[1, 2]") { (reader: inout JSONReader) in
            reader.readArray { (reader: inout JSONReader) -> Int? in
                let value = reader.readInt()
                return value == 2 ? nil : value
            }
        }
        #expect(inside?.description == "noValue at $[1], byte 4")
    }

    @Test func faultsStick() {
        let fault = fault(#"[1, "x", 3]"#) { (reader: inout JSONReader) -> Int? in
            let list = reader.readArray { $0.readInt() }
            #expect(reader.isFaulted == true)
            #expect(list.count <= 2)
            let before = reader.mark()
            // Whatever is called now returns at once, with nothing in it.
            reader.rewind(to: before)
            #expect(reader.isFaulted == true)
            #expect(reader.peekKind() == .end)
            #expect(reader.readInt() == 0 && reader.readDouble() == 0 && reader.readDecimal() == 0)
            #expect(reader.readString() == "" && reader.readBool() == false && reader.readValue() == .null)
            #expect(reader.readBytes() == [] && reader.readNull() == false)
            #expect(reader.readArray { $0.readInt() } == [] && reader.readMap { $0.readInt() } == [:])
            #expect(reader.readArrayOrSingle { $0.readInt() } == [])
            #expect(reader.readArraySkippingInvalid { $0.readInt() } == [])
            #expect(reader.readLenientInt() == 0 && reader.readLenientBool() == false)
            #expect(reader.text(at: JSONPath("a")) == nil && reader.takeToken() == "")
            #expect(reader.peekToken(at: "kind", JSONTokens(["a"])) == -1)
            _ = (reader.readTimestamp(), reader.readUUID(), reader.readURL(), reader.readCalendarDate())
            reader.fail("later")
            reader.skipValue()
            var fields = reader.beginObject()
            #expect(reader.nextField(JSONKeys(["a"]), &fields) == -1)
            return 1
        }
        #expect(fault?.description == "typeMismatch (int) at $[1], byte 4")
    }

    @Test func depth() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        func mixed(_ levels: Int) -> String {
            String(repeating: #"{"a":["#, count: levels / 2) + String(repeating: "]}", count: levels / 2)
        }
        for text in [nested(512), mixed(512)] {
            _ = try read(text) { $0.readValue() }
            try read(text) { $0.skipValue() }
        }
        for text in [nested(513), mixed(514), String(repeating: "[", count: 1_000_000)] {
            #expect(fault(text) { $0.readValue() }?.code == .tooDeep)
            #expect(fault(text) { $0.skipValue() }?.code == .tooDeep)
        }
        try JSON.scan(Array(nested(100_000).utf8), maximumDepth: 100_000) { $0.skipValue() }
        #expect(throws: JSONError.self) { try JSON.scan(Array("[[]]".utf8), maximumDepth: 1) { $0.readValue() } }
        #expect(throws: JSONError.self) { try JSON.scan(Array("[]".utf8), maximumDepth: -1) { $0.skipValue() } }
    }

    @Test(arguments: [
        #"{"user": "ada", "password": 12345678}"#, #"{"password": {"hint": "12345678"}}"#,
        #"{"password": ["12345678"]}"#, #"{"pass\u0077ord": "12345678"}"#, #"{"password": "12345678"#,
        #"{"password" "12345678"}"#, #"{"password": 12345678x}"#, #"{"password": "12345678\q"}"#,
        #"{"password": {"12345678": 1}}"#, #"{"password": {"12345678": {"a": "b"}}}"#,
        #"{'password': '12345678'}"#, #"{"a": 1 12345678, "password": 2}"#,
    ]) func sensitiveValuesAreBlank(_ text: String) {
        for body in Self.refusals {
            guard let fault = fault(text, sensitive: ["password"], body) else { continue }
            #expect(!"\(fault)".contains("12345678") && !fault.excerpt.contains("12345678"), "\(fault)")
            #expect(!"\(fault)".contains("5678") && !fault.excerpt.contains("5678"), "\(fault)")
        }
    }

    /// Readings that end in a fault somewhere below.
    static let refusals: [@Sendable (inout JSONReader) -> Bool?] = [
        { $0.readBool() },
        { reader in reader.readMap { $0.readBool() }.isEmpty },
        { reader in reader.readMap { $0.readMap { $0.readBool() } }.isEmpty },
        { reader in reader.readMap { $0.readMap { $0.readMap { $0.readBool() } } }.isEmpty },
        { reader in reader.readMap { $0.readArray { $0.readBool() } }.isEmpty },
        { reader in
            reader.readMap { reader in
                let value = reader.readValue()
                reader.fail("no")
                return value
            }.isEmpty
        },
        { reader in
            reader.skipValue()
            return true
        },
    ]

    @Test func excerptsEndWithTheValue() {
        let fault = fault(#"{"a": "word", "password": "secret"}"#) { (reader: inout JSONReader) in
            reader.readMap { $0.readInt() }
        }
        #expect(fault?.excerpt == #""word""#)
        let long = ErrandJSONTests.fault("\"\(String(repeating: "é", count: 100))\"") { $0.readInt() }
        #expect((long?.excerpt.utf8.count ?? 0) < 60)
        #expect(ErrandJSONTests.fault("{\"a\":1}") { $0.readInt() }?.excerpt == "{…}")
    }
}
