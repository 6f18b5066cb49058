import Testing

@testable import ContractModel

/// The headers that a contract declares for a response.
@Suite struct ResponseHeaderTests {
    private static func endpoint(_ text: String) -> String {
        "errand: 1\nservice: Sample\ntypes: {Level: {enum: {low: 1, high: 2}}, Item: {id: int}}\nendpoints:\n  ask: {\(text)}\n"
    }

    private static func resolved(_ text: String) throws -> ResolvedEndpoint {
        let result = resolve(endpoint(text))
        return try #require(result.contract?.endpoints.first, "\(listing(result.diagnostics))")
    }

    @Test func headersAreBesideAnyPayload() throws {
        for (payload, count) in [("type: Item, ", 1), ("fields: {id: int}, ", 1), ("encoding: bytes, ", 1), ("", 1)] {
            let endpoint = try Self.resolved(
                "get: /a, response: {\(payload)headers: {left: {wire: X-Left, type: int?}}}")
            #expect(endpoint.responseHeaders.count == count && endpoint.responseHeaders[0].wireName == "X-Left")
            #expect(endpoint.definition.isResponseOfHeaders == payload.isEmpty)
        }
        let probe = try Self.resolved("head: /a, response: {headers: {etag: string}}")
        #expect(probe.definition.isResponseOfHeaders)
    }

    /// A field may have the name of the key.
    @Test func aFieldMayBeCalledHeaders() throws {
        let endpoint = try Self.resolved("get: /a, response: {headers: string, id: int}")
        guard case .fields(let fields) = endpoint.response.value else {
            Issue.record("\(endpoint.response)")
            return
        }
        #expect(fields.map(\.name.value) == ["headers", "id"] && endpoint.responseHeaders.isEmpty)
    }

    @Test(arguments: [
        ("get: /a, response: {type: Item, headers: {left: Item}}", "invalid-parameter-type"),
        ("get: /a, response: {type: Item, headers: {left: \"[Level]\"}}", "invalid-parameter-type"),
        ("get: /a, response: {type: Item, headers: {left: \"[string?]\"}}", "invalid-parameter-type"),
        ("get: /a, response: {type: Item, headers: {left: json}}", "invalid-parameter-type"),
        ("get: /a, response: {type: Item, headers: {left: {type: int, coerce: true}}}", "conflicting-keys"),
        ("get: /a, response: {type: Item, headers: {left: {type: int?, lenient: true}}}", "conflicting-keys"),
        ("get: /a, response: {type: Item, headers: {left: {type: int?, nullable: distinct}}}", "conflicting-keys"),
        ("get: /a, response: {type: Item, headers: {left: {type: int, wire: a b}}}", "invalid-header"),
        ("get: /a, response: {type: Item, headers: {left: int, Left: int}}", "duplicate-wire-name"),
        ("get: /a, response: {type: Item, headers: {left: Missing}}", "unknown-type"),
        ("get: /a, response: {type: Item, headers: {left: int}}, delivery: stream", "conflicting-keys"),
        ("get: /a, response: {headers: {left: int}, skipInvalid: true}", "conflicting-keys"),
        ("get: /a, response: {type: Item, encoding: bytes, headers: {left: int}}", "conflicting-keys"),
        ("head: /a, response: {type: Item, headers: {left: int}}", "body-on-head"),
        ("post: /a, response: {headers: {left: int?}}, confirm: {endpoint: ask, with: {}}", "conflicting-keys"),
    ])
    func mistakesAreFound(text: String, rule: String) {
        let findings = resolve(Self.endpoint(text)).diagnostics
        #expect(findings.contains { $0.rule == rule }, "\(listing(findings))")
    }

    @Test func headersArePrintedAsTheyAreRead() throws {
        let text = """
            errand: 1
            service: Sample

            endpoints:
              ask:
                get: /a
                response: {type: "[int]?", headers: {left: {type: int, wire: X-Left, default: 1}}}

              load:
                get: /b
                response:
                  headers:
                    etag: string?
                  encoding: bytes

              probe:
                head: /c
                response:
                  headers:
                    etag: string

            """
        let written = try #require(
            ContractResolver(provider: MemorySource(files: ["a.contract.yaml": text])).written(path: "a.contract.yaml"))
        #expect(ContractPrinter.text(of: written) == text)
    }
}
