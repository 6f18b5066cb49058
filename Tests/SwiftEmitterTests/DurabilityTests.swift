import Testing

/// The fingerprint of a durable command changes with the form of its inputs, and with nothing else.
@Suite struct DurabilityTests {
    private static let endpoint =
        "tell: {post: /a, query: {b: \"B?\"}, body: {c: string}, effect: keyed, durable: {lane: x}, response: int}"
    private static let types = "types: {B: {enum: [d, e]}}\n"

    private func fingerprint(_ endpoint: String = endpoint, _ types: String = types) throws -> Substring {
        let text = try EmittedContract(EmittedContract.contract("\(types)endpoints:\n  \(endpoint)\n")).text
        let start = try #require(text.range(of: "fingerprint: \""), "\(text)")
        return text[start.upperBound...].prefix(16)
    }

    @Test func theCommandAndItsClientSayIt() throws {
        let text = try EmittedContract(EmittedContract.contract("\(Self.types)endpoints:\n  \(Self.endpoint)\n")).text
        #expect(text.contains("nonisolated extension Shop.Tell: ErrandRuntime.DurableCommand {"))
        #expect(text.contains("nonisolated extension Shop: ErrandRuntime.DurableClient {"))
        #expect(text.contains("[Shop.Tell.self]"))
    }

    @Test(arguments: [
        ("post: /a", "post: /b"), ("post: /a", "put: /a"), ("B?", "B"), ("{c: string}", "{c: int}"),
        ("{c: string}", "{c: string, d: int?}"), ("{c: string}", "{c: {type: string, wire: C}}"), ("keyed", "once"),
        ("{c: string}", "{encoding: form, fields: {c: string}}"),
    ])
    func anotherFormIsAnotherFingerprint(_ old: String, _ new: String) throws {
        let changed = Self.endpoint.replacingOccurrences(old, by: new)
        #expect(changed != Self.endpoint)
        #expect(try fingerprint(changed) != fingerprint())
    }

    @Test func anotherTypeIsAnotherFingerprint() throws {
        #expect(try fingerprint(Self.endpoint, "types: {B: {enum: [d, f]}}\n") != fingerprint())
    }

    @Test(arguments: [
        ("response: int", "response: string"), ("{lane: x}", "{lifetime: 1h}"),
        ("effect: keyed", "effect: keyed, doc: More., timeout: 3s"),
        ("{c: string}", "{c: {type: string, doc: The text., swift: words}}"),
    ])
    func anythingElseIsTheSame(_ old: String, _ new: String) throws {
        let changed = Self.endpoint.replacingOccurrences(old, by: new)
        #expect(changed != Self.endpoint)
        #expect(try fingerprint(changed) == fingerprint())
    }
}

extension String {
    fileprivate func replacingOccurrences(_ old: String, by new: String) -> String {
        split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }
}
