import ContractModel
import Diagnostics
import Testing

@testable import OpenAPI

/// Examples of fields are in the document as values on the wire.
@Suite struct ExampleExportTests {
    private static let contract = """
        errand: 1
        service: Shop
        servers: {main: "https://shop.example"}
        types:
          Size: {enum: {small: 1, large: 2}}
          Kind: {enum: {book: b, "film": "2"}}
          Item:
            name: {type: string, example: "7"}
            price: {type: decimal, example: 9.50}
            size: {type: Size, example: small}
            kind: {type: Kind?, example: film}
            other: {type: Kind?, example: b}
            isNew: {type: bool, example: true}
            soldAt: {type: timestamp, format: yyyyMMddHHmm, example: 202611210800}
            place: {type: Place?, example: {rowNumber: 3, tags: [a, "1"]}}
          Place: {rowNumber: {type: int, wire: row}, tags: [string]}
        endpoints:
          get: {get: /item, query: {limit: {type: int?, example: 20}}, response: Item}
        """

    private func document() throws -> ReportValue {
        let files = Texts(texts: ["a.contract.yaml": Self.contract])
        let resolved = ContractResolver(provider: files).examine(path: "a.contract.yaml").resolved
        return OpenAPIExport.document(of: try #require(resolved))
    }

    @Test func anExampleIsAValueOnTheWire() throws {
        let document = try document()
        let fields = document["components"]?["schemas"]?["Item"]?["properties"]
        for (name, wanted) in [
            ("name", "[\"7\"]"), ("price", "[9.50]"), ("size", "[1]"), ("kind", "[\"2\"]"), ("other", "[\"b\"]"),
            ("isNew", "[true]"), ("soldAt", "[\"202611210800\"]"), ("place", "[{\"row\":3,\"tags\":[\"a\",\"1\"]}]"),
        ] {
            let json = fields?[name]?["examples"]?.json.filter { !$0.isWhitespace }
            #expect(json == wanted, "\(name)")
        }
    }

    @Test func theImportReadsItBack() throws {
        let imported = ImportedDocument(files: ["api.json": try document().json], main: "api.json")
        #expect(imported.findings == [])
        #expect(imported.problems == [])
        for line in [
            "name: {type: string, example: \"7\"}", "price: {type: decimal, example: 9.50}",
            "size: {type: Size, example: small}", "kind: {type: Kind?, example: film}",
            "limit: {type: int?, example: 20}", "place: {type: Place?, example: {row: 3, tags: [a, \"1\"]}}",
        ] {
            #expect(imported.contract.contains(line), "\(line)")
        }
    }
}
