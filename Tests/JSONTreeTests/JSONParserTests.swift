import Foundation
import Testing

@testable import JSONTree

@Suite struct JSONParserTests {
    @Test(arguments: [
        "{}", "[]", "null", "true", "-0.5e+3", "\"a\\u00e9\\ud83d\\ude00\\n\"", "[1,2,{\"a\":[null,false]}]",
        " [ 1 , 2 ] ",
        "{\"a\":1,\"a\":2}", "12345678901234567890.123456789",
    ])
    func readsWhatFoundationReads(_ text: String) throws {
        let value = try JSONParser.parse(Array(text.utf8))
        let again = try JSONParser.parse(value.bytes)
        #expect(again == value)
        let ours = try JSONSerialization.jsonObject(with: Data(value.bytes), options: .fragmentsAllowed) as? NSObject
        let theirs = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) as? NSObject
        if !text.contains("\"a\":2") { #expect(ours == theirs) }
    }

    @Test(arguments: [
        "", "{", "[1,]", "{\"a\"}", "{\"a\":1,}", "01", "1.", "-", "+1", "nul", "\"", "\"\\x\"", "\"\\ud83d\"",
        "\"\u{1}\"",
        "1 2", "{a:1}", "[1}", "1e", "\"\\u00g0\"",
    ])
    func refusesWhatIsNotJSON(_ text: String) {
        #expect(throws: JSONParser.Failure.self) { try JSONParser.parse(Array(text.utf8)) }
    }

    @Test func depthIsBounded() {
        let deep = Array(repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(throws: JSONParser.Failure.self) { try JSONParser.parse(deep) }
        #expect(throws: JSONParser.Failure.self) { try JSONParser.parse([0x22, 0xFF, 0x22]) }
    }
}
