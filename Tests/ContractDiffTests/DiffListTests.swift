import ContractDiff
import Foundation
import Testing

/// `docs/diff-lists.md`: each change that the page calls found is found in a sample.
@Suite struct DiffListTests {
    /// A row of the page that names an edit.
    struct Row: Sendable, CustomTestStringConvertible {
        var change: String
        var status: String
        var third: String
        var testDescription: String { change }
    }

    static let rows: [Row] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try? String(contentsOf: root.appendingPathComponent("docs/diff-lists.md"), encoding: .utf8)
        return (page ?? "").split(separator: "\n").compactMap { line -> Row? in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard line.hasPrefix("| "), cells.count == 3, cells[0] != "change" else { return nil }
            return Row(change: cells[0], status: cells[1], third: cells[2])
        }
    }()

    static let found = rows.filter { $0.status.hasPrefix("found") }

    @Test func everyRowHasAStatusAndAReason() {
        #expect(Self.rows.count > 100)
        #expect(Self.found.count > 80)
        #expect(Set(Self.rows.map(\.status)) == ["found", "found with more", "not applicable"])
        for row in Self.rows where row.status == "not applicable" {
            #expect(row.third.hasSuffix("."), "\(row.change) needs a reason")
        }
    }

    /// The sample, with what only the lists of other tools ask for.
    private static let sample =
        SampleContract.text.replacing("defaults:\n", with: "groups: {drafts: What is not sent yet.}\ndefaults:\n")
        .replacing(
            "  Note: {body: string}\n",
            with: """
                  Note: {body: string}
                  Spare: {url: string}
                  Labels: {fields: {name: string}, additionalProperties: string}

                """)
            + """
              saveDraft:
                put: /drafts
                group: drafts
                headers: {language: {type: string?, wire: X-Language}}
                query: {tags: {type: "[string]", items: 0..5}, code: {type: string?, pattern: "[0-9]+"}}
                body: {rate: double, media: Media, title: {type: string?, pattern: "[a-z]+"}}
                response:
                  headers: {revision: {type: int, wire: X-Revision}, age: {type: int, wire: X-Age}}
                  fields: {ratio: double, prices: "[string: decimal]", lines: {type: "[string]", items: 1..9}, labels: Labels}

            """

    @Test(arguments: found) func aFoundChangeHasItsConsequences(_ row: Row) throws {
        var (old, new) = (Self.sample, Self.sample)
        for edit in row.third.components(separatedBy: " and ") {
            let parts = edit.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
            let texts = parts.indices.filter { $0 % 2 == 1 }.map { parts[$0].replacing("↵", with: "\n") }
            try #require(texts.count == (edit.hasSuffix("nothing") ? 1 : 2), "\(edit)")
            try #require(Self.sample.contains(texts[0]), "the sample does not have \(texts[0])")
            let after = texts.count > 1 ? texts[1] : ""
            if edit.contains("` ←") {
                old = old.replacing(texts[0], with: after)
            } else {
                new = new.replacing(texts[0], with: after)
            }
        }
        let pair = try ContractPair(old, new)
        let (before, after) = (try #require(pair.old.resolved), try #require(pair.new.resolved))
        let changes =
            before.service.value == after.service.value
            ? pair.changes : [ContractComparison.change(ofService: before.service, isAdded: false)]
        var columns = Set<String>()
        for column in changes.flatMap(\.verdict.columns) where column.judgment != .none {
            columns.insert(column.name)
        }
        let wanted = row.status == "found" ? 1 : 2
        #expect(columns.count >= wanted, "\(columns.sorted()) of\n\(pair.listing)")
        if row.status == "found" { #expect(columns.count == 1, "found with more: \(columns.sorted())") }
    }
}
