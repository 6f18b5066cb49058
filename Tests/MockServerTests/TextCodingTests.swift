import Foundation
import Testing

@testable import MockServer

@Suite struct TextCodingTests {
    @Test func base64IsThatOfFoundation() {
        for count in 0..<40 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 200) }
            let text = TextCoding.base64(bytes)
            #expect(text == Data(bytes).base64EncodedString())
            #expect(TextCoding.bytes(ofBase64: text) == bytes)
        }
        #expect(TextCoding.bytes(ofBase64: "a===") == nil && TextCoding.bytes(ofBase64: "ab!=") == nil)
    }

    @Test func timestampsAreThoseOfFoundation() {
        let formatter = ISO8601DateFormatter()
        for seconds in stride(from: -2_000_000_000, through: 4_000_000_000, by: 86_399 * 97) {
            #expect(
                CalendarText.timestamp(seconds: seconds)
                    == formatter.string(from: Date(timeIntervalSince1970: Double(seconds))))
        }
    }

    @Test(arguments: [
        ("lastDigits", "last-digits"), ("userID", "user-id"), ("quoted_status_id", "quoted-status-id"), ("URL", "url"),
    ])
    func namesAreSplitIntoWords(_ name: String, _ words: String) {
        #expect(SampleText.slug(name) == words)
    }
}
