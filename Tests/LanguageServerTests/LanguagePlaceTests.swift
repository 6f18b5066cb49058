import ContractModel
import Testing
import YAMLTree

@testable import LanguageServer

/// The valid texts at each place, compared with those that the decoder reads.
@Suite struct LanguagePlaceTests {
    private func place(_ path: String, in text: String? = nil) -> LanguagePlace {
        LanguagePlace(
            path.split(separator: ".").map(String.init), in: text.flatMap { YAMLParser().parse($0, file: "a").document }
        )
    }

    /// Every key that a contract of the checkout has where the decoder takes it for one of the language is known to be one.
    @Test func everyKeyOfEveryContractIsKnown() throws {
        var count = 0
        for (name, text) in try CursorPathTests.contracts() where !CursorPathTests.holdsMapType(text) {
            guard let document = YAMLParser().parse(text, file: name).document else { continue }
            let decoded = ContractDecoder.decode(document)
            guard decoded.contract != nil, decoded.diagnostics.isEmpty else { continue }
            for found in CursorPathTests.places(document.root) where found.isKey {
                let place = LanguagePlace(found.keys, in: document)
                guard !place.mappings.isEmpty else { continue }
                count += 1
                let key = String(decoding: document.bytes[found.range], as: UTF8.self)
                // A field's mapping may be in the place of a common parameter's.
                #expect(place.key(key) != nil, "\(name): \(found.keys.joined(separator: ".")) has no \(key)")
            }
        }
        #expect(count > 500)
    }

    @Test(
        arguments: [
            ("types.Item", "types: {Item: {id: int}}", nil),
            ("types.Item", "types: {Item: {fields: {id: int}, doc: x}}", "description of the type"),
            ("endpoints.a.body", "endpoints: {a: {body: {doc: string}}}", nil),
            ("endpoints.a.response", "endpoints: {a: {response: {type: A, single: true}}}", nil),
            ("types.Item.id", "types: {Item: {id: {type: int, doc: x}}}", "description of the field"),
            ("errors.gone", nil, "what it means"), ("endpoints.a", nil, "what it does"),
            ("endpoints.a.outcomes.b", nil, "what it means"),
            ("common.query.a", "common: {query: {a: {const: x}}}", "description of the field"),
        ] as [(String, String?, String?)])
    func aFieldCalledAsAKeyIsNoKey(path: String, text: String?, meaning: String?) {
        #expect(place(path, in: text).key("doc")?.meaning == meaning)
    }

    @Test func whatTextsMean() {
        let meanings: [(String, TextMeaning?)] = [
            ("defaults.errors", .name(.error)), ("endpoints.a.errors", .name(.error)), ("errors", nil),
            ("defaults.envelope", .name(.envelope)),
            ("session.login", .name(.endpoint)), ("endpoints.a.server", .name(.role)), ("session.from", .contract),
            ("session.identity.from", .name(.endpoint)),
            ("imports", .contract), ("endpoints.a.group", .name(.group)), ("groups.a", nil),
            ("endpoints.a.get", .target), ("endpoints.a.credentials", .credentials), ("credentials", nil),
            ("defaults.credentials", .credentials),
            ("endpoints.a.confirm.endpoint", .name(.endpoint)), ("endpoints.a.response", .name(.type)),
            ("endpoints.a.query.b", .name(.type)),
            ("types.A.b", .name(.type)), ("types.A.alias", .name(.type)), ("types.A.union.cases.b", .name(.type)),
            ("errors.a.data", .name(.type)),
            ("errors.a.data.b", .name(.type)), ("errors.a.when.body", nil), ("service", nil), ("nothing.at.all", nil),
            ("", nil),
        ]
        for (path, meaning) in meanings { #expect(place(path).meaning == meaning, "\(path)") }
        #expect(place("endpoints.a.session").words == ["required", "optional", "none"])
        #expect(place("errors.a.retry").words == ["never"] && place("errors.a.retry").key("cap") != nil)
        #expect(place("errors.a.when.transport").words.contains("offline"))
        #expect(place("roles").keyMeaning == .role && place("servers.production").keyMeaning == .role)
        #expect(place("servers").keyMeaning == .server && place("trust").keyMeaning == .server)
        #expect(place("trust.production").keyMeaning == nil && place("groups").keyMeaning == .group)
        #expect(place("endpoints").keyMeaning == .endpoint && place("endpoints.a.examples.b").keyMeaning == .error)
    }
}
