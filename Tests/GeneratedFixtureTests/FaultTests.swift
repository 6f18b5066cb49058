import ErrandRuntime
import EverythingClient
import Testing

/// The content of a generated model's fault: its kind, its place, the expected value, and the value found.
@Suite struct FaultTests {
    /// A document in which `«` marks the byte that the fault must name, and what the fault must say.
    struct Case: Sendable, CustomTestStringConvertible {
        var document: String
        var description: String
        var excerpt: String
        var load: @Sendable (inout JSONReader) -> Bool?

        var testDescription: String { description }

        init<Model: JSONReadable & Sendable>(
            _ model: Model.Type, _ document: String, _ description: String, _ excerpt: String
        ) {
            (self.document, self.description, self.excerpt) = (document, description, excerpt)
            load = { Model.load(from: &$0).map { _ in true } }
        }
    }

    static let item = #"{"id":1,"na\"me":"n"}"#

    static let cases = [
        // The document fits JSON, and not the contract.
        Case(Everything.Item.self, #"{"id":«"1","na\"me":"n"}"#, "typeMismatch (int) at $.id", #""1""#),
        Case(Everything.Item.self, #"{"id":«1.5,"na\"me":"n"}"#, "typeMismatch (int) at $.id", "1.5"),
        Case(Everything.Item.self, #"{"id":«null,"na\"me":"n"}"#, "typeMismatch (int) at $.id", "null"),
        Case(Everything.Optionals.self, #"{"map":{"k v":«[1]}}"#, "typeMismatch (object) at $.map['k v']", "[…]"),
        Case(Everything.Item.self, #"{"id":1«}"#, #"missing key 'na"me' at $"#, "}"),
        Case(Everything.Group.self, #"{"shapes":[{"kind":"circle"«}]}"#, "missing key 'radius' at $.shapes[0]", "}"),
        Case(Everything.Shape.self, #"{"radius":1«}"#, "missing key 'kind' at $", "}"),
        Case(Everything.Wide.self, "{«}", "missing key 'field1' at $", "}"),
        Case(Everything.Mode.self, #"«"quick""#, "unknownToken (one of fast, slow) at $", #""quick""#),
        Case(Everything.Size.self, "«3", "refused: one of 1, 2 at $", "3"),
        Case(
            Everything.Date.self, #"{"day":«"2026-02-30"}"#, "malformedText (calendar date) at $.day", #""2026-02-30""#),
        Case(
            Everything.Optionals.self, #"{"changedAt":«"now"}"#, "malformedText (RFC 3339 timestamp) at $.changedAt",
            #""now""#),
        Case(Everything.Optionals.self, #"{"bytes":«"%"}"#, "malformedText (base64) at $.bytes", #""%""#),
        Case(Everything.Session.self, #"{"id":«"1"}"#, "malformedText (UUID) at $.id", #""1""#),
        Case(Everything.Lenient.self, #"{"url":«1}"#, "typeMismatch (URL) at $.url", "1"),
        Case(
            Everything.Item.self, #"{"id":«9223372036854775808}"#, "numberOutOfRange (int) at $.id",
            "9223372036854775808"),
        Case(Everything.Circle.self, #"{"radius":«-1e999}"#, "numberOutOfRange (number) at $.radius", "-1e999"),
        Case(
            Everything.Tree.self, #"{"value":1,"left":{"value":2,"self":"b","children":[{"value":«true}]}}"#,
            "typeMismatch (int) at $.left.children[0].value", "true"),
        // The document isn't JSON.
        Case(Everything.Item.self, #"{"id":1,"na\"me":"n"«"#, "unexpectedEnd (key) at $", ""),
        Case(
            Everything.Item.self, #"{"id":1«"na\"me":"n"}"#, "invalidSyntax (comma or closing brace) at $", #""na\"me""#
        ),
        Case(Everything.Item.self, #"{"id":«01}"#, "invalidNumber (int) at $.id", "01"),
        Case(Everything.Item.self, #"{"other":"a«\x"}"#, "invalidEscape at $.other", #"\x""#),
        Case(Everything.Item.self, #"{"level":"«\ud800"}"#, "loneSurrogate (string) at $.level", #"\ud800""#),
        Case(Everything.Defaults.self, "{\"list\":[\"«\t\"]}", "controlCharacter (string) at $.list[0]", "\u{FFFD}"),
        Case(Everything.Item.self, "«\u{FEFF}{}", "byteOrderMark at $", "\u{FFFD}"),
        Case(
            Everything.Optionals.self, #"{"json":\#(String(repeating: "[", count: 511))«[1"#,
            "tooDeep at $.json\(String(repeating: "[0]", count: 149))…\(String(repeating: "[0]", count: 149))", "[…]"),
        Case(Everything.Item.self, item + " «x", "trailingContent (end of document) at $", "x"),
    ]

    @Test(arguments: cases) func saysWhatAndWhere(_ wanted: Case) throws {
        let offset = try #require(wanted.document.utf8.firstRange(of: "«".utf8)).lowerBound
        let place = wanted.document.utf8.distance(from: wanted.document.startIndex, to: offset)
        let document = Array(wanted.document.replacing("«", with: "").utf8)
        let fault = #expect(throws: JSONError.self) { try JSON.scan(document, wanted.load) }
        #expect(fault?.description == "\(wanted.description), byte \(place)")
        #expect(fault?.excerpt == wanted.excerpt)
    }

    @Test func brokenUTF8IsTold() {
        let document = Array(#"{"list":["aé"#.utf8.dropLast()) + [0x22, 0x5D, 0x7D]
        let fault = #expect(throws: JSONError.self) { try JSON.scan(document) { Everything.Defaults.load(from: &$0) } }
        #expect(fault?.description == "invalidUTF8 (string) at $.list[0], byte 11")
    }

    @Test func whatCannotBeWrittenIsTold() {
        let fault = #expect(throws: JSONError.self) {
            try JSON.bytes { Everything.Shape.circle(Everything.Circle(radius: .nan)).write(to: &$0) }
        }
        #expect(fault?.code == .notWritable && fault?.expectation == "finite number")
        let dated = Everything.Optionals(changedAt: .value(.init(timeIntervalSince1970: 1e15)))
        let late = #expect(throws: JSONError.self) { try JSON.bytes { dated.write(to: &$0) } }
        #expect(late?.code == .notWritable && late?.expectation == "date in the years 0 to 9999")
    }

    /// A kind of fault that is added must be looked at here too: the compiler asks for it.
    @Test func everyKindIsTried() {
        func kind(_ code: JSONError.Code) -> Int {
            switch code {
            case .typeMismatch: 0
            case .missingKey: 1
            case .unknownToken: 2
            case .malformedText: 3
            case .numberOutOfRange: 4
            case .unexpectedEnd: 5
            case .invalidSyntax: 6
            case .invalidNumber: 7
            case .invalidEscape: 8
            case .loneSurrogate: 9
            case .controlCharacter: 10
            case .byteOrderMark: 11
            case .tooDeep: 12
            case .trailingContent: 13
            case .refused: 14
            // In tests of their own, and for a closure by hand, which no generated model has.
            case .invalidUTF8, .notWritable, .noValue: 15
            }
        }
        var kinds: Set<Int> = []
        for each in Self.cases {
            do throws(JSONError) {
                _ = try JSON.scan(Array(each.document.replacing("«", with: "").utf8), each.load)
            } catch {
                kinds.insert(kind(error.code))
            }
        }
        #expect(kinds == Set(0...14))
    }
}
