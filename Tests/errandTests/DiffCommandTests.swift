import Foundation
import Testing

/// `errand diff`, as a process: what it prints where, and how it ends.
@Suite struct DiffCommandTests {
    private static let head = "errand: 1\nservice: Shop\nservers: {main: https://shop.example}\nendpoints:\n"
    private static let old = head + "  order: {post: /orders, body: {item: int}, response: {number: int}}\n"
    private static let broken = head + "  order: {post: /orders, body: {item: int}, response: {number: string}}\n"
    private static let reviewed =
        head + "  order: {post: /orders, body: {item: int}, response: {number: int}, timeout: 5s}\n"
    private static let compatible =
        head + "  order: {post: /orders, body: {item: int, note: string?}, response: {number: int}}\n"

    private func project(_ old: String, _ new: String) throws -> ProjectFolder {
        let folder = try ProjectFolder()
        try folder.write(old, to: "old/shop.contract.yaml")
        try folder.write(new, to: "new/shop.contract.yaml")
        return folder
    }

    private func run(_ arguments: [String], _ old: String, _ new: String) throws -> CommandRun {
        let folder = try project(old, new)
        return try withExtendedLifetime(folder) { try CommandRun(arguments, in: folder.url) }
    }

    @Test func whatBreaksEndsWith1() throws {
        let run = try run(["diff", "old", "new"], Self.old, Self.broken)
        #expect(run.status == 1)
        #expect(
            run.output.contains(
                "new/shop.contract.yaml:5:56: error: `endpoints.order.response.number` changes from `int` to `string`: "
            ))
        #expect(run.output.contains("[wire-break]"))
        #expect(run.output.contains("note: source: An app reads `number` of `order` as `string`."))
        #expect(run.output.hasSuffix("1 change breaks apps (1 change in 1 service)\n"))
        #expect(run.complaints.isEmpty)
    }

    @Test func warningsAloneEndWith0() throws {
        let run = try run(["diff", "old", "new"], Self.old, Self.reviewed)
        #expect(run.status == 0)
        #expect(run.output.contains("[change-to-review]"))
        #expect(run.output.hasSuffix("nothing breaks, 1 to review (1 change in 1 service)\n"))
    }

    @Test func whatBreaksNothingIsSaidInOneLine() throws {
        let folder = try project(Self.old, Self.compatible)
        let run = try CommandRun(["diff", "old", "new"], in: folder.url)
        #expect(run.status == 0)
        #expect(run.output == "nothing breaks (1 change in 1 service)\n")
        #expect(try CommandRun(["diff", "old", "new", "--quiet"], in: folder.url).output.isEmpty)
    }

    @Test func aRemovedEndpointPointsAtTheOldContract() throws {
        let more = Self.old + "  cancel: {delete: /orders, response: none}\n"
        let run = try run(["diff", "old/shop.contract.yaml", "new/shop.contract.yaml"], more, Self.old)
        #expect(run.status == 1)
        #expect(run.output.contains("old/shop.contract.yaml:6:3: error: `endpoints.cancel` is gone: "))
    }

    @Test(arguments: ["json", "sarif", "github", "xcode", "junit", "markdown"])
    func everyFormatHasTheChange(_ format: String) throws {
        let run = try run(["diff", "old", "new", "--format", format], Self.old, Self.broken)
        #expect(run.status == 1)
        #expect(run.output.contains("endpoints.order.response.number"))
        if format == "json" {
            let json = try #require(
                JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
            #expect((json["findings"] as? [Any])?.count == 1)
        }
    }

    @Test func theTableForAPullRequestHasThreeColumns() throws {
        let run = try run(["diff", "old", "new", "--format", "markdown"], Self.old, Self.broken)
        #expect(run.output.hasPrefix("## Shop\n\n| change | source | wire | behavior |\n|---|---|---|---|\n"))
        #expect(
            run.output.contains(
                "| `endpoints.order.response.number` changes from `int` to `string` | **breaks** | **breaks** | – |\n"))
        #expect(
            run.output.contains("  - wire: Apps from before this change cannot read `string` as `number` of `order`.\n")
        )
    }

    @Test func theChangelogHasAllChangesByTheirSeverity() throws {
        let new =
            Self.broken.replacing("item: int", with: "item: int, note: string?")
            + "  ping: {get: /ping, response: none}\n"
        let run = try run(["diff", "old", "new", "--changelog"], Self.old, new)
        #expect(run.status == 1)
        let breaks = try #require(run.output.range(of: "### Breaks\n\n- `endpoints.order.response.number`"))
        let compatible = try #require(run.output.range(of: "### Compatible\n\n"))
        #expect(breaks.lowerBound < compatible.lowerBound)
        #expect(run.output.contains("- `endpoints.ping` is new.\n"))
        #expect(run.output.contains("- `endpoints.order.body.note` is new.\n"))
    }

    @Test func aChangelogHasNoOtherFormat() throws {
        let run = try run(["diff", "old", "new", "--changelog", "--format", "json"], Self.old, Self.broken)
        #expect(run.status == 2)
        #expect(run.complaints.contains("--changelog is a form of its own"))
    }

    // MARK: Folders and bad input

    @Test func aServiceThatIsGoneBreaks() throws {
        let folder = try project(Self.old, Self.old)
        try folder.write("errand: 1\nservice: Stock\nendpoints: {}\n", to: "old/stock.contract.yaml")
        try folder.write("errand: 1\nservice: Parcel\nendpoints: {}\n", to: "new/parcel.contract.yaml")
        let run = try CommandRun(["diff", "old", "new"], in: folder.url)
        #expect(run.status == 1)
        #expect(run.output.contains("old/stock.contract.yaml:2:10: error: the service `Stock` is gone: "))
        #expect(run.output.hasSuffix("(2 changes in 3 services)\n"))
    }

    @Test func twoServicesCannotBeCompared() throws {
        let other = Self.old.replacing("service: Shop", with: "service: Bank")
        let run = try run(["diff", "old/shop.contract.yaml", "new/shop.contract.yaml"], Self.old, other)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.complaints.contains("the contracts are of two services, `Shop` and `Bank`"))
        #expect(run.complaints.contains("[different-services]"))
    }

    @Test func aSideWithErrorsCannotBeCompared() throws {
        let wrong = Self.old.replacing("{number: int}", with: "Order")
        let run = try run(["diff", "old", "new"], Self.old, wrong)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.complaints.contains("new/shop.contract.yaml:5:") && run.complaints.contains("[unknown-type]"))
    }

    @Test func aMissingSideIsNamed() throws {
        let folder = try project(Self.old, Self.old)
        let run = try CommandRun(["diff", "before", "after"], in: folder.url)
        #expect(run.status == 2)
        #expect(run.complaints.contains("there is no contract or folder `before`"))
        #expect(run.complaints.contains("there is no contract or folder `after`"))
        #expect(try CommandRun(["diff", "old"], in: folder.url).status == 2)
    }

    // MARK: The page

    /// The page shows what the command prints for its contracts.
    @Test func thePageIsRight() throws {
        let page = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../docs/diff.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let contracts = text.components(separatedBy: "```yaml\n").dropFirst().prefix(2).compactMap {
            $0.components(separatedBy: "```").first
        }
        try #require(contracts.count == 2)
        let folder = try ProjectFolder()
        try folder.write(contracts[0], to: "old/bank.contract.yaml")
        try folder.write(contracts[1], to: "new/bank.contract.yaml")
        let run = try CommandRun(["diff", "old/bank.contract.yaml", "new/bank.contract.yaml"], in: folder.url)
        #expect(run.status == 1)
        let shown = "```\n$ errand diff old/bank.contract.yaml new/bank.contract.yaml\n" + run.output + "```\n"
        #expect(text.contains(shown), "write this into docs/diff.md:\n\(shown)")
    }
}
