import Foundation
import Testing

@testable import ContractModel

/// `docs/gateways.md` has the facts that clients use.
@Suite struct GatewayPageTests {
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("docs/gateways.md")

    private static let tables: [(name: String, text: String)] = [
        (
            "refusals",
            table(
                ["gateway", "its response", "recognized by", "it makes it when", "no proof with"],
                Gateway.allCases.flatMap { gateway in
                    gateway.refusals.map { refusal in
                        [
                            gateway.title, "\(refusal.status)", recognition(refusal.mark), refusal.occasion,
                            refusal.unless,
                        ]
                    }
                })
        ),
        (
            "repeats",
            table(
                ["gateway", "version", "sends a second time by itself"],
                Gateway.allCases.map { gateway in
                    let repeats = gateway.repeats.map(requests)
                    return [
                        gateway.title, gateway.versions, repeats.isEmpty ? "nothing" : repeats.joined(separator: "; "),
                    ]
                })
        ),
    ]

    private static func table(_ head: [String], _ rows: [[String]]) -> String {
        let lines = ([head] + rows).map { "| \($0.joined(separator: " | ")) |\n" }
        return lines[0] + "|" + head.map { _ in "---|" }.joined() + "\n" + lines.dropFirst().joined()
    }

    private static func recognition(_ mark: ResponseMatch) -> String {
        guard let header = mark.place.header else { return "`\(mark.pattern.spelling)` in its page" }
        return "`\(header): \(mark.pattern.spelling)`"
    }

    private static func requests(_ rule: GatewayRepeat) -> String {
        let methods = rule.methods?.joined(separator: ", ") ?? "each request"
        let exceptions = rule.exceptions.isEmpty ? "" : " but " + rule.exceptions.joined(separator: ", ")
        let body = rule.isBodiless ? " without a body" : ""
        return methods + exceptions + body + (rule.isKeyed ? " that has an `Idempotency-Key`" : "")
    }

    @Test func thePageHasTheFacts() throws {
        var text = try String(contentsOf: Self.page, encoding: .utf8)
        let before = text
        for (name, table) in Self.tables {
            let start = try #require(text.range(of: "<!-- table: \(name) -->\n"), "no table of \(name)").upperBound
            let end = try #require(text[start...].range(of: "<!-- end -->")).lowerBound
            text.replaceSubrange(start..<end, with: table)
        }
        guard text != before else { return }
        if ProcessInfo.processInfo.environment["ERRAND_RECORD"] != nil {
            try text.write(to: Self.page, atomically: true, encoding: .utf8)
        }
        Issue.record(
            "docs/gateways.md has other facts: ERRAND_RECORD=1 swift test --filter GatewayPageTests writes them")
    }
}
