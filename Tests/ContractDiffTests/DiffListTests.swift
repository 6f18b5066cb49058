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
        #expect(Self.found.count > 60)
        #expect(Set(Self.rows.map(\.status)) == ["found", "found with more", "not applicable"])
        for row in Self.rows where row.status == "not applicable" {
            #expect(row.third.hasSuffix("."), "\(row.change) needs a reason")
        }
    }

    @Test(arguments: found) func aFoundChangeHasItsConsequences(_ row: Row) throws {
        let isOfOld = row.third.contains("` ←")
        let parts = row.third.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        let texts = parts.indices.filter { $0 % 2 == 1 }.map { parts[$0].replacing("↵", with: "\n") }
        try #require(texts.count == (row.third.hasSuffix("nothing") ? 1 : 2), "\(row.third)")
        let edited = try SampleContract.replacing(texts[0], texts.count > 1 ? texts[1] : "")
        let pair = try isOfOld ? ContractPair(edited, SampleContract.text) : ContractPair(SampleContract.text, edited)
        var columns = Set<String>()
        for column in pair.changes.flatMap(\.verdict.columns) where column.judgment != .none {
            columns.insert(column.name)
        }
        let wanted = row.status == "found" ? 1 : 2
        #expect(columns.count >= wanted, "\(columns.sorted()) of\n\(pair.listing)")
    }
}
