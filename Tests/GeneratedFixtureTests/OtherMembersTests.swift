import ErrandRuntime
import EverythingClient
import Foundation
import Testing

/// Structures that keep the members that the contract does not declare.
@Suite struct OtherMembersTests {
    private func read<Model: JSONReadable>(_ json: String, as type: Model.Type = Model.self) throws -> Model {
        try JSON.scan(Array(json.utf8)) { (reader: inout JSONReader) in Model.load(from: &reader) }
    }

    private func text(_ model: some JSONWritable) throws -> String {
        String(decoding: try JSON.bytes { (writer: inout JSONWriter) in model.write(to: &writer) }, as: UTF8.self)
    }

    @Test func furtherMembersAreKeptInTheOrderOfTheirNames() throws {
        let json = #"{"z":"1","id":7,"a\"b":"2","kind":"labeled","additionalProperties":"3"}"#
        let labeled = try read(json, as: Everything.Labeled.self)
        #expect(labeled.id == 7)
        #expect(labeled.additionalProperties == ["z": "1", "a\"b": "2", "additionalProperties": "3"])
        #expect(
            try text(labeled)
                == #"{"id":7,"kind":"labeled","a\"b":"2","additionalProperties":"3","z":"1"}"#)
        #expect(Everything.Labeled(id: 1, kind: "a").additionalProperties.isEmpty)
    }

    @Test func anObjectWithoutFieldsIsAMap() throws {
        let rest = try read(#"{"a":null,"b":{"na\"me":"x","id":1}}"#, as: Everything.Rest.self)
        #expect(rest.additionalProperties.keys.sorted() == ["a", "b"] && rest.additionalProperties["b"]??.id == 1)
        #expect(try text(rest) == #"{"a":null,"b":{"id":1,"na\"me":"x","level":"low"}}"#)
        #expect(try text(read("{}", as: Everything.Rest.self)) == "{}")
    }

    @Test func theValuesHaveTheirType() throws {
        let json =
            #"{"a,b":2,"moments":{"first":"2026-11-21T08:00:00Z","on":"2026-11-21"},"more":["21.11.2026 09:00",1795248000000]}"#
        let extended = try read(json, as: Everything.Extended.self)
        #expect(extended.additionalProperties["more"]?.count == 2)
        #expect(extended.moments.additionalProperties["on"] == .date(try #require(CalendarDate("2026-11-21"))))
        #expect(try text(extended).hasSuffix(#""more":["21.11.2026 09:00","21.11.2026 09:00"]}"#))
        for wrong in [
            #"{"moments":{},"more":7}"#, #"{"moments":{"x":7}}"#, #"{"moments":{"x":"now"}}"#, #"{"more":[]}"#,
        ] {
            #expect(throws: JSONError.self, "\(wrong)") { try self.read(wrong, as: Everything.Extended.self) }
        }
    }

    @Test func theNameOfAFieldIsNotWrittenTwice() throws {
        var labeled = try read(#"{"id":7,"kind":"labeled"}"#, as: Everything.Labeled.self)
        labeled.additionalProperties["id"] = "8"
        #expect(throws: JSONError.self) { try self.text(labeled) }
    }

    @Test func aCaseOfAUnionKeepsThem() throws {
        let json = #"[{"id":7,"kind":"labeled","x":"y"},{"kind":"circle","radius":1.5}]"#
        let sorted = try read(json, as: [Everything.Sorted].self)
        guard case .labeled(let labeled)? = sorted.first else { return #expect(Bool(false)) }
        #expect(labeled.additionalProperties == ["x": "y"])
        #expect(try text(sorted) == json)
    }
}
