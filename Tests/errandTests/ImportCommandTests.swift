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
        let run = try CommandRun(["import", "openapi", "api.yaml", "--report"], in: folder.url)
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
}
