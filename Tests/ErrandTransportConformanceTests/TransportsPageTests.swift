import ErrandTransportConformance
import Foundation
import Testing

/// `docs/transports.md` lists the checks as they are.
@Suite struct TransportsPageTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let page = root.appendingPathComponent("docs/transports.md")
    private static let mark = "TransportsPageTests -->\n"

    @Test func thePageListsTheChecks() throws {
        let rows = TransportConformance.checks.map { "| `\($0.name)` | \($0.requirement) | \($0.reason) |\n" }
        let table = "\n| check | requirement | why |\n|---|---|---|\n" + rows.joined()
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let start = try #require(text.range(of: Self.mark)).upperBound
        if ProcessInfo.processInfo.environment["ERRAND_RECORD"] != nil {
            try (text[..<start] + table).write(to: Self.page, atomically: true, encoding: .utf8)
            Issue.record("docs/transports.md was written anew")
        } else {
            #expect(
                text[start...] == table[...], "ERRAND_RECORD=1 swift test --filter TransportsPageTests writes it anew")
        }
    }
}
