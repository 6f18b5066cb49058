import ContractModel
import Testing

/// `cache` and `clears`: whose responses are stored, and what cannot be meant.
@Suite struct CacheTests {
    @Test(arguments: [
        ("cache: http", true, nil), ("cache: {http: true}", true, nil),
        ("cache: {http: true, offline: 1h}", true, 3_600_000), ("cache: {http: false, offline: 1h}", false, nil),
        ("doc: Any.", false, nil),
    ])
    func theKeySaysWhetherResponsesAreCached(_ key: String, _ isCached: Bool, _ offline: Int?) throws {
        let result = resolve(ContractFixture("", saying: "", endpoint: "get: /a\nresponse: int\n\(key)").text)
        let endpoint = try #require(result.contract?.endpoints.first, "\(listing(result.diagnostics))")
        #expect((endpoint.cache != nil) == isCached)
        #expect(endpoint.cache?.offline?.value == offline)
    }

    @Test func aWriteNamesWhatItChanges() throws {
        let text = """
            errand: 1
            service: Shop
            endpoints:
              list: {get: /books, response: [string], cache: http}
              find: {get: /book, response: string, cache: {http: true, offline: 1h}}
              add: {post: /books, effect: once, clears: [list, find]}
              drop: {delete: /books, clears: list}
            """
        let contract = try #require(resolve(text).contract)
        #expect(contract.endpoints.map { $0.definition.clears.map(\.value) } == [[], [], ["list", "find"], ["list"]])
    }

    @Test(arguments: [
        ContractFixture("cache-not-possible", saying: "has the effect `once`", endpoint: "post: /a\ncache: «http»"),
        ContractFixture(
            "cache-not-possible", saying: "has the effect `idempotent`",
            endpoint: "get: /a\neffect: idempotent\ncache: «http»"),
        ContractFixture(
            "cache-not-possible", saying: "is a POST", endpoint: "post: /a\neffect: read\ncache: «http»"),
        ContractFixture("cache-not-possible", saying: "is a HEAD", endpoint: "head: /a\nresponse: none\ncache: «http»"),
        ContractFixture(
            "cache-not-possible", saying: "a stream",
            endpoint: "get: /a\nresponse: {b: int}\ndelivery: stream\ncache: «http»"),
        ContractFixture(
            "cache-not-possible", saying: "has pages",
            endpoint: "get: /a\nquery: {page: int}\nresponse: [int]\npaginate: {page: page}\ncache: «http»"),
        ContractFixture(
            "cache-not-possible", saying: "the bytes of a file", endpoint: "get: /a\nresponse: bytes\ncache: «http»"),
        ContractFixture("unknown-value", saying: "http", endpoint: "get: /a\ncache: «always»"),
        ContractFixture("missing-key", saying: "`http`", endpoint: "get: /a\ncache: {«offline»: 1h}"),
        ContractFixture("clears-nothing", saying: "only reads", endpoint: "get: /a\nclears: «ask»"),
        ContractFixture(
            "clears-nothing", saying: "has no `cache`", endpoint: "post: /a\neffect: once\nclears: [«ask»]"),
        ContractFixture("unknown-endpoint", saying: "lis", endpoint: "post: /a\neffect: once\nclears: [«lis»]"),
    ])
    func whatCannotBeMeantIsRefused(_ fixture: ContractFixture) {
        expectIsFound(fixture)
    }
}
