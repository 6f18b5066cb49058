import Testing

@testable import ContractModel

/// `status`: the status of a usual success, and which statuses cannot be it.
@Suite struct StatusTests {
    @Test(arguments: [
        ("response: {id: int}\nstatus: 201", 201), ("response: none\nstatus: 204", 204), ("status: 202", 202),
        ("response: {id: int}", nil),
        // Told from the usual success by more than the status.
        ("response: none\nstatus: 202\noutcomes: {later: {when: {status: 202, body: {state: queued}}}}", 202),
        ("response: none\nstatus: 200\noutcomes: {later: {when: {status: 202}}}", 200),
    ])
    func theEndpointSaysIt(_ lines: String, _ wanted: Int?) throws {
        let fixture = ContractFixture("", saying: "", endpoint: "post: /a\nbody: {}\n" + lines)
        let result = resolve(fixture.text)
        let found = try #require(result.contract?.endpoints.first, "\(listing(result.diagnostics))")
        #expect(found.definition.status?.value == wanted)
        let printed = EndpointKeys.mapping.json(of: found.definition).json
        #expect(printed.contains(#""status":"#) == (wanted != nil), "\(printed)")
    }

    @Test(arguments: [
        ContractFixture("invalid-value", saying: "200", endpoint: "get: /a\nresponse: string\nstatus: «304»"),
        ContractFixture(
            "response-on-204", saying: "write `response: none`", endpoint: "get: /a\nresponse: string\nstatus: «204»"),
        ContractFixture(
            "response-on-204", saying: "status 205 has no body", endpoint: "get: /a\nresponse: bytes\nstatus: «205»"),
        ContractFixture(
            "response-on-204", saying: "no code that makes it a success",
            endpoint: "put: /a\nresponse: none\nenvelope: e\nstatus: «204»",
            more: "envelopes: {e: {code: code, success: 0}}\n"),
        ContractFixture(
            "outcome-matches-success", saying: "the outcome `later` matches it",
            endpoint: "put: /a\nstatus: «202»\noutcomes: {later: {when: {status: [202, 208]}}}"),
        // One mistake, and one finding.
        ContractFixture(
            "outcome-matches-success", saying: "every success",
            endpoint: "put: /a\nstatus: 202\noutcomes: {later: {when: {status: «200..299»}}}"),
        ContractFixture(
            "error-matches-success", saying: "HTTP 202 is a success",
            endpoint: "put: /a\nstatus: 202\nerrors: [odd]",
            more: "errors: {odd: {category: nonRetryable, when: {status: «202»}}}\n"),
        ContractFixture(
            "http-key-at-frame", saying: "remove the key",
            endpoint: "frame: a\neffect: read\nresponse: {name: string}\n«status»: 201", more: "connection: {}\n"),
    ])
    func whatCannotBeItIsRefused(_ fixture: ContractFixture) {
        expectIsFound(fixture)
    }
}
