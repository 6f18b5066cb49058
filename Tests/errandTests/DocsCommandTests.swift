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
        #expect(first.output == "site: 13 files written, 0 removed, 0 unchanged\n")
        #expect(folder.text("site/Shop/buy.html")?.contains("<h1>buy</h1>") == true)
        let check = try CommandRun(["docs", "-o", "site", "--check"], in: folder.url)
        #expect(check.status == 0 && check.output == "site is current: 13 files\n")

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

    /// A folder can be above another site, which has pages of Errand, too.
    @Test func theFilesOfAnotherSiteStay() throws {
        let folder = try ProjectFolder()
        try folder.write(contract("Shop"), to: "contracts/shop.contract.yaml")
        for (site, format) in [("docs/site", "html"), ("docs", "markdown"), ("docs", "html")] {
            #expect(try CommandRun(["docs", "-o", site, "--format", format], in: folder.url).status == 0)
        }
        // A list that someone has edited names nothing outside of the folder.
        try folder.write(folder.text("docs/Shop/buy.html") ?? "", to: "elsewhere.html")
        let list = try #require(folder.text("docs/.errand-html-pages"))
        #expect(list.contains("\nShop/buy.html\n") && !list.contains("site/"), "\(list)")
        try folder.write(list + "../elsewhere.html\nsite/Shop/buy.html\n", to: "docs/.errand-html-pages")
        try folder.write(contract("Shop", "order"), to: "contracts/shop.contract.yaml")
        let run = try CommandRun(["docs", "-o", "docs"], in: folder.url)
        #expect(run.status == 0 && run.output.contains(" 1 removed"), "\(run)")
        #expect(folder.text("docs/Shop/buy.html") == nil && folder.text("docs/Shop/order.html") != nil)
        for kept in ["docs/site/index.html", "docs/site/Shop/buy.html", "docs/Shop/buy.md", "elsewhere.html"] {
            #expect(folder.text(kept) != nil, "\(kept)")
        }
    }

    @Test func theConfigurationNamesTheFolders() throws {
        let folder = try ProjectFolder()
        try folder.write(contract("Shop"), to: "project/contracts/shop.contract.yaml")
        try folder.write("docs: {output: public/site, templates: mine}\n", to: "project/errand.yaml")
        try folder.write("<p>mine</p>\n", to: "project/mine/site.html.mustache")
        let project = folder.url.appendingPathComponent("project")
        let run = try CommandRun(["docs"], in: project)
        #expect(run.status == 0 && run.output.hasPrefix("public/site: "), "\(run)")
        #expect(folder.text("project/public/site/index.html")?.hasSuffix("<p>mine</p>\n") == true)
        // A path outside of the project is refused where it is used: not if the command line names another one.
        for (settings, place, named) in [
            ("docs: {output: ../site}", "1:16", ["--templates", "mine"]),
            ("docs: {templates: ../mine}", "1:19", ["-o", "site"]),
        ] {
            try folder.write(settings + "\n", to: "project/errand.yaml")
            let run = try CommandRun(["docs"] + named, in: project)
            #expect(run.status == 2 && run.complaints.contains("errand.yaml:\(place): error:"), "\(run)")
            let own = try CommandRun(["docs", "-o", "site", "--templates", "mine"], in: project)
            #expect(own.status == 0 && folder.text("project/site/index.html")?.contains("mine") == true, "\(own)")
            let lint = try CommandRun(["lint"], in: project)
            #expect(lint.status < 2 && !lint.complaints.contains("outside the project"), "\(lint)")
        }
        try folder.write(
            "templates: ../mine\noutput: ../generated\ntexts: [../texts.json]\n", to: "project/errand.yaml")
        let other = try CommandRun(["docs", "-o", "site"], in: project)
        #expect(other.status == 0, "\(other)")
        try folder.write("docs: {templats: mine}\n", to: "project/errand.yaml")
        #expect(try CommandRun(["docs"], in: project).complaints.contains("did you mean `templates`?"))
        try folder.write("", to: "project/errand.yaml")
        let none = try CommandRun(["docs"], in: project)
        #expect(none.status == 2 && none.complaints.contains("Name one with --output"), "\(none)")
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
