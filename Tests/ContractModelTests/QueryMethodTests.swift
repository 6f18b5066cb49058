import Testing
import YAMLTree

@testable import ContractModel

/// `query` as a method: a read with a body (RFC 10008). With a mapping, the key has the fields of the query.
@Suite struct QueryMethodTests {
    private func endpoint(_ text: String) throws -> ResolvedEndpoint {
        let result = resolve(ContractFixture("", saying: "", endpoint: text).text)
        return try #require(result.contract?.endpoints.first, "\(listing(result.diagnostics))")
    }

    @Test func aTextIsThePathOfARead() throws {
        let search = try endpoint("query: \"/shelves/{shelf:int}\"\nbody: {text: string}\nresponse: [int]\nshare: true")
        #expect(search.method == .query && search.effect == .read && search.isShared)
        #expect(search.path?.text == "/shelves/{shelf:int}")
        #expect(search.query.isEmpty && search.body != nil)
    }

    @Test func aMappingHasTheFieldsOfTheQuery() throws {
        for text in ["get: /a\nquery: {page: int}", "query: {page: int}\nget: /a"] {
            let list = try endpoint(text)
            #expect(list.method == .get && list.query.map(\.name.value) == ["page"])
        }
        // A field may have the name of the key.
        #expect(try endpoint("post: /a\nbody: {query: string}\nresponse: none").method == .post)
    }

    @Test(arguments: [
        "query: /orders\n    body:\n      text: string\n    response: none",
        "get: /orders\n    query:\n      page: int\n    response: none",
    ])
    func printingChangesNothing(_ endpoint: String) throws {
        let text = "errand: 1\nservice: Sample\n\nendpoints:\n  search:\n    \(endpoint)\n"
        let document = try #require(YAMLParser().parse(text, file: "a.contract.yaml").document)
        let contract = try #require(ContractDecoder.decode(document).contract)
        #expect(ContractPrinter.text(of: contract) == text)
    }

    @Test(arguments: [
        ContractFixture(
            "conflicting-keys", saying: "an endpoint has one method", endpoint: "get: /a\n«query»: /b\nresponse: none"),
        ContractFixture(
            "missing-key", saying: "does not have a method", endpoint: "«query»: {page: int}\nresponse: none"),
        ContractFixture("wrong-kind", saying: "a mapping of names", endpoint: "get: /a\nquery: «[page]»"),
        ContractFixture("missing-value", saying: "query", endpoint: "get: /a\n«query»:"),
        ContractFixture("invalid-path", saying: "write `/orders`", endpoint: "query: «orders»\nbody: {text: string}"),
        ContractFixture(
            "pages-not-walkable", saying: "no parameters in the query",
            endpoint: "query: /a\nbody: {page: int}\nresponse: [int]\npaginate: «{page: page}»"),
        ContractFixture(
            "body-on-get", saying: "or use `query`", endpoint: "get: /a\nbody: «{text: string}»\nresponse: none"),
    ])
    func whatCannotBeMeantIsRefused(_ fixture: ContractFixture) {
        expectIsFound(fixture)
    }

    /// The schema of the editor takes and refuses the same.
    @Test func theSchemaAgrees() throws {
        let endpoints = [
            "{query: /a, body: {text: string}}", "{get: /a, query: {page: int}}", "{query: {page: int}}",
            "{get: /a, query: /b}", "{query: a}", "{query: [a]}",
        ]
        let documents = endpoints.compactMap {
            DocumentTree("errand: 1\nservice: Sample\nendpoints: {ask: \($0)}\n")
        }
        guard let refusals = try SchemaJudge.refusals(of: documents) else { return }
        #expect(refusals.map(\.isEmpty) == [true, true, false, false, false, false], "\(refusals)")
    }
}
