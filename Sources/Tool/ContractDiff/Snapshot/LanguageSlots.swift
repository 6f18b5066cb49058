import ContractModel

/// The slots of the language: the places that a change can be at, whatever names a contract has.
///
/// The slot of a key has the name of its mapping before it: `endpoint.retry`. The slot of what a contract names itself, and that
/// of an element of a list, ends with `.*`: `contract.endpoints.*`, `endpoint.errors.*`.
enum LanguageSlots {
    /// The keys of an endpoint that are compared as one: the methods and `frame`.
    static let targets: Set<String> = Set(HTTPMethod.allCases.map(\.rawValue) + ["frame"])
    /// The name of the key that stands for all of them.
    static let target = "target"

    /// Whether a key of an endpoint is one of them. A mapping under `query` has the fields of the query.
    static func isTarget(_ key: String, isMapping: Bool) -> Bool {
        targets.contains(key) && !(isMapping && key == HTTPMethod.query.rawValue)
    }

    /// The lists that are compared as one value: their order has a meaning.
    static let ordered: Set<String> = [
        "endpoint.credentials", "defaults.credentials", "field.format", "commonField.format", "type.format",
        "gateway.url", "gateway.roles.*",
    ]

    /// The lists that are compared as one value, because only all of their elements together have a meaning.
    static let whole: Set<String> = ["envelope.success"]

    /// The mappings that are compared key by key even if one contract does not have them.
    static let transparent: Set<String> = ["contract.common"]

    /// What the values at slots refer to.
    private static let meanings: [String: TextMeaning] = {
        var meanings: [String: TextMeaning] = [:]
        for mapping in LanguageKeys.reachable {
            for key in mapping.keys {
                let slot = "\(mapping.name).\(key.name)"
                note(key.refersTo, key.shape, at: slot, &meanings)
            }
        }
        return meanings
    }()

    private static func note(
        _ meaning: TextMeaning?, _ shape: ValueShape, at slot: String, _ meanings: inout [String: TextMeaning]
    ) {
        switch shape {
        case .type: meanings[slot] = .name(.type)
        case .form(.credentials): meanings[slot] = .credentials
        case .text: meanings[slot] = meaning
        case .oneOrMore(let element, _):
            note(meaning, element, at: ordered.contains(slot) ? slot : slot + ".*", &meanings)
        case .named(let value, _, _):
            // Each field is a mapping with its own slots.
            if !fields.contains(slot + ".*") { note(nil, value, at: slot + ".*", &meanings) }
        // The short form is compared as the long one.
        case .either(_, .mapping), .either(_, .longForm): break
        case .either(let one, let other):
            note(meaning, one, at: slot, &meanings)
            note(meaning, other, at: slot, &meanings)
        default: break
        }
    }

    /// What the value at a slot refers to.
    static func meaning(at slot: String) -> TextMeaning? { meanings[slot] }

    static func isType(_ slot: String) -> Bool { meanings[slot] == .name(.type) }

    /// The slots of fields under their names.
    static let fields: [String] = [
        "endpoint.query.*", "endpoint.headers.*", "endpoint.cookies.*", "body.fields.*", "response.fields.*",
        "response.headers.*", "type.fields.*", "field.fields.*", "error.data.*", "outcome.data.*", "event.data.*",
    ]

    /// The data that a client reads if it is there. Without it, no field of it is missing.
    static let optionalData: Set<String> = ["error.data", "outcome.data"]

    /// The keys of a field, or of an alias, that restrict the values of its type.
    static let constraints = ["range", "length", "pattern", "items", "format", "zone"]

    /// The slots with the name of a header, which has the same meaning in any case.
    private static let headerNames: Set<String> = [
        "session.header", "credential.header", "checksum.header", "idempotencyKey.header", "rateLimit.reset",
        "rateLimit.remaining", "signing.headers.*", "signingPlacement.header",
    ]

    /// The slots of fields that travel as headers.
    static let headers: Set<String> = ["endpoint.headers.*", "response.headers.*", "common.headers.*"]

    /// The slots of the default of a field.
    static let fieldDefaults: Set<String> = ["field.default", "commonField.default"]

    /// Whether two values at a slot mean the same.
    static func isSame(_ one: String, _ other: String, at slot: String) -> Bool {
        if one == other { return true }
        if headerNames.contains(slot) { return one.lowercased() == other.lowercased() }
        if slot.hasPrefix("contract.servers.") { return URLSpelling.normalized(one) == URLSpelling.normalized(other) }
        if slot == "endpoint.credentials" { return CredentialSets(one) == CredentialSets(other) }
        return slot.hasSuffix(".pattern") && PatternSpelling.bare(one) == PatternSpelling.bare(other)
    }

    /// The slots of values that a client sends with every request.
    static let common: [String] = ["common.query.*", "common.headers.*", "common.parameters.*"]
}
