import Foundation
import Testing

/// The operation `query` of OpenAPI 3.2.
@Suite struct QueryMethodImportTests {
    private static let body =
        "requestBody: {required: true, content: {application/json: {schema: {type: object, required: [text], properties: {text: {type: string}}}}}}"
    private static let responses =
        "responses: {200: {description: Fine, content: {application/json: {schema: {type: array, items: {type: integer}}}}}, 404: {description: None}}"

    private func document(_ item: String) -> ImportedDocument {
        ImportedDocument(paths: "/orders: {\(item)}", version: "3.2.0")
    }

    @Test func itIsAnEndpointWithABody() {
        let document = document("query: {operationId: findOrders, \(Self.body), \(Self.responses)}")
        #expect(document.problems == [])
        #expect(document.findings == [])
        let block = document.block("findOrders:")
        #expect(block.contains("query: /orders") && block.contains("text: string"), "\(block)")
        #expect(!block.contains("effect") && !document.contract.contains("errand:review the request"), "\(block)")
    }

    /// A document whose tool knows no key for the method.
    @Test func itIsAlsoReadAmongOtherMethods() {
        let document = document(
            "additionalOperations: {QUERY: {operationId: findOrders, \(Self.body), \(Self.responses)}, PURGE: {\(Self.responses)}}"
        )
        #expect(document.block("findOrders:").contains("query: /orders"), "\(document.contract)")
        #expect(document.findings.filter { $0.contains("PURGE /orders") }.count == 1, "\(document.findings)")
    }

    /// A contract has no place for parameters of its query. Without one that the server needs, there is no endpoint.
    @Test func parametersOfItsQueryAreLost() {
        for isRequired in [false, true] {
            let document = document(
                "parameters: [{name: limit, in: query, required: \(isRequired), schema: {type: integer}}], "
                    + "query: {operationId: findOrders, \(Self.body), \(Self.responses)}, "
                    + "get: {operationId: listOrders, \(Self.responses)}")
            #expect(document.findings.contains { $0.contains("openapi-parameter-lost: `limit` is left out") })
            #expect(document.contract.contains("findOrders:") != isRequired, "\(document.contract)")
            #expect(document.block("listOrders:").contains("limit: int"), "\(document.contract)")
        }
    }

    /// The client follows a 303 to a QUERY with a GET, so that it is no error.
    @Test func aRedirectIsNoError() {
        let responses = Self.responses.replacingOccurrences(of: "404:", with: "303: {description: There}, 404:")
        let document = document("query: {operationId: findOrders, \(Self.body), \(responses)}")
        #expect(document.problems == [] && !document.contract.contains("303"), "\(document.contract)")
    }
}
