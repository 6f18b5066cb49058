import ContractModel
import Diagnostics
import Foundation
import Testing
import YAMLTree

/// The language reference and its guide say what the language is: examples are run, tables are made from the keys.
@Suite struct LanguageReferenceTests {
    static let examples = LanguageReferencePage.paths.flatMap { path in
        (try? LanguageReferencePage(path: path))?.examples ?? []
    }
    static let right = examples.filter { $0.mark.mistakes.isEmpty }
    static let wrong = examples.filter { !$0.mark.mistakes.isEmpty }
    static let files = Dictionary(
        examples.compactMap { example in example.mark.fileName.map { ($0, example.contract) } }
    ) { first, _ in first }

    @Test(arguments: LanguageReferencePage.paths)
    func everyBlockSaysHowItIsTested(_ path: String) throws {
        let page = try LanguageReferencePage(path: path)
        #expect(
            page.unmarkedBlocks.isEmpty,
            "a line such as `<!-- inside: endpoint -->` must be directly above the blocks at these lines of \(path)")
        #expect(Self.right.contains { $0.page == path } && Self.wrong.contains { $0.page == path })
    }

    @Test(arguments: right)
    func anExampleResolvesWithoutAFinding(_ example: ReferenceExample) {
        let result = resolve(example.contract, Self.files)
        #expect(
            result.contract != nil && result.diagnostics.isEmpty,
            "\(example.testDescription):\n\(listing(result.diagnostics))\n\(example.contract)")
    }

    @Test(arguments: wrong)
    func aMistakeProvokesItsRuleAndNoOther(_ example: ReferenceExample) {
        let result = resolve(example.contract, Self.files)
        #expect(
            Set(result.diagnostics.map(\.rule)) == Set(example.mark.mistakes),
            "\(example.testDescription):\n\(listing(result.diagnostics))\n\(example.contract)")
        #expect(
            result.diagnostics.allSatisfy { $0.help != nil },
            "a mistake shown to readers has an advice: \(example.testDescription)")
    }

    @Test func everyKeyIsInAnExampleOfTheReferenceAtItsPlace() {
        var walk = LanguageKeyWalk()
        for example in Self.right where example.page == LanguageReferencePage.reference {
            if let document = YAMLParser().parse(example.contract, file: "example").document {
                walk.contract(document.root)
            }
        }
        let all = LanguageKeys.all.flatMap { mapping in
            mapping.names.map { LanguageKeyWalk.Use(mapping: mapping.subject, key: $0) }
        }
        let missing = all.filter { !walk.uses.contains($0) }
        #expect(missing.isEmpty, "no example shows \(missing.map(\.description).joined(separator: ", "))")
    }

    // MARK: What is made

    @Test(arguments: LanguageReferencePage.paths)
    func tablesAndQuotationsAreCurrent(_ path: String) throws {
        let page = try LanguageReferencePage(path: path)
        let wanted = Dictionary(uniqueKeysWithValues: LanguageKeys.all.map { (Self.name(of: $0), Self.table(of: $0)) })
        #expect(
            page.tables.map(\.name).sorted() == (path == LanguageReferencePage.reference ? wanted.keys.sorted() : []),
            "the reference has one table of each mapping, between `<!-- keys: NAME -->` and `<!-- end -->`")
        let current = page.replacing(table: { wanted[$0] }, quotation: Self.quotation)
        guard current != page.text else { return }
        guard ProcessInfo.processInfo.environment["ERRAND_RECORD"] == "1" else {
            let old = page.text.components(separatedBy: "\n")
            let new = current.components(separatedBy: "\n")
            let line =
                zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(old.count, new.count)
            Issue.record(
                """
                a table of keys or a quoted finding is out of date, first at line \(line + 1) of \(path); \
                fix it with: ERRAND_RECORD=1 swift test --filter LanguageReferenceTests
                """)
            return
        }
        try Data(current.utf8).write(to: page.file)
        Issue.record("recorded \(path); look at the change and run the tests again without ERRAND_RECORD")
    }

    /// The text of a mistake's first finding.
    static func quotation(of example: ReferenceExample) -> String {
        guard let finding = resolve(example.contract, files).diagnostics.first else { return "> nothing" }
        return "> `\(finding.rule)`: \(finding.message)\(finding.help.map { " · " + $0 } ?? "")"
    }

    /// The name of a mapping in the page's markers: its subject without code marks.
    static func name(of mapping: MappingDescription) -> String {
        mapping.subject.replacing("`", with: "")
    }

    static func table(of mapping: MappingDescription) -> String {
        let rows = mapping.keys.map { key in
            // A bar ends a cell of a table, even inside code.
            "| `\(key.name)`\(key.isRequired ? " (required)" : "") | \(key.meaning.replacing("|", with: "\\|")) |"
        }
        return (["| key | meaning |", "|---|---|"] + rows).joined(separator: "\n")
    }
}
