import ContractChecks
import Diagnostics
import Foundation
import Testing

/// Each rule finds its bad pattern at its place and nothing in the good one. No other rule finds anything in either case. The
/// same applies to findings of reading a contract that have such cases.
@Suite struct RuleCaseTests {
    static let cases = (try? RuleCase.all()) ?? []

    @Test func everyRuleHasBothCasesAndNoCaseIsLeftOver() {
        let others = Self.cases.map(\.rule).filter { name in FindingKind.all.contains { $0.name == name } }
        #expect(Self.cases.map(\.rule) == (RuleCatalog.all.map { $0.name } + others).sorted())
        for item in Self.cases {
            #expect(item.files["fails.contract.yaml"] != nil, "\(item.rule)")
            #expect(item.files["passes.contract.yaml"] != nil, "\(item.rule)")
            #expect(!item.marks.isEmpty, "\(item.rule): the failing case marks the place with «…»")
        }
    }

    @Test(arguments: cases)
    func theFailingCaseIsFoundAtItsPlaces(_ item: RuleCase) throws {
        let findings = item.findings(in: "fails.contract.yaml")
        let severity =
            RuleCatalog.rule(named: item.rule)?.severity ?? FindingKind.all.first { $0.name == item.rule }?.severity
        #expect(Set(findings.map(\.rule)) == [item.rule], "\(listing(findings))")
        #expect(Set(findings.map(\.severity)) == [try #require(severity)])
        let places = findings.compactMap { $0.range.map { $0.start.offset..<$0.end.offset } }
        #expect(places == item.marks.sorted { $0.lowerBound < $1.lowerBound }, "\(listing(findings))")
        #expect(
            findings.allSatisfy { $0.help != nil || $0.fix != nil },
            "a finding says what to write instead: \(listing(findings))")
        #expect(findings.allSatisfy { !$0.message.hasSuffix(".") && !($0.help?.hasSuffix(".") ?? false) })
    }

    @Test(arguments: cases)
    func thePassingCaseHasNoFinding(_ item: RuleCase) {
        let findings = item.findings(in: "passes.contract.yaml")
        #expect(findings.isEmpty, "\(listing(findings))")
    }

    @Test(arguments: ["auth", "bank", "conversations", "friends", "live", "presence", "video"])
    func aShippedContractHasNoFinding(_ name: String) {
        let findings = LintRunner().run(CheckoutSource.examine("contracts/\(name).contract.yaml"))
        #expect(findings.isEmpty, "\(listing(findings))")
    }

    /// `docs/connections.md` begins with a contract.
    @Test func theContractOfThePageOfConnectionsHasNoFinding() throws {
        let page = CheckoutSource.root.appendingPathComponent("docs/connections.md")
        let blocks = try String(contentsOf: page, encoding: .utf8).components(
            separatedBy: "<!-- contract -->\n```yaml\n")
        let text = try #require(blocks.dropFirst().first?.components(separatedBy: "```").first)
        let findings = LintRunner().run(examine(text))
        #expect(findings.isEmpty, "\(listing(findings))")
    }

    /// Rules that speak of HTTP say the same of a connection in its own words.
    @Test func rulesKnowConnections() {
        let findings = LintRunner().run(
            examine(
                """
                errand: 1
                service: Sample
                servers: {main: "ws://api.sample.example"}
                connection: {payload: data}
                envelopes: {standard: {code: code, message: message}}
                common: {headers: {Sec-WebSocket-Protocol: string}}
                errors:
                  closed: {category: nonRetryable, message: Closed., when: {close: 4000}, data: {reason: string}}
                defaults: {envelope: standard, timeout: 10s, deadline: 40s}
                endpoints:
                  ask: {frame: ask, response: [string], effect: read, errors: [closed]}
                """))
        #expect(
            findings.map(\.rule).sorted() == [
                "envelope-without-success-condition", "error-data-not-in-envelope", "insecure-server",
                "reserved-header",
            ], "\(listing(findings))")
        #expect(findings.first { $0.rule == "insecure-server" }?.help == "write `wss://`")
        #expect(
            findings.first { $0.rule == "envelope-without-success-condition" }?.message.contains(
                "so a reply {\"code\":1} is one") == true)
    }

    /// Each open URL of a server is a finding, at its own place and with its own fix.
    @Test func everyOpenURLOfAServerIsFound() {
        let text = """
            errand: 1
            service: Sample
            servers: {main: {url: "http://api.sample.example", upload: "http://up.sample.example", feed: "https://feed.sample.example"}}
            defaults: {timeout: 10s, deadline: 40s}
            endpoints:
              ask: {get: /answers, response: string}
              upload: {put: /file, server: upload, body: bytes, response: none}
              read: {get: /feed, server: feed, response: string}

            """
        let findings = LintRunner().run(examine(text)).filter { $0.rule == "insecure-server" }
        #expect(
            findings.map(\.message) == [
                "an attacker on the network can read and change requests to `main`",
                "an attacker on the network can read and change requests to `main` with the role `upload`",
            ], "\(listing(findings))")
        let edits = findings.compactMap(\.fix).flatMap(\.edits)
        #expect(edits.map(\.replacement) == ["https", "https"])
        #expect(
            edits.map { text.utf8.index(text.utf8.startIndex, offsetBy: $0.range.start.offset) }.map {
                String(text[$0...].prefix(9))
            } == ["http://ap", "http://up"])
    }

    /// A role without the signature has nothing that a weak one could protect.
    @Test(arguments: [("[]", false), ("[signature]", true)])
    func aWeakSignatureIsFoundWhereItIsSent(_ sends: String, _ isFound: Bool) {
        let text = """
            errand: 1
            service: Sample
            servers: {main: {url: "https://api.sample.example", upload: "http://up.sample.example"}}
            roles: {upload: {sends: \(sends)}}
            signing: {algorithm: hmac-sha1, over: sortedParameters, key: secret, into: {query: sign}}
            defaults: {timeout: 10s, deadline: 40s}
            endpoints:
              upload: {put: /file, server: upload, query: {name: string}, body: bytes, response: none}

            """
        let findings = LintRunner().run(examine(text))
        #expect(findings.contains { $0.rule == "weak-signature" } == isFound, "\(listing(findings))")
    }
}
