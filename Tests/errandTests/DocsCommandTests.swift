import Foundation
import Testing

/// `errand docs`, as a process. `ReferencePagesTests` tests the pages.
@Suite struct DocsCommandTests {
    private func contract(_ service: String, _ endpoint: String = "buy", more: String = "") -> String {
        """
        errand: 1
        service: \(service)
        version: 1.0.0
        servers: {main: https://shop.example}
        errors: {soldOut: {category: nonRetryable, when: {status: 409}, message: This is sold out.}}
        endpoints:
          \(endpoint): {post: /purchases, effect: idempotent, errors: [soldOut], timeout: 5s\(more)}
        """
    }

    @Test func pagesAreWrittenOnceAndRemovedWithTheirContract() throws {
        let folder = try ProjectFolder()
        try folder.write(contract("Shop"), to: "contracts/shop.contract.yaml")
        try folder.write(contract("Bank", "pay"), to: "contracts/bank.contract.yaml")
        try folder.write("mine", to: "site/Shop/notes.html")
        let first = try CommandRun(["docs", "-o", "site"], in: folder.url)
        #expect(first.status == 0, "\(first.complaints)")
        #expect(first.output == "site: 12 files written, 0 removed, 0 unchanged\n")
        #expect(folder.text("site/Shop/buy.html")?.contains("<h1>buy</h1>") == true)
        let check = try CommandRun(["docs", "-o", "site", "--check"], in: folder.url)
        #expect(check.status == 0 && check.output == "site is current: 12 files\n")

        try folder.write(contract("Shop", "order"), to: "contracts/shop.contract.yaml")
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("contracts/bank.contract.yaml"))
        let stale = try CommandRun(["docs", "-o", "site", "--check", "-q"], in: folder.url)
        #expect(stale.status == 1)
        for line in ["stale: site/index.html", "missing: site/Shop/order.html", "unneeded: site/Bank/pay.html"] {
            #expect(stale.output.contains(line + "\n"), "\(stale.output)")
        }
        #expect(folder.text("site/Bank/pay.html") != nil, "nothing was changed")
        #expect(try CommandRun(["docs", "-o", "site"], in: folder.url).status == 0)
        #expect(folder.text("site/Bank/pay.html") == nil && folder.text("site/Shop/buy.html") == nil)
        #expect(folder.text("site/Shop/notes.html") == "mine", "it is not Errand's")
    }

    @Test func whatIsWrongStopsItBeforeAnythingIsWritten() throws {
        let folder = try ProjectFolder()
        // An example that a client could not read.
        try folder.write(
            contract("Shop", more: ", response: {number: int}, examples: {one: {response: {number: many}}}"),
            to: "shop.contract.yaml")
        let example = try CommandRun(["docs", "shop.contract.yaml", "-o", "site"], in: folder.url)
        #expect(example.status == 1 && example.complaints.contains("[example-does-not-fit]"), "\(example.complaints)")
        try folder.write(contract("Shop"), to: "shop.contract.yaml")
        try folder.write("{{nme}}", to: "mine/site.html.mustache")
        let template = try CommandRun(
            ["docs", "shop.contract.yaml", "-o", "site", "--templates", "mine"], in: folder.url)
        #expect(
            template.status == 1 && template.complaints.hasPrefix("mine/site.html.mustache:1:1: error:"),
            "\(template.complaints)")
        try folder.write("mine", to: "site/Shop/buy.html")
        let foreign = try CommandRun(["docs", "shop.contract.yaml", "-o", "site"], in: folder.url)
        #expect(foreign.status == 2 && foreign.complaints.contains("[foreign-file]"), "\(foreign.complaints)")
        #expect(folder.text("site/index.html") == nil && folder.text("site/Shop/buy.html") == "mine")
        let wiki = try CommandRun(
            ["docs", "shop.contract.yaml", "-o", "wiki", "--format", "markdown"], in: folder.url)
        #expect(wiki.status == 0 && folder.text("wiki/Shop/buy.md")?.contains("# buy") == true, "\(wiki.complaints)")
    }
}
