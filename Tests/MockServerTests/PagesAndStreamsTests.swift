import Testing

@testable import MockServer

/// Lists that come in pages, and streams: the parts fit together.
@Suite struct PagesAndStreamsTests {
    private func client(_ endpoint: String, _ more: String = "") throws -> MockClient {
        let contract = try MockFixture.contract(
            text: """
                errand: 1
                service: Shop
                servers: {local: http://127.0.0.1:8080}
                types: {Book: {id: int, title: string}}
                endpoints:
                  \(endpoint)
                \(more)
                """)
        return MockClient(MockEngine(contract))
    }

    /// All identities of a walk, page by page.
    private func walk(_ client: inout MockClient, _ first: String, next: (MockClient.Answer) -> String?) throws
        -> [String]
    {
        var found: [String] = []
        var target: String? = first
        for _ in 0..<100 {
            guard let now = target else { return found }
            let answer = try client.send("GET", now)
            #expect(answer.status == 200, "\(answer.reply.entry.findings)")
            let elements = answer.json.elements ?? answer.json["items"]?.elements ?? []
            found += elements.compactMap { $0["id"]?.scalarText }
            target = next(answer)
        }
        return []
    }

    private func expectAll(_ found: [String]) {
        #expect(found.count == MockEngine.usualPagedItems && Set(found).count == found.count, "\(found)")
    }

    @Test func numberedPages() throws {
        var client = try client(
            "listBooks: {get: /books, query: {page: int = 1}, response: '[Book]', paginate: {page: page}}")
        var page = 1
        expectAll(
            try walk(&client, "/books?page=1") { answer in
                page += 1
                return answer.json.elements?.isEmpty == false ? "/books?page=\(page)" : nil
            })
        #expect(try client.send("GET", "/books?page=9223372036854775807").json == .array([]))
    }

    @Test func offsets() throws {
        var client = try client(
            "listBooks: {get: /books, query: {start: int = 0, size: int = 7}, response: {items: '[Book]', total: int}, paginate: {offset: start, size: size, total: total, items: items}}"
        )
        var start = 0
        expectAll(
            try walk(&client, "/books?size=4") { answer in
                #expect(answer.json["total"] == .number(MockEngine.usualPagedItems))
                start += 4
                return start < MockEngine.usualPagedItems ? "/books?size=4&start=\(start)" : nil
            })
    }

    /// A required number has no default, and its range says where the numbers begin.
    @Test(arguments: [("offset: n", 1, 4), ("page: n", 1, 1), ("page: n", 0, 1)])
    func numbersBeginWithTheirRange(_ style: String, _ first: Int, _ step: Int) throws {
        var client = try client(
            "listBooks: {get: /books, query: {n: {type: int, range: \(first)..1000}, size: int = 4}, response: {items: '[Book]', total: int}, paginate: {\(style), total: total, items: items}}"
        )
        var (number, count) = (first, 0)
        expectAll(
            try walk(&client, "/books?n=\(first)") { _ in
                number += step
                count += 4
                return count < MockEngine.usualPagedItems ? "/books?n=\(number)" : nil
            })
    }

    @Test func cursors() throws {
        var client = try client(
            "listBooks: {get: /books, query: {cursor: string?}, response: {items: '[Book]', next: string?}, paginate: {cursor: cursor, next: next, items: items}}"
        )
        expectAll(
            try walk(&client, "/books") { answer in answer.json["next"]?.scalarText.map { "/books?cursor=\($0)" } })
    }

    @Test func links() throws {
        var client = try client("listBooks: {get: /books, response: '[Book]', paginate: {link: next}}")
        expectAll(
            try walk(&client, "/books") { answer in
                answer.reply.response.header("Link").map { String($0.dropFirst().prefix { $0 != ">" }) }
            })
    }

    @Test func aStreamGoesOnAfterTheLastEvent() throws {
        var client = try client("watchBooks: {get: /news, delivery: stream, response: Book}")
        let all = try client.send("GET", "/news")
        guard case .elements(let elements, _) = all.reply.response.body else {
            Issue.record("this is a stream")
            return
        }
        #expect(elements.count == MockEngine.streamedElements)
        #expect(String(decoding: elements[0], as: UTF8.self).hasPrefix("id: 1\ndata: {"))
        let rest = try client.send("GET", "/news", headers: [("Last-Event-ID", "3")])
        #expect(rest.reply.response.body.bytes == elements[3...].flatMap { $0 })
    }
}
