import ContractModel
import Diagnostics
import JSONTree
import Testing

@testable import MockServer
@testable import RecordedTraffic

/// No value of a recording is in a report.
@Suite struct RecordedSecretsTests {
    /// Each looks like something that must not be printed, and none like another word of a report.
    private static let secrets = [
        "tok_9f3A7bQ2xZ81", "hunter2correcthorse", "4929123456789012", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIi.c2lnbmF0dXJl",
        "ada.lovelace@example.com", "DE89370400440532013000", "0xDEADBEEFCAFE1234", "qzkfhatmwxyebdgr",
        "QZKFH-ATMWX-LMVRD",
    ]

    /// Entries with a secret in every place that a recording has for one.
    private static func entries(_ secret: String) -> [String] {
        let value = JSONNode.string(secret).description
        let item =
            #"{"id":\#(value),"name":\#(value),"price":\#(value),"kind":\#(value),"tags":\#(value),"labels":{\#(value):7},"parts":[{"size":\#(value)},{\#(value):1}],"added":\#(value),\#(value):\#(value)}"#
        let headers = ["Authorization": secret, "Cookie": "session=\(secret)", "X-Other": secret, secret: secret]
        let base = "https://shop.example/v1"
        return [
            Recordings.entry(
                "GET", "\(base)/items/\(secret)?limit=\(secret)&secret=\(secret)&\(secret)=1", 200, item,
                headers: headers, answered: headers),
            Recordings.entry("GET", "\(base)/items", 200, "[\(item),\(value)]"),
            Recordings.entry("GET", "\(base)/items/1", 200, value),
            Recordings.entry("GET", "\(base)/items/1", 200, "{\"id\": \(secret)"),
            Recordings.entry(
                "POST", "\(base)/items/1/purchases", 200, item,
                sent: #"{"count":\#(value),"note":[\#(value)],"card":{},\#(value):\#(value)}"#),
            Recordings.entry("POST", "\(base)/items/1/purchases", 200, item, sent: secret),
            Recordings.entry("POST", "\(base)/items/1/purchases", 409, #"{"left":\#(value),\#(value):0}"#),
            Recordings.entry("POST", "\(base)/items/1/purchases", 418, item),
            Recordings.entry("GET", "\(base)/\(secret)/\(secret)", 200, value),
            Recordings.entry(secret, "\(base)/items/1", 200, value),
            Recordings.entry(
                "GET", "https://api.bank.example/v1/accounts/1", 200,
                #"{"error":{"code":\#(value),"messages":\#(value)}}"#),
            Recordings.entry(
                "GET", "https://api.bank.example/v1/accounts/1", 200,
                #"{"data":{"id":1,"status":\#(value),"owner":{}},\#(value):1}"#),
            #"{"request":{"method":"GET","url":\#(value),"headers":[{"name":\#(value),"value":\#(value)}]},"response":{"status":\#(value)}}"#,
            #"{"request":{"method":\#(value)},"response":\#(value)}"#,
            value,
        ]
    }

    @Test(arguments: secrets) func noFormatOfAReportHasASecret(_ secret: String) throws {
        let contracts = [try Recordings.contract(Recordings.shop), try Recordings.shipped("bank")]
        let text = Recordings.har(Self.entries(secret)) + secret
        let report = Recordings.judge(text, by: contracts)
        #expect(report.findings.count > 30, "without findings, nothing is tried")
        let findings = DiagnosticBag(report.findings).sorted()
        let reports = [
            TextReport { _ in nil }.render(findings), JSONReport().render(findings), GitHubReport().render(findings),
            XcodeReport().render(findings), JUnitReport(command: "replay").render(findings, files: ["a.har"]),
            SARIFReport(version: "1", rules: FindingKind.kindsOfRecordings.map(\.page)).render(findings),
            "\(report.services)",
        ]
        // Nor a part of it: a cut or decoded secret is one all the same.
        let parts = Set([secret, secret.lowercased(), String(secret.prefix(9)), String(secret.suffix(9))])
        for text in reports {
            for part in parts { #expect(!text.lowercased().contains(part.lowercased()), "\(part)") }
        }
    }

    @Test func namesThatSomeoneChoseAreShown() {
        for name in [
            "id", "accountHolder", "X-Request-ID", "line_2", "createdAt", "user_name", "HTTPStatus", "md5", "v2",
            "items", "$ref", "address.street", "getURLForID", "IBAN", "x", "subscription", "birthday", "X-HTTP-Method",
            "phoneNumber",
        ] {
            #expect(RecordedName.shown(name) == name)
        }
        for name in Self.secrets + [
            "", "1", "2026-11-21", "a81f0c33", "5f1c", "6f1c9a52-0d3e-4a77-9b55-2f0c8e1d7a10", "QkVFRjEyMzQ",
            "aBcDeFgH",
            "naïve", "a b", "a/b", "<b>", "+15550100", "user12345", "kzqwxvtrpl", "qzkfhatmwxyebdgr", "QZKFH-ATMWX",
            "QZK-FHA-TMW", "xKqTnWbzRpLm", "hjwqpoxn", "tgvbrkmz", "abcdefghijklmnopqrstuvwxyz",
            "\u{1B}[31m", "a@b",
        ] {
            #expect(RecordedName.shown(name) == "…", "\(name)")
        }
    }

    /// A word in a path can be a person, so only those of the contract are shown.
    @Test func pathsHaveTheSegmentsOfTheContract() {
        func shape(_ path: String) -> String { RecordedName.shape(ofPath: path, knowing: ["v1", "users", "orders"]) }
        #expect(shape("/v1/users/4711/orders") == "/v1/users/…/orders")
        #expect(shape("/v1/users/ada/orders/") == "/v1/users/…/orders/")
        #expect(shape("/v1/invites/qzkfhatmwxyebdgr") == "/v1/…/…")
        #expect(shape("/") == "/")
        #expect(shape("/v1/v1/v1/v1/v1/v1/v1/v1/v1/v1") == "/v1/v1/v1/v1/v1/v1/v1/v1/…")
    }

    /// Random texts of letters alone can have vowels. One in a thousand looks like a word.
    @Test(arguments: ["abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"])
    func randomLettersAreNoNames(_ alphabet: String) {
        var random = SeededRandom(seed: 7)
        var shown: [String] = []
        for _ in 0..<1_000 {
            let word = String((0..<16).compactMap { _ in alphabet.randomElement(using: &random) })
            if RecordedName.looksChosen(word) { shown.append(word) }
        }
        #expect(shown.count <= 10, "\(shown)")
    }
}
