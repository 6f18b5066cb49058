import Foundation
import Testing

/// `errand import openapi`: exit statuses, what is written, and what is kept.
@Suite struct ImportCommandTests {
    static let document = """
        openapi: 3.1.0
        info: {title: Book Shop API, version: 1.4.0}
        servers: [{url: https://api.shop.example/v1}]
        paths:
          /books/{id}:
            get:
              operationId: getBook
              parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
              responses:
                200:
                  description: Fine
                  content:
                    application/json:
                      schema: {type: object, required: [title], properties: {title: {type: string}, kind: {enum: [novel, poetry]}}}
                      example: {title: Emma, kind: novel}
                404: {description: There is no such book.}
        """

    private func project(_ document: String = ImportCommandTests.document) throws -> ProjectFolder {
        let folder = try ProjectFolder()
        try folder.write(document, to: "api.yaml")
        return folder
    }

    @Test func whatItWritesLintsGeneratesAndCompiles() throws {
        let folder = try project()
        let run = try CommandRun(["import", "api.yaml", "--report"], in: folder.url)
        #expect(run.status == 0, "\(run.complaints)")
        #expect(run.output.contains("contracts/book-shop.contract.yaml"))
        #expect(run.output.contains("errors/notFound"))
        let text = try #require(folder.text("contracts/book-shop.contract.yaml"))
        #expect(text.contains("response: {title: Emma, kind: novel}"))
        #expect(try CommandRun(["lint", "--fail-on", "error"], in: folder.url).status == 0)
        #expect(try CommandRun(["generate"], in: folder.url).status == 0)
        #expect(try GenerateCommandTests.compile(folder) == 0)
    }

    @Test func aContractThatIsThereIsKept() throws {
        let folder = try project()
        try folder.write("mine", to: "a.contract.yaml")
        let kept = try CommandRun(["import", "openapi", "api.yaml", "-o", "a.contract.yaml"], in: folder.url)
        #expect(kept.status == 2)
        #expect(folder.text("a.contract.yaml") == "mine")
        #expect(kept.complaints.contains("--force"))
        let forced = try CommandRun(
            ["import", "openapi", "api.yaml", "-o", "a.contract.yaml", "--force"], in: folder.url)
        #expect(forced.status == 0)
        #expect(folder.text("a.contract.yaml")?.hasPrefix("errand: 1\nservice: BookShop\n") == true)
    }

    /// A pipeline fails until somebody has looked at each proposal, and passes afterwards.
    @Test func anOpenReviewMaySetTheStatus() throws {
        let folder = try project()
        let open = try CommandRun(["import", "api.yaml", "--fail-on", "review", "--report"], in: folder.url)
        #expect(
            open.status == 1 && open.output.contains("no findings, 1 to review"), "\(open.output)\(open.complaints)")
        let file = "contracts/book-shop.contract.yaml"
        let text = try #require(folder.text(file))
        try folder.write(
            text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.contains("errand:review") }
                .joined(separator: "\n"), to: file)
        let closed = try CommandRun(
            ["import", "api.yaml", "--update", "--fail-on", "review", "--report"], in: folder.url)
        #expect(closed.status == 0 && closed.output.contains(", 0 to review"), "\(closed.output)\(closed.complaints)")
        let usual = try CommandRun(["import", "api.yaml", "-o", "other.contract.yaml"], in: folder.url)
        #expect(usual.status == 0)
        #expect(try CommandRun(["import", "api.yaml", "--fail-on", "everything"], in: folder.url).status == 2)
    }

    @Test func whatIsLostSetsTheStatus() throws {
        let folder = try project(Self.document + "\nwebhooks: {sold: {}}\n")
        let strict = try CommandRun(["import", "openapi", "api.yaml", "--strict"], in: folder.url)
        #expect(strict.status == 1)
        #expect(folder.contents.keys.allSatisfy { !$0.hasPrefix("contracts/") })
        let run = try CommandRun(["import", "openapi", "api.yaml"], in: folder.url)
        #expect(run.status == 1)
        #expect(run.complaints.contains("openapi-feature-lost"))
        #expect(run.complaints.contains("api.yaml:"))
        #expect(run.complaints.contains("#/webhooks/sold"))
        #expect(folder.text("contracts/book-shop.contract.yaml") != nil)
    }

    /// Notes tell what the import decided, and nothing is missing in the contract.
    @Test func notesDoNotSetTheStatus() throws {
        let folder = try project(
            Self.document.replacingOccurrences(
                of: "      responses:", with: "      responses:\n        304: {description: Same}"))
        for arguments in [["--strict"], ["--force"]] {
            let run = try CommandRun(["import", "openapi", "api.yaml"] + arguments, in: folder.url)
            #expect(run.complaints.contains(": note: a 304 is no error"), "\(run.complaints)")
            #expect(!run.complaints.contains("warning:"), "\(run.complaints)")
            #expect(run.status == 0)
        }
        #expect(folder.text("contracts/book-shop.contract.yaml")?.contains("304") == false)
    }

    @Test func whatCannotRun() throws {
        let folder = try project("swagger: '1.2'\n")
        for arguments in [["api.yaml"], ["none.yaml"], ["."], ["api.yaml", "--service", "shop"]] {
            let run = try CommandRun(["import", "openapi"] + arguments, in: folder.url)
            #expect(run.status == 2, "\(arguments)")
            #expect(!run.complaints.isEmpty)
        }
    }

    @Test func examplesThatDoNotFitAreLeftOut() throws {
        let folder = try project(
            Self.document.replacingOccurrences(of: "title: Emma,", with: "title: [Emma],"))
        let run = try CommandRun(["import", "openapi", "api.yaml"], in: folder.url)
        #expect(run.status == 1)
        #expect(run.complaints.contains("openapi-example-lost"))
        #expect(folder.text("contracts/book-shop.contract.yaml")?.contains("examples") == false)
    }

    /// `errand.yaml` says where the contracts are, and which rules count.
    @Test func theConfigurationHolds() throws {
        let folder = try project()
        try folder.write("contracts: [Sources/App]\n", to: "errand.yaml")
        let first = try CommandRun(["import", "openapi", "api.yaml"], in: folder.url)
        #expect(first.status == 0, "\(first.complaints)")
        let path = "Sources/App/book-shop.contract.yaml"
        #expect(folder.text(path) != nil)
        #expect(folder.contents.keys.allSatisfy { !$0.hasPrefix("contracts/") })
        try folder.write(
            Self.document.replacingOccurrences(of: "[novel, poetry]", with: "[novel, poetry, essay]"), to: "api.yaml")
        let update = try CommandRun(["import", "openapi", "api.yaml", "--update"], in: folder.url)
        #expect(update.status == 0, "\(update.complaints)")
        #expect(folder.text(path)?.contains("essay") == true)
        // A contract in another file is found by the service that was imported into it.
        let other = "Sources/App/books/mine.contract.yaml"
        #expect(try CommandRun(["import", "openapi", "api.yaml", "-o", other], in: folder.url).status == 0)
        try folder.write("contracts: [Sources/App/books]\n", to: "errand.yaml")
        try folder.write(Self.document, to: "api.yaml")
        #expect(try CommandRun(["import", "openapi", "api.yaml", "--update"], in: folder.url).status == 0)
        #expect(folder.text(other)?.contains("essay") == false)
        // One of another service is not updated, and named.
        try folder.write(Self.document.replacingOccurrences(of: "Book Shop", with: "Cinema"), to: "api.yaml")
        let refused = try CommandRun(["import", "openapi", "api.yaml", "--update"], in: folder.url)
        #expect(refused.status == 2)
        #expect(refused.complaints.contains("name the contract with `-o`: \(other)"), "\(refused.complaints)")
        try folder.write("lint: {rules: {error-without-message: error}}\n", to: "errand.yaml")
        let strict = try CommandRun(["import", "openapi", "api.yaml", "-o", "a.contract.yaml"], in: folder.url)
        #expect(strict.status == 1)
        #expect(strict.complaints.contains("[error-without-message]"))
        try folder.write("contracts: 7 8\nodd: 1\n", to: "errand.yaml")
        let broken = try CommandRun(["import", "openapi", "api.yaml"], in: folder.url)
        #expect(broken.status == 2)
        #expect(broken.complaints.contains("errand.yaml"))
    }

    /// A report shows the first thousand findings of a file, and says how to see the others.
    @Test func manyFindings() throws {
        let schemas = (0..<1_100).map { "    S\($0): {type: object, properties: {a: {not: {type: string}}}}\n" }
        let uses = (0..<1_100).map { "s\($0): {$ref: '#/components/schemas/S\($0)'}" }
        let folder = try project(
            Self.document.replacingOccurrences(
                of: "title: {type: string}", with: "title: {type: string}, " + uses.joined(separator: ", "))
                + "\ncomponents:\n  schemas:\n" + schemas.joined())
        let run = try CommandRun(["import", "openapi", "api.yaml"], in: folder.url)
        #expect(run.status == 1)
        #expect(run.complaints.contains("more findings in this file are not shown"))
        #expect(run.complaints.contains("help: `--all-findings` prints all of them"))
        let all = try CommandRun(["import", "openapi", "api.yaml", "--all-findings", "--force"], in: folder.url)
        #expect(!all.complaints.contains("are not shown"))
        #expect(all.complaints.components(separatedBy: "[openapi-schema-lost]").count > 1_100)
    }
}
