import Testing

@testable import MockServer

/// What the server sends follows from the names on the wire. Another name in the contract, and so in Swift, changes nothing.
@Suite struct RenamedFieldTests {
    @Test func aRenamedFieldKeepsItsValues() throws {
        func contract(_ name: String, _ id: String, _ header: String) -> String {
            """
            errand: 1
            service: Shop
            servers: {local: "http://127.0.0.1:8080"}
            types:
              Item: {\(id): {type: int, wire: id}, \(name): {type: string, wire: display_name}, tags: [string]}
            endpoints:
              getItem:
                get: /items/{itemID:int}
                response: {type: Item, headers: {\(header): {type: string, wire: X-Author-Name}, total: int}}
              findItem:
                get: /found
                query: {\(name): {type: string, wire: display_name}}
                response: {\(id): {type: int, wire: id}, \(name): {type: string, wire: display_name}}
            """
        }
        let texts = [
            contract("displayName", "id", "author"), contract("title", "reference", "writer"),
        ]
        let responses = try texts.map { text in
            let contract = try MockFixture.contract(text: text)
            var client = MockClient(MockEngine(contract))
            return try ["/items/7", "/found?display_name=Riga"].map { path -> String in
                let response = try client.send("GET", path).reply.response
                return "\(response.status) \(response.headers) \(String(decoding: response.body.bytes, as: UTF8.self))"
            }
        }
        #expect(responses[0] == responses[1])
        #expect(responses[0][0].contains("\"id\":7") && responses[0][1].contains("Riga"), "\(responses[0])")
    }

    @Test func aHeaderHasRandomNumbersOfItsOwn() throws {
        func value(_ headers: String) throws -> String? {
            let contract = try MockFixture.contract(
                text: """
                    errand: 1
                    service: Shop
                    servers: {local: "http://127.0.0.1:8080"}
                    endpoints:
                      getItem: {get: /item, response: {type: [string], headers: {\(headers)}}}
                    """)
            let endpoint = try #require(contract.endpoints.first)
            return PayloadMaker(contract: contract, seed: 3).headers(of: endpoint).first { $0.name == "total" }?.value
        }
        let alone = try #require(try value("total: int"))
        #expect(try value("first: int, second: {type: string}, total: int") == alone)
    }
}
