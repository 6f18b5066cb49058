import Foundation
import Testing

/// `docs/architecture.md` has a table of targets for each wing.
@Suite struct ArchitecturePageTests {
    /// A row of the tables, or what the manifest says in its place.
    struct Row: Hashable {
        var wing: String
        var target: String
        /// The targets and packages that it uses.
        var uses: Set<String>
    }

    @Test func theTablesAreThoseOfTheManifest() throws {
        let page = try String(
            contentsOf: SourceTree.root.appendingPathComponent("docs/architecture.md"), encoding: .utf8)
        let listed = Self.rows(of: page)
        let wanted = try Manifest.ofCheckout().inWings.map { target in
            Row(
                wing: target.wing ?? "", target: target.name,
                uses: Set(target.targets + target.products.map(\.package)))
        }
        for row in Set(wanted).subtracting(listed) {
            Issue.record("docs/architecture.md needs a row of \(row.wing): \(row.target) | \(row.uses.sorted())")
        }
        for row in Set(listed).subtracting(wanted) {
            Issue.record("docs/architecture.md has a stale row of \(row.wing): \(row.target) | \(row.uses.sorted())")
        }
        #expect(listed.map(\.target) == wanted.map(\.target), "the rows have the order of Package.swift")
    }

    /// A check that cannot fail says nothing.
    @Test func rowsAreRead() {
        let page = """
            ### Shared
            | Target | What it does | May import |
            |---|---|---|
            | `Meaning` | values, `A | B` | – |
            ### Tool, in order
            | `Reader` | reads | `Meaning`, swift-log |
            ### Folders
            | `Streams/` | splits |
            | `Elements` | has | `Streams` |
            """
        #expect(
            Self.rows(of: page) == [
                Row(wing: "Shared", target: "Meaning", uses: []),
                Row(wing: "Tool", target: "Reader", uses: ["Meaning", "swift-log"]),
            ])
    }

    /// The rows of the sections that are named after a wing.
    private static func rows(of page: String) -> [Row] {
        var rows: [Row] = []
        var wing: String?
        for line in page.split(separator: "\n") {
            if line.hasPrefix("#") {
                let title = line.drop { $0 == "#" || $0 == " " }.prefix { $0.isLetter }
                wing = line.hasPrefix("### ") && LayeringTests.order.keys.contains(String(title)) ? String(title) : nil
            }
            guard let wing, let match = line.wholeMatch(of: /\| `([\w-]+)` \| .* \| ([^|]*) \|/) else { continue }
            let uses = match.2.split(separator: ", ").map { String($0.replacing("`", with: "")) }.filter { $0 != "–" }
            rows.append(Row(wing: wing, target: String(match.1), uses: Set(uses)))
        }
        return rows
    }
}
