import ContractChecks
import Diagnostics
import Testing

/// What `# errand:ignore` takes away, and what it does not.
@Suite struct SuppressionTests {
    private static let head =
        "errand: 1\nservice: Sample\nservers: {main: https://a.example}\ndefaults: {timeout: 10s}\nendpoints:\n"

    @Test func aCommentIsAboutTheNextLineOrItsOwn() {
        #expect(lint(Self.head + "  a: {get: /getA, response: string} # errand:ignore verb-in-path so it is\n").isEmpty)
        #expect(
            lint(
                Self.head
                    + "  # errand:ignore verb-in-path so it is\n  # and more\n  a: {get: /getA, response: string}\n"
            ).isEmpty)
        let findings = lint(
            Self.head + "  # errand:ignore verb-in-path so it is\n\n  a: {get: /getA, response: string}\n")
        #expect(findings.map(\.rule) == ["stale-suppression", "verb-in-path"])
    }

    @Test func twoRulesOfOneLineTakeTwoComments() {
        let text =
            Self.head
            + "  # errand:ignore verb-in-path so it is\n  # errand:ignore trailing-slash so it is\n  a: {get: /getA/, response: string}\n"
        #expect(lint(text).isEmpty, "\(listing(lint(text)))")
    }

    @Test func aCommentAtALaterPlaceOfAJoinedFindingAppliesToThatPlace() {
        func types(_ marked: String) -> String {
            let lines = ["A", "B", "C"].map { name in
                (name == marked ? "  # errand:ignore type-contradicts-name it is a path\n" : "")
                    + "  \(name): {coverURL: string}\n"
            }
            return "errand: 1\nservice: Sample\nservers: {main: https://a.example}\ndefaults: {timeout: 10s}\ntypes:\n"
                + lines.joined() + "endpoints:\n  a: {get: /a, response: {a: A, b: B, c: C}}\n"
        }
        for marked in ["A", "B", "C"] {
            let found = lint(types(marked))
            #expect(found.map(\.rule) == ["type-contradicts-name"], "\(listing(found))")
            #expect(found.first?.message.hasSuffix("(in 2 places)") == true)
            #expect(found.first?.range?.start.line == (marked == "A" ? 8 : 6))
        }
        #expect(lint(types("")).first?.message.hasSuffix("(in 3 places)") == true)
    }

    @Test func whatKeepsAContractFromBeingGeneratedIsNotIgnored() {
        let findings = lint(
            Self.head + "  # errand:ignore body-on-get we like it\n  a: {get: /a, body: {n: int}, response: string}\n")
        #expect(findings.map(\.rule) == ["body-on-get"])
    }

    @Test func aCommentAboveANameIsAboutTheWholeDefinition() {
        let errors = """
            errors:
              # errand:ignore category-contradicts-status the server repeats it itself
              busy:
                category: nonRetryable
                message: Please wait.
                when: {status: 503}
              gone:
                category: retryable
                message: Please wait.
                when: {status: 404}

            """
        let text =
            "errand: 1\nservice: Sample\nservers: {main: https://a.example}\ndefaults: {timeout: 10s}\n"
            + "envelopes: {standard: {data: data, code: code, success: [0]}}\n" + errors
            + "endpoints:\n  a: {get: /a, response: string, envelope: standard, errors: [busy, gone]}\n"
        let found = lint(text)
        #expect(found.map(\.rule) == ["category-contradicts-status"], "\(listing(found))")
        #expect(found.first?.range?.start.line == 13)
    }

    /// `errand diff` finds changes, and lint does not know the old contract.
    @Test func aCommentAboutAChangeIsNotStale() {
        for kind in FindingKind.consequences {
            let text = Self.head + "  # errand:ignore \(kind.name) no app reads it\n  a: {get: /a, response: string}\n"
            #expect(lint(text).isEmpty, "\(listing(lint(text)))")
        }
    }

    /// A typo can keep a rule from finding what the comment is about, and the fix of a stale comment removes it.
    @Test func nothingIsStaleWhileTheContractHasErrors() {
        let comment = "  # errand:ignore verb-in-path the path is the server's\n"
        let stale = Self.head + comment + "  a: {get: /a, response: string}\n"
        #expect(lint(stale).map(\.rule) == ["stale-suppression"])
        let broken = Self.head + comment + "  a: {gett: /getA, response: string}\n"
        let findings = lint(broken)
        #expect(findings.contains { $0.severity == .error })
        #expect(!findings.contains { $0.rule == "stale-suppression" }, "\(listing(findings))")
    }

    @Test(arguments: ["\n", "\r\n"])
    func theFixTakesTheCommentAndNothingElse(_ lineBreak: String) {
        let text =
            (Self.head
            + "  # errand:ignore verb-in-path so it was\n  a: {get: /a, response: string}   # errand:ignore trailing-slash x\n  # stays\n")
            .replacing("\n", with: lineBreak)
        let fixes = lint(text).compactMap(\.fix)
        #expect(fixes.count == 2)
        let fixed = FixApplication(fixes, to: Array(text.utf8), of: "sample.contract.yaml")
        #expect(fixed.count == 2)
        #expect(
            String(decoding: fixed.bytes, as: UTF8.self)
                == (Self.head + "  a: {get: /a, response: string}\n  # stays\n").replacing("\n", with: lineBreak))
    }

    @Test func aRuleCanBeTurnedOffOrWeighOtherwise() {
        let text = Self.head + "  a: {get: /getA/, response: string}\n"
        var settings = RuleSettings()
        settings.levels = ["verb-in-path": .off, "trailing-slash": .note]
        let findings = LintRunner(settings: settings).run(examine(text))
        #expect(findings.map { "\($0.rule) \($0.severity)" } == ["trailing-slash note"])
        settings.overrides = [
            .init(path: "sample.contract.yaml", levels: ["trailing-slash": .error]),
            .init(path: "sample", levels: ["verb-in-path": .error]),
        ]
        #expect(
            LintRunner(settings: settings).run(examine(text)).map { "\($0.rule) \($0.severity)" } == [
                "trailing-slash error"
            ])
    }
}
