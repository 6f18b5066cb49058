import Testing

@testable import ContractModel

/// Lists that a request carries as one text.
@Suite struct JoinedListTests {
    @Test func aListIsJoinedWhereValuesAreTexts() throws {
        let text = """
            errand: 1
            service: Sample
            endpoints:
              ask:
                post: /a
                query: {ids: {type: [int], joined: commas}}
                headers: {X-Days: {type: "[date]?", joined: pipes}}
                body: {encoding: form, fields: {words: {type: [string], joined: spaces, default: []}}}
            """
        let result = resolve(text)
        let endpoint = try #require(result.contract?.endpoints.first, "\(listing(result.diagnostics))")
        #expect(endpoint.inputs.map { $0.joining?.value } == [.commas, .pipes, .spaces])
    }

    @Test(arguments: [
        ContractFixture(
            "conflicting-keys", saying: "`joined` is not valid for a `int`",
            part: "  ask: {get: /a, query: {ids: {type: int, joined: «commas»}}}\n"),
        ContractFixture(
            "conflicting-keys", saying: "`joined` is only valid in a query, a header and a form",
            part: "  ask: {post: /a, body: {ids: {type: [int], joined: «commas»}}}\n"),
        ContractFixture(
            "conflicting-keys", saying: "`joined` is only valid in a query, a header and a form",
            part: "  ask: {get: /a, response: {ids: {type: [int], joined: «commas»}}}\n"),
        ContractFixture(
            "unknown-value", saying: "`joined`", part: "  ask: {get: /a, query: {ids: {type: [int], joined: «tabs»}}}\n"
        ),
        ContractFixture(
            "invalid-parameter-type", saying: "a header must be a single value",
            part: "  ask: {get: /a, headers: {X-IDs: «\"[int]\"»}}\n"),
    ])
    func mistakesAreFound(_ fixture: ContractFixture) { expectIsFound(fixture) }
}
