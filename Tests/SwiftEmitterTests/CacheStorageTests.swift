import Testing

@testable import SwiftEmitter

/// Where the responses of a read with `cache` may be kept, as the generated client says it to the runtime.
@Suite struct CacheStorageTests {
    private static func endpoint(_ keys: String) -> String { "ask: {get: /a, cache: http, \(keys)}" }

    @Test(
        arguments: [
            // In memory, and on the disk.
            ("response: {name: string}", nil),
            ("response: Open", nil),
            // The runtime knows the headers that are secret.
            ("response: string, credentials: key", nil),
            ("response: string, session: required", nil),
            // Sensitive members, however deep, through lists, maps, aliases and unions, and in headers.
            ("response: {pin: {type: string, sensitive: true}}", "sealed"),
            ("response: Person", "sealed"), ("response: {people: \"[Person]\"}", "sealed"),
            ("response: {people: \"[string: Other]\"}", "sealed"), ("response: Either", "sealed"),
            ("response: {type: string, headers: {X-Pin: {type: string, sensitive: true}}}", "sealed"),
            ("response: {type: string, headers: {X-Kind: string}}", nil),
            // The name of a file would have a hash of it.
            ("response: string, query: {pin: {type: string, sensitive: true}}", "memory"),
            ("response: Person, query: {pin: {type: string, sensitive: true}}", "memory"),
            ("response: string, headers: {X-Pin: {type: string, sensitive: true}}", "memory"),
            ("response: string, credentials: secret", "memory"),
            ("response: string, credentials: [key, secret]", "memory"),
        ] as [(String, String?)])
    func aSecretIsSealedOrInMemory(keys: String, storage: String?) throws {
        try expect(storage, of: Self.endpoint(keys))
    }

    @Test func theBodyOfAQueryCounts() throws {
        try expect("memory", of: "ask: {query: /a, cache: http, body: Person, response: string}")
        try expect(nil, of: "ask: {query: /a, cache: http, body: Open, response: string}")
    }

    /// It is in the URL of each request that has a session.
    @Test(arguments: [("required", "memory"), ("optional", "memory"), ("none", nil)] as [(String, String?)])
    func aTokenInTheURLIsInMemory(use: String, storage: String?) throws {
        try expect(storage, of: Self.endpoint("response: string, session: \(use)"), session: "parameter: token")
    }

    @Test func theTimeWithoutANetworkIsToldBeside() throws {
        let emitted = try EmittedContract(
            Self.contract("ask: {get: /a, cache: {http: true, offline: 1h}, response: Person}", "header: X-Token"))
        #expect(emitted.text.contains("cache: CacheRule(offline: .seconds(3600), storage: .sealed)"))
    }

    private func expect(
        _ storage: String?, of endpoint: String, session: String = "header: X-Token",
        at place: SourceLocation = #_sourceLocation
    ) throws {
        let emitted = try EmittedContract(Self.contract(endpoint, session))
        #expect(emitted.findings.isEmpty, "\(emitted.diagnostics)", sourceLocation: place)
        let wanted = "cache: CacheRule(\(storage.map { "storage: .\($0)" } ?? ""))"
        #expect(emitted.text.contains(wanted), "\(endpoint): \(wanted)", sourceLocation: place)
    }

    private static func contract(_ endpoint: String, _ session: String) -> String {
        EmittedContract.contract(
            """
            session: {\(session), login: logIn, token: token}
            credentials: {key: {header: X-Key}, secret: {query: key}}
            types:
              Open: {name: string}
              Person: {name: string, pin: {type: string, sensitive: true}}
              Other: {alias: Person}
              Either: {union: {by: kind, cases: {open: Open, person: Other}}}
            endpoints:
              logIn: {post: /in, response: {token: {type: string, sensitive: true}}, session: none, effect: idempotent}
              \(endpoint)
            """)
    }
}
