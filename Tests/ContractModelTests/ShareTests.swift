import ContractModel
import Testing

/// `share`: which reads share a request, and what cannot.
@Suite struct ShareTests {
    @Test(arguments: [("share: true", true), ("share: false", false), ("doc: Any.", false)])
    func theKeySaysWhetherReadsShare(_ key: String, _ isShared: Bool) throws {
        let result = resolve(ContractFixture("", saying: "", endpoint: "get: /a\nresponse: int\n\(key)").text)
        let endpoint = try #require(result.contract?.endpoints.first, "\(listing(result.diagnostics))")
        #expect(endpoint.isShared == isShared)
    }

    @Test func aReadByPostIsShared() throws {
        let text = "post: /search\nbody: {text: string}\nresponse: [int]\neffect: read\nshare: true"
        let result = resolve(ContractFixture("", saying: "", endpoint: text).text)
        #expect(result.contract?.endpoints.first?.isShared == true, "\(listing(result.diagnostics))")
    }

    @Test(arguments: [
        ContractFixture(
            "share-not-possible", saying: "has the effect `once`", endpoint: "post: /a\nshare: «true»"),
        ContractFixture(
            "share-not-possible", saying: "has the effect `idempotent`",
            endpoint: "get: /a\neffect: idempotent\nshare: «true»"),
        ContractFixture(
            "share-not-possible", saying: "a stream",
            endpoint: "get: /a\nresponse: {b: int}\ndelivery: stream\nshare: «true»"),
        ContractFixture(
            "share-not-possible", saying: "has pages",
            endpoint: "get: /a\nquery: {page: int}\nresponse: [int]\npaginate: {page: page}\nshare: «true»"),
        ContractFixture("unknown-value", saying: "`true` or `false`", endpoint: "get: /a\nshare: «on»"),
    ])
    func whatCannotBeMeantIsRefused(_ fixture: ContractFixture) {
        expectIsFound(fixture)
    }
}
