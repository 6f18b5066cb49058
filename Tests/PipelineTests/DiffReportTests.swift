import ContractChecks
import ContractDiff
import ContractModel
import Diagnostics
import Foundation
import Testing

@testable import Pipeline
@testable import ProjectTasks

/// What a run of `errand diff` reports: accepted breaks, drafts and versions, and in which form.
@Suite struct DiffReportTests {
    private static let head = "errand: 1\nservice: Shop\nservers: {main: https://shop.example}\n"
    private static let order = "endpoints:\n  order: {post: /orders, body: {item: int}, response: {number: int}}\n"
    private static let old = head + order
    private static let broken = old.replacing("number: int", with: "number: string")
    private static let fingerprint = "Shop endpoints.order.response.fields.number.type changed: int → string"

    private func run(
        _ old: String, _ new: String, signOffs: String? = nil, checksVersion: Bool = false,
        strictRule: String? = nil, levels: [String: RuleSettings.Level] = [:]
    ) throws -> DiffReport {
        let folder = try TemporaryFolder()
        try folder.write(old, to: "old/shop.contract.yaml")
        try folder.write(new, to: "new/shop.contract.yaml")
        var options = DiffOptions(
            old: folder.path("old"), new: folder.path("new"), in: ProjectBoundary(base: folder.path))
        options.folder = folder.path
        options.checksVersion = checksVersion
        options.lint.levels = levels
        if let strictRule { options.lint.levels[strictRule] = .error }
        if let signOffs {
            try folder.write(signOffs, to: "signoffs.yaml")
            options.signOffs = folder.path("signoffs.yaml")
        }
        options.today = try #require(CalendarDay("2026-06-01"))
        return Diff.run(options)
    }

    /// What lint finds or Swift cannot express on one side, by the finding.
    private static let refused = [
        "swift-name-collision": order + "  Order: {get: /orders/last, response: none}\n",
        "body-on-204": "errors: {gone: {category: nonRetryable, when: {status: 204}, data: {by: string}}}\n"
            + order.replacing("}}\n", with: "}, errors: [gone]}\n"),
    ]

    @Test(arguments: refused.keys.sorted()) func aContractThatIsNotGeneratedIsNotCompared(_ rule: String) throws {
        let contract = Self.head + (Self.refused[rule] ?? "")
        for (old, new, side) in [(contract, Self.old, "old"), (Self.old, contract, "new")] {
            let report = try run(old, new)
            #expect(report.outcome == .couldNotRun && report.services.isEmpty)
            #expect(report.findings.contains { $0.rule == rule && $0.file.contains("/\(side)/") }, "\(report.findings)")
        }
    }

    /// A rule that `errand.yaml` makes an error refuses a new contract. The old one was written before.
    @Test func aStricterRuleIsOfTheNewSide() throws {
        let patient = Self.old.replacing("}}\n", with: "}, timeout: 20s}\n")
        #expect(try run(Self.old, patient, strictRule: "missing-timeout").outcome == .fine)
        let report = try run(patient, Self.old, strictRule: "missing-timeout")
        #expect(report.outcome == .couldNotRun)
        #expect(report.findings.map(\.rule) == ["missing-timeout"], "\(report.findings)")
    }

    @Test func aProjectSaysHowSevereABreakIs() throws {
        func report(_ level: RuleSettings.Level?) throws -> DiffReport {
            try run(Self.old, Self.broken, levels: level.map { ["wire-break": $0] } ?? [:])
        }
        let usual = try report(nil)
        #expect(usual.outcome == .breaks && usual.findings.map(\.severity) == [.error], "\(usual.findings)")
        for level in [RuleSettings.Level.warning, .note] {
            let report = try report(level)
            #expect(report.outcome == .fine && report.findings.map(\.severity.rawValue) == [level.rawValue])
            #expect(report.findings.first?.verdicts == usual.findings.first?.verdicts)
        }
        let off = try report(.off)
        #expect(off.outcome == .fine && off.findings.isEmpty && off.changeCount == 1)
        let review = try run(
            Self.old, Self.old.replacing("{number: int}", with: "{number: int, total: int}"),
            levels: ["change-to-review": .error])
        #expect(review.outcome == .breaks && review.findings.map(\.rule) == ["change-to-review"])
    }

    /// A comment ignores a break in the change that adds it, and no later one.
    @Test func aCommentIgnoresTheBreakThatItComesWith() throws {
        func ignored(_ text: String, _ comment: String) -> String {
            text.replacing("  order:", with: "  # errand:ignore \(comment)\n  order:")
        }
        let comment = "wire-break no app reads it"
        let report = try run(Self.old, ignored(Self.broken, comment))
        #expect(report.outcome == .fine && report.findings.map(\.severity) == [.note], "\(report.findings)")
        #expect(report.findings.first?.notes.last?.message == "ignored: no app reads it")
        #expect(report.markdown.contains("breaks (accepted)"), "\(report.markdown)")
        #expect(try run(ignored(Self.old, comment), ignored(Self.broken, comment)).outcome == .breaks)
        for other in ["wire-break", "source-break no app reads it"] {
            #expect(try run(Self.old, ignored(Self.broken, other)).outcome == .breaks, "\(other)")
        }
    }

    /// A comment ignores what is found in its line, and a new one says so if that is nothing.
    @Test func aCommentIgnoresNoOtherBreakOfTheDefinition() throws {
        func contract(_ number: String, _ total: String, _ comments: (String, String) = ("", "")) -> String {
            Self.head + "endpoints:\n\(comments.0)  order:\n    post: /orders\n    body: {item: int}\n    response:\n"
                + "\(comments.1)      number: \(number)\n      total: \(total)\n"
                + "  other: {get: /other, response: {number: \(number)}}\n"
        }
        let comment = "# errand:ignore wire-break no app reads it\n"
        let old = contract("int", "int")
        let above = try run(old, contract("int", "string", (comment, "")))
        #expect(above.outcome == .breaks)
        #expect(Set(above.findings.map(\.rule)) == ["wire-break", "stale-suppression"], "\(above.findings)")
        let beside = try run(old, contract("string", "string", ("", comment)))
        #expect(beside.findings.filter { $0.severity == .note }.count == 1, "\(beside.findings)")
        #expect(beside.findings.filter { $0.severity == .error }.count == 2, "\(beside.findings)")
        #expect(!beside.findings.contains { $0.rule == "stale-suppression" })
        // Another definition has a comment with the same words since long.
        let known = contract("int", "int").replacing("  other:", with: comment + "  other:")
        let next = contract("string", "int", ("", comment)).replacing("  other:", with: comment + "  other:")
        let both = try run(known, next)
        #expect(both.findings.filter { $0.severity == .note }.count == 1, "\(both.findings)")
        #expect(both.findings.filter { $0.severity == .error }.count == 1, "\(both.findings)")
        // A renamed definition keeps its old comments, and these stay old.
        let renamed = try run(known, known.replacing("other:", with: "others:").replacing("int}}", with: "string}}"))
        #expect(renamed.outcome == .breaks)
        #expect(!renamed.findings.contains { $0.rule == "stale-suppression" }, "\(renamed.findings)")
    }

    private static func signOff(_ fingerprint: String, expires: String) -> String {
        "sign-offs:\n  - {fingerprint: \"\(fingerprint)\", reason: no app reads it, expires: \(expires)}\n"
    }

    @Test func anAcceptedBreakIsMarkedInMarkdown() throws {
        let report = try run(
            Self.old, Self.broken, signOffs: Self.signOff(Self.fingerprint, expires: "2026-12-31"))
        #expect(report.outcome == .fine, "\(report.findings)")
        #expect(report.markdown.contains("| breaks (accepted) | breaks (accepted) | – |"), "\(report.markdown)")
        for text in [report.markdown, report.changelog] {
            #expect(text.contains("signed off until 2026-12-31: no app reads it"), "\(text)")
            #expect(!text.contains("**breaks**"))
        }
    }

    @Test func anEndedSignOffIsInMarkdown() throws {
        let report = try run(
            Self.old, Self.broken, signOffs: Self.signOff(Self.fingerprint, expires: "2026-05-31"))
        #expect(report.outcome == .breaks)
        #expect(report.count(.error).changes == 1 && report.count(.error).others == 1)
        for text in [report.markdown, report.changelog] {
            #expect(text.contains("## Other findings\n\n- error: the sign-off of"), "\(text)")
        }
    }

    @Test func anUnusedSignOffIsNoChangeToReview() throws {
        let report = try run(
            Self.old, Self.old, signOffs: Self.signOff(Self.fingerprint, expires: "2026-12-31"))
        #expect(report.count(.warning).changes == 0)
        #expect(report.count(.warning).others == 1)
    }

    @Test func aDraftIsMarkedInMarkdown() throws {
        let draft = Self.old.replacing("service: Shop\n", with: "service: Shop\nstability: draft\n")
        let report = try run(draft, draft.replacing("number: int", with: "number: string"))
        #expect(report.outcome == .fine)
        #expect(report.markdown.contains("breaks (accepted)") && report.markdown.contains("a draft may break"))
        #expect(report.changelog.contains("(a draft may break)"), "\(report.changelog)")
    }

    /// The contract from before the change decides whether apps could rely on it.
    @Test func theOldContractsStabilityCounts() throws {
        let old = Self.old.replacing("service: Shop\n", with: "service: Shop\nversion: 1.0.0\n")
        let new = old.replacing("number: int", with: "number: string")
        func draft(_ text: String) -> String {
            text.replacing("version: 1.0.0\n", with: "version: 1.0.0\nstability: draft\n")
        }
        let becomesDraft = try run(old, draft(new), checksVersion: true)
        #expect(becomesDraft.findings.contains { $0.isOf(.versionTooLow) })
        #expect(becomesDraft.markdown.contains("- error: the version `1.0.0` is too low"), "\(becomesDraft.markdown)")
        let wasDraft = try run(draft(old), new, checksVersion: true)
        #expect(!wasDraft.findings.contains { $0.isOf(.versionTooLow) })
    }

    /// A break that the contract's own version announces does not fail. A lower version, or none, lets it fail.
    @Test(
        arguments: [
            ("1.2.0", "2.0.0", "", true), ("1.2.0", "2.0.0-beta.1", "", true), ("1.2.0", "2.0.0", "beta", true),
            ("0.2.0", "0.3.0", "", true), ("1.2.0", "1.3.0", "", false), ("1.2.0", "1.3.0", "beta", false),
            ("1.2.0", "1.2.0", "", false), ("0.2.0", "0.2.1", "", false), ("2026-01", "2026-02", "", false),
        ]) func aNewMajorVersionMayBreak(_ old: String, _ new: String, _ stability: String, _ mayBreak: Bool) throws
    {
        func contract(_ text: String, _ version: String) -> String {
            let line = stability.isEmpty ? "" : "stability: \(stability)\n"
            return text.replacing("service: Shop\n", with: "service: Shop\nversion: \(version)\n\(line)")
        }
        for checks in [false, true] {
            let report = try run(contract(Self.old, old), contract(Self.broken, new), checksVersion: checks)
            #expect(report.outcome == (mayBreak ? .fine : .breaks), "\(report.findings)")
            #expect(report.findings.contains { $0.isOf(.versionTooLow) } == (checks && !mayBreak))
            #expect(report.findings.first { $0.isOf(.wireBreak) }?.severity == (mayBreak ? .warning : .error))
            #expect(report.markdown.contains("the version \(new) says so") == mayBreak, "\(report.markdown)")
        }
    }

    @Test func theColumnsAreInEveryForm() throws {
        let findings = try run(Self.old, Self.broken).findings
        let sentence = "source: An app reads `number` of `order` as `string`."
        #expect(GitHubReport().render(findings).contains(sentence))
        #expect(JUnitReport().render(findings, files: []).contains(sentence))
        #expect(XcodeReport().render(findings).contains(sentence))
        let json = try JSONSerialization.jsonObject(with: Data(JSONReport().render(findings).utf8)) as? [String: Any]
        let finding = try #require((json?["findings"] as? [[String: Any]])?.first)
        let verdicts = try #require(finding["verdicts"] as? [String: [String: String]])
        #expect(verdicts.mapValues { $0["level"] } == ["source": "breaks", "wire": "breaks", "behavior": "none"])
        #expect(verdicts["source"]?["consequence"] == "An app reads `number` of `order` as `string`.")
        #expect(verdicts["behavior"]?["consequence"] == nil)
        #expect(verdicts.mapValues { $0["apps"] } == ["source": nil, "wire": "both", "behavior": nil])
        let sarif =
            try JSONSerialization.jsonObject(
                with: Data(SARIFReport(version: "1", rules: []).render(findings).utf8)) as? [String: Any]
        let result = ((sarif?["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]])?.first
        #expect(((result?["message"] as? [String: Any])?["text"] as? String)?.contains(sentence) == true)
        let properties = result?["properties"] as? [String: Any]
        #expect(properties?["verdicts"] as? [String: [String: String]] == verdicts)
    }

    @Test func aChangeHasItsPlaceInMarkdown() {
        func text(_ file: String) -> String {
            let place = SourcePosition(line: 7, column: 3, offset: 90)
            var change = Change(
                place: ["types", "A"], edit: .removed, verdict: ChangeVerdict(source: .breaks("Gone.")))
            change.range = SourceRange(file: file, start: place, end: place)
            return ChangeMarkdown().table(of: [change], service: "Shop")
        }
        #expect(
            text("contracts/my shop.yaml").contains(
                "- `types.A` is gone ([`contracts/my shop.yaml:7`](contracts/my%20shop.yaml#L7))\n"))
        for file in ["git:main:contracts/shop.yaml", "/tmp/shop.yaml", "../shop.yaml"] {
            #expect(text(file).contains("- `types.A` is gone (`\(file):7`)\n"), "\(text(file))")
        }
        #expect(
            text("a](b)`c.yaml").contains("([`a](b)'c.yaml:7`](a%5D%28b%29%60c.yaml#L7)"), "\(text("a](b)`c.yaml"))")
    }

    /// Two services import one definition: its change is there once, and accepted only if both services accept it.
    @Test func aSharedDefinitionIsToldOnce() throws {
        let folder = try TemporaryFolder()
        for (side, type) in [("old", "int"), ("new", "string")] {
            try folder.write(
                "errand: 1\nservice: Shared\ntypes:\n  Item: {id: \(type)}\nendpoints: {}\n",
                to: "\(side)/shared.yaml")
            for service in ["Bank", "Shop"] {
                try folder.write(
                    "errand: 1\nservice: \(service)\nimports: [shared.yaml]\nservers: {main: https://a.example}\nendpoints:\n  get: {get: /a, response: Item}\n",
                    to: "\(side)/\(service).contract.yaml")
            }
        }
        func run(accepting services: [String]) throws -> DiffReport {
            let entries = services.map {
                "  - {fingerprint: \"\($0) types.Item.fields.id.type changed: int → string\", reason: agreed, expires: 2026-12-31}\n"
            }
            try folder.write("sign-offs:\n" + entries.joined(), to: "signoffs.yaml")
            var options = DiffOptions(
                old: folder.path("old"), new: folder.path("new"), in: ProjectBoundary(base: folder.path))
            options.signOffs = folder.path("signoffs.yaml")
            options.today = try #require(CalendarDay("2026-06-01"))
            return Diff.run(options)
        }
        let report = try run(accepting: ["Bank"])
        #expect(report.findings.map(\.severity) == [.error], "\(report.findings)")
        #expect(report.findings.first?.notes.last?.message == "the services `Bank`, `Shop` have this change")
        #expect(report.outcome == .breaks)
        let both = try run(accepting: ["Bank", "Shop"])
        #expect(both.findings.map(\.severity) == [.note] && both.outcome == .fine)
        #expect(both.changeCount == 1)
        #expect(both.markdown.hasPrefix("## Bank, Shop\n"), "\(both.markdown)")
    }

    /// The contract that declares what others import is compared as well: its change is there once, in its line.
    @Test(
        arguments: [
            ("id: int", "id: string", "types.Person.id", 7), ("404", "410", "errors.gone.when", 4),
            ("nonRetryable", "retryable", "errors.gone.category", 4),
            ("{type: string, sensitive: true}", "{type: string, sensitive: false}", "types.Person.name.sensitive", 8),
        ]) func aDefinitionAndItsImporterHaveOneChange(_ old: String, _ new: String, _ place: String, _ line: Int)
        throws
    {
        let auth = """
            errand: 1
            service: Auth
            servers: {main: https://a.example}
            errors: {gone: {category: nonRetryable, when: {status: 404}}}
            types:
              Person:
                id: int
                name: {type: string, sensitive: true}
            endpoints:
              get: {get: /a, response: Person, errors: [gone]}

            """
        let friends =
            "errand: 1\nservice: Friends\nimports: [auth.contract.yaml]\nservers: {main: https://b.example}\nendpoints:\n  get: {get: /a, response: Person, errors: [gone]}\n"
        try #require(auth.contains(old))
        let comment = "errand:ignore wire-break no app reads it"
        for accepted in [false, true] where !accepted || place == "types.Person.id" {
            let folder = try TemporaryFolder()
            let changed = auth.replacing(old, with: accepted ? "\(new)  # \(comment)" : new)
            for (side, text) in [("old", auth), ("new", changed)] {
                try folder.write(text, to: "\(side)/auth.contract.yaml")
                try folder.write(friends, to: "\(side)/friends.contract.yaml")
            }
            let report = Diff.run(
                DiffOptions(old: folder.path("old"), new: folder.path("new"), in: ProjectBoundary(base: folder.path)))
            #expect(report.findings.count == 1 && report.changeCount == 1, "\(report.findings)")
            let finding = try #require(report.findings.first)
            #expect(finding.message.hasPrefix("`\(place)` changes"), "\(finding.message)")
            #expect(finding.range?.start.line == line && finding.file.hasSuffix("new/auth.contract.yaml"))
            #expect(finding.notes.last?.message == "the services `Auth`, `Friends` have this change")
            #expect(report.markdown.hasPrefix("## Auth, Friends\n"), "\(report.markdown)")
            // A comment beside the definition is for all who import it.
            #expect((finding.severity == .error) == !accepted && (report.outcome == .breaks) == !accepted)
        }
    }

    @Test func aDocumentWithoutPathsIsNoSide() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            #"{"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "components": {}}"#, to: "api.json")
        try folder.write(Self.old, to: "shop.contract.yaml")
        let report = Diff.run(
            DiffOptions(
                old: folder.path("api.json"), new: folder.path("shop.contract.yaml"),
                in: ProjectBoundary(base: folder.path)))
        #expect(report.outcome == .couldNotRun)
        #expect(report.findings.map(\.rule) == ["no-contracts"], "\(report.findings.map(\.message))")
    }

    @Test func aDayThatIsOverIsKnown() throws {
        let today = try #require(CalendarDay("2026-06-01"))
        #expect(DiffOptions.NewSignOff("agreed", expires: "2026-05-31")?.isOver(on: today) == true)
        #expect(DiffOptions.NewSignOff("agreed", expires: "2026-06-01")?.isOver(on: today) == false)
    }
}
