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

    /// The pages of a list, by the same requests, whatever the contract calls the inputs and the members of a page.
    @Test func pagesFollowFromTheNamesOnTheWire() throws {
        func pages(_ endpoint: String, _ types: String) throws -> [String] {
            let contract = try MockFixture.contract(
                text: """
                    errand: 1
                    service: Shop
                    servers: {local: "http://127.0.0.1:8080"}
                    envelopes: {feed: {data: feed}}
                    types: {Book: {id: int}, \(types)}
                    endpoints:
                      listBooks: {get: /books, \(endpoint)}
                    """)
            var client = MockClient(MockEngine(contract))
            return try ["/books", "/books?size=4", "/books?size=4&start=4&after=9"].map {
                let response = try client.send("GET", $0).reply.response
                return "\(response.status) \(String(decoding: response.body.bytes, as: UTF8.self))"
            }
        }
        func expectSame(_ one: [String], _ other: [String], has total: String) {
            #expect(one == other)
            #expect(Set(one).count > 1 && one.allSatisfy { $0.contains(total) }, "\(one)")
        }
        let total = "\"total_count\":\(MockEngine.usualPagedItems)"
        let page = "envelope: feed, response: Page"
        expectSame(
            try pages(
                "query: {start: int = 0, size: int = 7}, \(page), paginate: {offset: start, size: size, total: feed.total_count, items: feed.books}",
                "Page: {books: '[Book]', total_count: int}"),
            try pages(
                "query: {from: {type: int, default: 0, wire: start}, most: {type: int, default: 7, wire: size}}, \(page), paginate: {offset: from, size: most, total: feed.total, items: feed.elements}",
                "Page: {elements: {type: '[Book]', wire: books}, total: {type: int, wire: total_count}}"),
            has: total)
        expectSame(
            try pages(
                "query: {page: int = 1, size: int = 7}, response: '[Book]', paginate: {page: page}", "A: {a: int}"),
            try pages(
                "query: {number: {type: int, default: 1, wire: page}, perPage: {type: int, default: 7, wire: size}}, response: '[Book]', paginate: {page: number}",
                "A: {a: int}"),
            has: "id")
        expectSame(
            try pages(
                "query: {after: int?, size: int = 7}, \(page), paginate: {cursor: after, last: id, more: feed.more, items: feed.books}",
                "Page: {books: '[Book]', more: bool}"),
            try pages(
                "query: {last: {type: int?, wire: after}, size: int = 7}, \(page), paginate: {cursor: last, last: key, more: feed.goesOn, items: feed.books}",
                "Page: {books: '[Item]', goesOn: {type: bool, wire: more}}, Item: {key: {type: int, wire: id}}"),
            has: "\"more\":")
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
