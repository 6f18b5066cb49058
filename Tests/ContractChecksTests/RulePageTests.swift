import ContractChecks
import Diagnostics
import Foundation
import Testing

/// `docs/rules.md` and `docs/findings.md` are made from the pages of the kinds of findings.
@Suite struct RulePageTests {
    static let rules = CheckoutSource.root.appendingPathComponent("Sources/Tool/ContractChecks/Rules/Lint")
    static let document = CheckoutSource.root.appendingPathComponent("docs/rules.md")
    static let findings = CheckoutSource.root.appendingPathComponent("docs/findings.md")

    /// Rule name → page.
    static let pages = Dictionary(uniqueKeysWithValues: RuleCatalog.all.map { ($0.name, $0.kind.page.page) })

    @Test func everyFileIsARuleOfTheCatalog() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.rules.path)
        #expect(
            RuleCatalog.all.map { "\($0).swift" } == files.sorted(),
            "the catalog lists the rules in the order of their files")
    }

    @Test func everyPageHasTheShape() {
        for (rule, page) in Self.pages {
            let headings = page.components(separatedBy: "\n").filter { $0.hasPrefix("## ") }
            #expect(headings == ["## Why is this bad", "## Example", "## Use instead"], "\(rule)")
            let parts = page.components(separatedBy: "\n## ")
            #expect(parts.dropFirst(2).allSatisfy { $0.contains("```yaml\n") }, "\(rule): an example is YAML")
        }
    }

    /// The examples of a page are lines of the cases that test the rule.
    @Test func everyExampleStandsInItsCase() throws {
        for (rule, page) in Self.pages {
            let item = try RuleCase(rule)
            for (heading, file) in [("Example", "fails"), ("Use instead", "passes")] {
                let part = page.components(separatedBy: "\n## ").first { $0.hasPrefix(heading + "\n") } ?? ""
                let text = Self.trimmed(item.files["\(file).contract.yaml"] ?? "")
                for block in part.components(separatedBy: "```yaml\n").dropFirst() {
                    let example = Self.trimmed(block.components(separatedBy: "```")[0])
                    #expect(
                        !example.isEmpty && text.contains(example),
                        "\(rule): `\(heading)` shows lines that \(file).contract.yaml does not have:\n\(example)")
                }
            }
        }
    }

    @Test func whatIsMadeFromPagesIsCurrent() throws {
        let outputs = [
            Self.document: Self.reference(Self.pages),
            Self.findings: Self.reference(FindingKind.all.map(\.page)),
        ]
        for (file, wanted) in outputs {
            let current = FileManager.default.contents(atPath: file.path).map { String(decoding: $0, as: UTF8.self) }
            guard current != wanted else { continue }
            guard ProcessInfo.processInfo.environment["ERRAND_RECORD"] == "1" else {
                Issue.record(
                    "\(file.lastPathComponent) is not what the pages say; correct it with: ERRAND_RECORD=1 swift test --filter RulePageTests"
                )
                continue
            }
            try Data(wanted.utf8).write(to: file)
            Issue.record(
                "recorded \(file.lastPathComponent); look at the change and run the tests again without ERRAND_RECORD")
        }
    }

    // MARK: What is made

    private static func trimmed(_ text: String) -> String {
        text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    static func reference(_ pages: [String: String]) -> String {
        let rules = RuleCatalog.all.sorted { $0.name < $1.name }
        let rows = rules.map {
            "| [\($0.name)](#\($0.name)) | \($0.severity.rawValue) | \($0.tags.map(\.rawValue).joined(separator: ", ")) | \(firstSentence(pages[$0.name] ?? "")) |"
        }
        let texts = rules.map { rule in
            let page = (pages[rule.name] ?? "").replacingOccurrences(of: "\n## ", with: "\n### ")
            return
                "## \(rule.name)\n\n\(rule.severity.rawValue) · \(rule.tags.map(\.rawValue).joined(separator: ", "))\n\n\(page)"
        }
        return """
            <!-- Made from Sources/Tool/ContractChecks/Rules by RulePageTests. Do not edit. -->
            # Rules

            `errand lint` checks every valid contract against these rules. `errand explain ID` prints the page of a rule.
            [Another page](findings.md) lists the errors that prevent generation.

            | rule | severity | about | finds |
            |---|---|---|---|
            \(rows.joined(separator: "\n"))

            \(texts.joined(separator: "\n\n"))

            """
    }

    /// The pages of what is found outside of lint rules.
    static func reference(_ pages: [FindingPage]) -> String {
        let pages = pages.sorted { $0.name < $1.name }
        let rows = pages.map {
            "| [\($0.name)](#\($0.name)) | \($0.severity.rawValue) | \(firstSentence($0.summary)) |"
        }
        let texts = pages.map { page in
            let text = page.page.replacingOccurrences(of: "\n## ", with: "\n### ")
            return "## \(page.name)\n\n\(page.severity.rawValue)\n\n\(text)"
        }
        return """
            <!-- Made from Sources/Tool/Diagnostics/Findings by RulePageTests. Do not edit. -->
            # Findings

            These findings can occur while Errand reads files, contracts, templates and `errand.yaml`, and while it generates
            Swift. An error prevents generation. `errand explain ID` prints the page of a finding. [Another page](rules.md)
            lists the lint rules. Only those and the findings of `errand replay` have settings and can be ignored.

            | id | severity | finds |
            |---|---|---|
            \(rows.joined(separator: "\n"))

            \(texts.joined(separator: "\n\n"))

            """
    }

    private static func firstSentence(_ page: String) -> String {
        let paragraph = page.components(separatedBy: "\n\n")[0].replacingOccurrences(of: "\n", with: " ")
        return (paragraph.components(separatedBy: ". ")[0]).replacingOccurrences(of: "|", with: "\\|")
    }
}
