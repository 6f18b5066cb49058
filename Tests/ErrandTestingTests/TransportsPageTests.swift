import ErrandRuntime
import ErrandTesting
import Foundation
import Testing

/// `docs/transports.md` lists the checks as they are, and its example compiles.
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

    @Test func theExampleCompiles() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let start = try #require(text.range(of: "```swift\n@Test")).lowerBound
        let end = try #require(text[start...].dropFirst(3).range(of: "```")).lowerBound
        let example = text[start..<end].dropFirst(9).split(separator: "\n").map { "    \($0)\n" }.joined()
        #expect(try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8).contains(example))
    }
}

/// Never asked: it is here for the example of the page.
private struct MyTransport: Transport {
    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        TransportResponse(status: 200)
    }
}

@Suite(.disabled("for the page only"))
struct PageExample {
    @Test(arguments: TransportConformance.checks)
    func myTransportConforms(_ check: TransportConformance.Check) async {
        for violation in await check.run(on: MyTransport()) { Issue.record("\(violation)") }
    }
}
