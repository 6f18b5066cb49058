import ErrandJSON
import Foundation
import Testing

/// Timestamps in any of several forms, and days or instants.
@Suite struct TimestampFormTests {
    private static let moment = Date(timeIntervalSince1970: 1_795_229_821)
    private static let forms: [TimestampForm] = [
        .pattern("dd.MM.yyyy HH:mm:ss", offset: 3600), .rfc3339, .milliseconds,
    ]

    @Test(arguments: [#""21.11.2026 03:57:01""#, #""2026-11-21T02:57:01Z""#, "1795229821000"])
    func eachFormIsRead(_ json: String) throws {
        #expect(try read(json) { $0.readTimestamp(Self.forms) } == Self.moment)
    }

    @Test func aFaultNamesAFormOfItsKind() {
        let text = fault("\"21.11.2026\"") { $0.readTimestamp(Self.forms) }
        #expect(text?.code == .malformedText && text?.expectation == "dd.MM.yyyy HH:mm:ss")
        let flag = fault("true") { $0.readTimestamp(Self.forms) }
        #expect(flag?.expectation == "dd.MM.yyyy HH:mm:ss")
        let number = fault("7") { $0.readTimestamp([.rfc3339, .pattern("dd.MM.yyyy HH:mm")]) }
        #expect(number?.expectation == "RFC 3339 timestamp")
        let onlyNumbers = fault("\"7\"") { $0.readTimestamp([.unix]) }
        #expect(onlyNumbers?.expectation == "number")
    }

    @Test func aDayAndAnInstantKeepTheirForm() throws {
        for text in ["2026-11-21", "2026-11-21T02:57:01Z"] {
            let value = try read("\"\(text)\"") { $0.readDateOrTimestamp() }
            #expect(value == DateOrTimestamp(text) && value.text == text)
            let written = try JSON.bytes { $0.write(value) }
            #expect(String(decoding: written, as: UTF8.self) == "\"\(text)\"")
            let coded = try JSONDecoder().decode([DateOrTimestamp].self, from: JSONEncoder().encode([value]))
            #expect(coded == [value])
        }
        #expect(DateOrTimestamp("2026-02-30") == nil && DateOrTimestamp("2026-11-21T") == nil)
        #expect(DateOrTimestamp.timestamp(.distantFuture + 1e12).text == nil)
        #expect(throws: EncodingError.self) {
            try JSONEncoder().encode([DateOrTimestamp.timestamp(.distantFuture + 1e12)])
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([DateOrTimestamp].self, from: Data("[\"x\"]".utf8))
        }
    }
}
