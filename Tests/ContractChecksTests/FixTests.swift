import ContractChecks
import ContractModel
import Diagnostics
import Testing
import YAMLTree

/// Every fix of every failing case: made alone, it takes its finding away, brings no error, and leaves comments and all other
/// lines as they are.
@Suite struct FixTests {
    /// The rules that offer a fix, so that none is lost without a word.
    static let rules: [String: Fix.Applicability] = [
        "category-contradicts-status": .needsALook, "closed-enum-in-response": .needsALook,
        "comment-in-text": .needsALook,
        "default-in-update": .needsALook, "duplicate-enum-value": .certain,
        "insecure-server": .needsALook, "lenient-type-sent": .needsALook, "logout-on-403": .needsALook,
        "money-as-double": .needsALook,
        "optional-with-default": .needsALook,
        "plain-password": .needsALook, "retry-without-limit": .certain, "stale-suppression": .certain,
        "string-that-is-a-timestamp": .needsALook, "throttling-not-retryable": .needsALook,
        "trailing-slash": .needsALook, "type-contradicts-name": .needsALook,
        "unmarked-personal-data": .needsALook,
        "undeclared-path-parameter": .needsALook, "unused-import": .certain,
    ]
    static let file = "fails.contract.yaml"

    @Test func theRulesThatOfferFixesAreThese() {
        var offered: [String: Fix.Applicability] = [:]
        for item in RuleCaseTests.cases {
            for finding in item.findings(in: Self.file) {
                if let fix = finding.fix { offered[finding.rule] = fix.applicability }
            }
        }
        #expect(offered == Self.rules)
    }

    @Test(arguments: RuleCaseTests.cases)
    func aFixTakesItsFindingAwayAndNothingElse(_ item: RuleCase) throws {
        let text = try #require(item.files[Self.file])
        for variant in [text, Self.commented(text), text.replacing("\n", with: "\r\n")] {
            let findings = RuleCase.findings(in: Self.file, item.files.merging([Self.file: variant]) { $1 })
            for (position, finding) in findings.enumerated() {
                guard let fix = finding.fix else { continue }
                let applied = FixApplication([fix], to: Array(variant.utf8), of: Self.file)
                #expect(applied.count == 1)
                let fixed = String(decoding: applied.bytes, as: UTF8.self)
                let left = RuleCase.findings(in: Self.file, item.files.merging([Self.file: fixed]) { $1 })
                let why = "\(fix.title) at \(position):\n\(fixed)\n\(listing(left))"
                #expect(
                    left.count { $0.rule == finding.rule } == findings.count { $0.rule == finding.rule } - 1, "\(why)")
                let errors = Set(left.filter { $0.severity == .error }.map(\.rule))
                #expect(errors.isSubset(of: findings.filter { $0.severity == .error }.map(\.rule)), "\(why)")
                if !["stale-suppression", "comment-in-text"].contains(finding.rule) {
                    #expect(Self.comments(in: fixed) == Self.comments(in: variant), "\(why)")
                }
                let touched = Set(fix.edits.flatMap { $0.range.start.line...$0.range.end.line })
                let kept = Self.lines(of: variant).enumerated().filter { !touched.contains($0.offset + 1) }.map(
                    \.element)
                let lines = Set(Self.lines(of: fixed))
                #expect(kept.allSatisfy { lines.contains($0) }, "\(why)")
            }
        }
    }

    @Test(arguments: RuleCaseTests.cases)
    func certainFixesComeToAnEnd(_ item: RuleCase) throws {
        var files = item.files
        for round in 0..<5 {
            let text = try #require(files[Self.file])
            let fixes = RuleCase.findings(in: Self.file, files).filter { $0.file == Self.file }.compactMap(\.fix).filter
            { $0.applicability == .certain }
            guard !fixes.isEmpty else { return }
            #expect(round < 4, "\(item.rule)\n\(text)")
            files[Self.file] = String(
                decoding: FixApplication(fixes, to: Array(text.utf8), of: Self.file).bytes, as: UTF8.self)
        }
    }

    @Test(
        arguments: [
            ("imports: [a.yaml, shop.yaml]", "imports: [shop.yaml]"),
            ("imports: [shop.yaml, a.yaml]", "imports: [shop.yaml]"),
            ("imports: [a.yaml] # old", nil), ("imports:\n  - a.yaml\n  - shop.yaml", "imports:\n  - shop.yaml"),
            ("imports:\n  - shop.yaml\n  - a.yaml # old", nil), ("imports: [shop.yaml, # new\n  a.yaml]", nil),
            ("imports: a.yaml", ""),
        ] as [(String, String?)])
    func anImportGoesWithWhatJoinsIt(_ imports: String, _ wanted: String?) {
        func contract(_ imports: String) -> String {
            "errand: 1\nservice: Sample\nservers: {main: https://sample.example}\n\(imports)\(imports.isEmpty ? "" : "\n")defaults: {timeout: 10s}\nendpoints: {ask: {get: /a, response: \(imports.contains("shop") ? "Item" : "int")}}\n"
        }
        let shop = "errand: 1\nservice: Shop\ntypes: {Item: {name: string}}\nendpoints: {}\n"
        let text = contract(imports)
        let findings = RuleCase.findings(
            in: Self.file, [Self.file: text, "shop.yaml": shop, "a.yaml": "errand: 1\nservice: A\nendpoints: {}\n"])
        #expect(findings.map(\.rule) == ["unused-import"], "\(listing(findings))")
        let fixed = FixApplication(findings.compactMap(\.fix), to: Array(text.utf8), of: Self.file)
        #expect((fixed.count == 0 ? nil : String(decoding: fixed.bytes, as: UTF8.self)) == wanted.map { contract($0) })
    }

    @Test(
        arguments: [
            ("password: string", "password: {type: string, sensitive: true}"),
            ("password: string?", "password: {type: string?, sensitive: true}"),
            ("password: {type: string, doc: It.}", "password: {type: string, sensitive: true, doc: It.}"),
            ("password: 'string'", nil),
            (
                "password:\n        doc: It.\n        type: string # or more",
                "password:\n        doc: It.\n        sensitive: true\n        type: string # or more"
            ),
        ] as [(String, String?)])
    func aSecretIsMarkedInEachForm(_ field: String, _ wanted: String?) {
        func contract(_ field: String) -> String {
            "errand: 1\nservice: Sample\nservers: {main: https://sample.example}\ndefaults: {timeout: 10s}\nendpoints:\n  ask:\n    post: /a\n    effect: idempotent\n    body:\n      \(field)\n"
        }
        let text = contract(field)
        let findings = RuleCase.findings(in: Self.file, [Self.file: text])
        #expect(findings.map(\.rule) == ["plain-password"], "\(listing(findings))")
        let fixed = FixApplication(findings.compactMap(\.fix), to: Array(text.utf8), of: Self.file)
        #expect((fixed.count == 0 ? nil : String(decoding: fixed.bytes, as: UTF8.self)) == wanted.map { contract($0) })
    }

    /// The same with a comment above each line.
    private static func commented(_ text: String) -> String {
        text.components(separatedBy: "\n").enumerated().map { number, line in
            line.isEmpty || line.contains("errand:ignore") ? line : "# before line \(number)\n" + line
        }.joined(separator: "\n")
    }

    private static func lines(of text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    private static func comments(in text: String) -> [String] {
        YAMLParser().parse(text, file: file).document?.comments.map(\.text) ?? []
    }
}
