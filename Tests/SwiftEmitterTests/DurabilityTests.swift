import ContractModel
import Testing

/// The fingerprint of a durable command changes with the form of its inputs, and with nothing else.
@Suite struct DurabilityTests {
    private static let endpoint =
        "tell: {post: /a, query: {b: \"B?\"}, body: {c: string}, effect: keyed, durable: {lane: x}, response: int}"
    private static let types = "types: {B: {enum: [d, e]}}\n"

    private func fingerprint(_ endpoint: String = endpoint, _ types: String = types) throws -> String {
        let text = try EmittedContract(EmittedContract.contract("\(types)endpoints:\n  \(endpoint)\n")).text
        let start = try #require(text.range(of: "fingerprint: \""), "\(text)")
        return String(text[start.upperBound...].prefix { $0 != "\"" })
    }

    /// Whether an outbox sends a command that an earlier version of the contract has kept.
    private func isSent(_ old: String, by new: String, _ oldTypes: String = types, _ newTypes: String = types) throws
        -> Bool
    {
        InputForm(try fingerprint(new, newTypes)).takes(InputForm(try fingerprint(old, oldTypes)))
    }

    @Test func theCommandAndItsClientSayIt() throws {
        let text = try EmittedContract(EmittedContract.contract("\(Self.types)endpoints:\n  \(Self.endpoint)\n")).text
        #expect(text.contains("nonisolated extension Shop.Tell: ErrandDurable.DurableCommand {"))
        #expect(text.contains("nonisolated extension Shop: ErrandDurable.DurableClient {"))
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
        let isAdded = new.contains("d: int?")
        #expect(try isSent(Self.endpoint, by: changed) == isAdded)
        #expect(try !isSent(changed, by: Self.endpoint))
    }

    @Test(arguments: [
        ("{c: string}", "{c: string, d: int?}"), ("{c: string}", "{c: string, d: int = 3}"),
        ("{c: string}", "{c: string, d: \"Other?\"}"), ("body:", "headers: {d: string?}, body:"),
        ("query: {b: \"B?\"}, ", ""), ("{c: string}", "{a: string?, c: string}"),
    ])
    func anInputThatMayBeLeftOutCanBeAdded(_ old: String, _ new: String) throws {
        let changed = Self.endpoint.replacingOccurrences(old, by: new)
        #expect(changed != Self.endpoint)
        let types = Self.types.replacingOccurrences("}}\n", by: "}, Other: {a: B, o: int?}}\n")
        let versions = new.isEmpty ? (changed, Self.endpoint) : (Self.endpoint, changed)
        #expect(try isSent(versions.0, by: versions.1, types, types))
        #expect(try !isSent(versions.1, by: versions.0, types, types))
    }

    /// A body that has only inputs that may be left out was none before.
    @Test func theFirstInputMayAddTheBody() throws {
        let (none, some) = (
            Self.endpoint.replacingOccurrences("body: {c: string}, ", by: ""),
            Self.endpoint.replacingOccurrences("{c: string}", by: "{c: string?}")
        )
        #expect(try isSent(none, by: some))
        let form = some.replacingOccurrences("{c: string?}", by: "{encoding: form, fields: {c: string?}}")
        #expect(try !isSent(some, by: form))
        #expect(try isSent(none, by: form))
    }

    /// A member of a type that inputs mention, also through others.
    @Test(arguments: [
        ("{a: int}", "{a: int, b: int?}", true), ("{a: int}", "{a: int, b: int}", false),
        ("{a: int}", "{a: int?}", false), ("{a: int, b: int?}", "{a: int}", false),
        ("{a: int, b: int?}", "{a: int, b: string?}", false),
        ("{a: int, b: int?}", "{a: int, b: int?, c: D = d}", true),
        ("{a: int, b: D?}", "{a: int, b: D?, c: E?}", true),
    ])
    func aMemberThatMayBeLeftOutCanBeAdded(_ old: String, _ new: String, _ isSent: Bool) throws {
        let endpoint = Self.endpoint.replacingOccurrences("{c: string}", by: "{c: C}")
        func types(_ inner: String) -> String {
            "types: {B: {enum: [d, e]}, C: {i: I}, I: \(inner), D: {enum: [d]}, E: {d: D, e: int?}}\n"
        }
        #expect(try self.isSent(endpoint, by: endpoint, types(old), types(new)) == isSent)
    }

    /// The type of an input that may be left out has changed, and a kept command may have it.
    @Test func anotherTypeOfAnOptionalInputIsAnotherForm() throws {
        let other = "types: {B: {enum: [d, e, f]}}\n"
        #expect(try !isSent(Self.endpoint, by: Self.endpoint, Self.types, other))
    }

    /// The second hash is the first one from before any input was added that may be left out, so commands with one hash alone, which
    /// earlier versions of Errand have kept, are sent as well. The recorded clients show that the first hash is still theirs.
    @Test func theSecondHashIsThatOfTheFormBefore() throws {
        let new = Self.endpoint.replacingOccurrences("{c: string}", by: "{c: string, d: int?}")
        let bare = try fingerprint(Self.endpoint.replacingOccurrences("query: {b: \"B?\"}, ", by: ""))
        let parts = try fingerprint(new).split(separator: " ")
        #expect(bare.count == 16)
        #expect(parts.map(\.count) == [16, 16, 8, 8])
        #expect(parts[1] == bare)
        #expect(try InputForm(fingerprint(new)).takes(InputForm(bare)))
        // What that command had is unknown.
        #expect(try !InputForm(fingerprint(new)).takes(InputForm(String(fingerprint().prefix(16)))))
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
