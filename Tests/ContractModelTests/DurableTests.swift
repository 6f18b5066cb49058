import ContractModel
import Testing

/// `durable`: what an outbox keeps for how long, and what is refused.
@Suite struct DurableTests {
    @Test func theLongFormHasLifetimeAndLane() throws {
        let text = "post: /a\ndurable: {lifetime: 48h, lane: messages}"
        let result = resolve(ContractFixture("", saying: "", endpoint: text).text)
        let durable = try #require(result.contract?.endpoints.first?.durable, "\(listing(result.diagnostics))")
        #expect(durable.lifetime?.value == 172_800_000)
        #expect(durable.lane == "messages")
    }

    @Test(arguments: [("durable: true", true), ("durable: {}", true), ("durable: false", false), ("doc: Any.", false)])
    func theShortFormSaysWhetherItIsKept(_ key: String, _ isKept: Bool) throws {
        let result = resolve(ContractFixture("", saying: "", endpoint: "post: /a\n\(key)").text)
        let endpoint = try #require(result.contract?.endpoints.first, "\(listing(result.diagnostics))")
        #expect((endpoint.durable != nil) == isKept)
    }

    @Test(arguments: [
        ContractFixture(
            "durable-not-possible", saying: "a stream",
            endpoint: "get: /a\nresponse: {b: int}\ndelivery: stream\ndurable: «true»"),
        ContractFixture("invalid-value", saying: "lane", endpoint: "post: /a\ndurable: {lane: «\"\"»}"),
        ContractFixture("unknown-key", saying: "did you mean `lane`?", endpoint: "post: /a\ndurable: {«lan»: a}"),
    ])
    func whatCannotBeMeantIsRefused(_ fixture: ContractFixture) {
        expectIsFound(fixture)
    }
}
