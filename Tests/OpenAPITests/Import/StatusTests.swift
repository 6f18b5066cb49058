import ContractModel
import Testing

@testable import OpenAPI

/// The status of the usual response of a document.
@Suite struct StatusTests {
    private static let book = "content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}"

    @Test(arguments: [
        ("201: {description: Made, \(book)}", "status: 201"),
        ("202: {description: Later}", "status: 202"),
        ("205: {description: Reset}", "status: 205"),
        // The usual response is the one with a body.
        ("202: {description: Later}, 201: {description: Made, \(book)}", "status: 201"),
        ("200: {description: Fine}", "status: 200"),
        ("206: {description: Part, content: {image/png: {}}}", "status: 206"),
        // What holds anyway.
        ("200: {description: Fine, \(book)}", nil),
        ("204: {description: Done}", nil),
        ("204: {description: Done, \(book)}", nil),
        ("200: {description: Fine, content: {image/png: {}}}", nil),
        // No single status.
        ("2XX: {description: Fine, \(book)}", nil),
        ("default: {description: The result, \(book)}", nil),
    ])
    func theContractHasIt(_ responses: String, _ wanted: String?) {
        let document = ImportedDocument(
            paths: "/books: {post: {operationId: add, responses: {\(responses)}}}")
        #expect(document.problems == [])
        let found = document.contract.firstRange(of: "status: 2").map { document.contract[$0.lowerBound...].prefix(11) }
        #expect(found.map(String.init) == wanted, "\(document.contract)")
    }

    @Test func aHeadWith200SaysNothing() {
        let document = ImportedDocument(
            paths: "/books: {head: {operationId: look, responses: {200: {description: Fine}}}}")
        #expect(document.problems == [])
        #expect(!document.contract.contains("status: 200"), "\(document.contract)")
    }

    /// The document of the contract has each status, and the contract of the document, too.
    @Test func anExportedStatusIsReadBack() throws {
        let text = """
            errand: 1
            service: Shop
            servers: {production: https://shop.example}
            endpoints:
              addBook: {post: /books, body: {title: string}, response: {id: int}, status: 201}
              importBooks: {post: /imports, body: {title: string}, response: none, status: 202}
              removeBook: {delete: "/books/{id:int}", response: none, status: 204}
              getBook: {get: "/books/{id:int}", response: {id: int}, status: 200}
              orderBook:
                post: /orders
                body: {title: string}
                response: {id: int}
                status: 202
                outcomes: {late: {when: {status: 202, header: {X-Late: "1"}}}}
              waitForBook: {post: /waits, response: none, status: 202, outcomes: {late: {when: {status: 202, body: {state: late}}, data: {by: date}}}}
              listBooks: {get: /books, response: "[int]"}
              forget: {delete: /searches, response: none}
            """
        func statuses(_ contract: ResolvedContract) -> [String: Int] {
            Dictionary(
                uniqueKeysWithValues: contract.endpoints.compactMap { endpoint in
                    endpoint.definition.status.map { (endpoint.name.value, $0.value) }
                })
        }
        let contract = try resolved(text)
        let document = OpenAPIExport.document(of: contract)
        let paths = try #require(document["paths"])
        func keys(_ path: String, _ method: String) -> [String]? {
            paths[path]?[method]?["responses"]?.pairs.map(\.key).filter { $0.hasPrefix("2") }
        }
        #expect(keys("/books", "post") == ["201"])
        #expect(keys("/imports", "post") == ["202"])
        #expect(keys("/books/{id}", "delete") == ["204"])
        #expect(keys("/books/{id}", "get") == ["200"])
        #expect(keys("/orders", "post") == ["202"])
        #expect(keys("/books", "get") == ["200"])
        #expect(keys("/searches", "delete") == ["2XX"])
        let imported = ImportedDocument(files: ["api.yaml": document.json])
        #expect(imported.findings == [])
        let again = try resolved(imported.contract)
        #expect(statuses(again) == statuses(contract) && statuses(again).count == 6)
        #expect(OpenAPIExport.document(of: again).json == document.json)
    }

    private func resolved(_ text: String) throws -> ResolvedContract {
        let examination = ContractResolver(provider: Texts(texts: ["a.contract.yaml": text])).examine(
            path: "a.contract.yaml")
        return try #require(examination.resolved, "\(examination.findings.map(\.message))\n\(text)")
    }
}
