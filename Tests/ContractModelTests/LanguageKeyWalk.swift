import ContractModel
import YAMLTree

/// Walks through a contract that is known to be correct, and notes which key it uses of which mapping.
///
/// It follows the nesting of the language, as the decoder does, but does not examine values.
struct LanguageKeyWalk {
    struct Use: Hashable, Comparable, CustomStringConvertible {
        /// The mapping's subject: "an endpoint".
        var mapping: String
        var key: String

        var description: String { "`\(key)` of \(mapping)" }

        static func < (left: Use, right: Use) -> Bool { (left.mapping, left.key) < (right.mapping, right.key) }
    }

    private(set) var uses = Set<Use>()

    mutating func contract(_ root: YAMLNode) {
        walk(root, LanguageKeys.contract)
    }

    private mutating func walk(_ node: YAMLNode, _ description: MappingDescription) {
        guard let mapping = node.mapping else { return }
        for pair in mapping {
            guard let key = pair.key.text, description.names.contains(key) else { continue }
            uses.insert(Use(mapping: description.subject, key: key))
            inside(pair.value, of: description.subject, key)
        }
    }

    private mutating func inside(_ node: YAMLNode, of subject: String, _ key: String) {
        switch (subject, key) {
        case (LanguageKeys.contract.subject, "common"): walk(node, LanguageKeys.common)
        case (LanguageKeys.contract.subject, "session"): walk(node, LanguageKeys.session)
        case (LanguageKeys.contract.subject, "signing"): walk(node, LanguageKeys.signing)
        case (LanguageKeys.contract.subject, "rateLimit"): walk(node, LanguageKeys.rateLimit)
        case (LanguageKeys.contract.subject, "defaults"): walk(node, LanguageKeys.defaults)
        case (LanguageKeys.contract.subject, "envelopes"): named(node) { $0.walk($1, LanguageKeys.envelope) }
        case (LanguageKeys.contract.subject, "errors"): named(node) { $0.walk($1, LanguageKeys.error) }
        case (LanguageKeys.contract.subject, "types"): named(node) { $0.type($1) }
        case (LanguageKeys.contract.subject, "endpoints"): named(node) { $0.walk($1, LanguageKeys.endpoint) }
        case (LanguageKeys.common.subject, _): named(node) { $0.walk($1, LanguageKeys.commonField) }
        case (LanguageKeys.session.subject, "identity"): walk(node, LanguageKeys.identityClaim)
        case (LanguageKeys.signing.subject, "into"): walk(node, LanguageKeys.signingPlacement)
        case (LanguageKeys.type.subject, "union"): walk(node, LanguageKeys.union)
        case (LanguageKeys.endpoint.subject, "outcomes"): named(node) { $0.walk($1, LanguageKeys.outcome) }
        case (LanguageKeys.endpoint.subject, "effect"): walk(node, LanguageKeys.effect)
        case (LanguageKeys.effect.subject, "keyed"): walk(node, LanguageKeys.idempotencyKey)
        case (LanguageKeys.endpoint.subject, "delivery"): walk(node, LanguageKeys.stream)
        case (LanguageKeys.endpoint.subject, "confirm"): walk(node, LanguageKeys.confirm)
        case (LanguageKeys.endpoint.subject, "paginate"): walk(node, LanguageKeys.paginate)
        case (LanguageKeys.endpoint.subject, "body"): longFormOrFields(node, LanguageKeys.body, marks: ["encoding"])
        case (LanguageKeys.endpoint.subject, "response"):
            longFormOrFields(node, LanguageKeys.response, marks: ["type", "fields"])
        case (_, "query"), (_, "headers"), (_, "fields"), (_, "data"): fields(node)
        case (_, "when"): conditions(node)
        case (_, "timeout"): walk(node, LanguageKeys.timeout)
        case (_, "compression"): walk(node, LanguageKeys.compression)
        case (_, "checksum"): walk(node, LanguageKeys.checksum)
        case (_, "retry"): walk(node, LanguageKeys.retry)
        default: break
        }
    }

    private mutating func named(_ node: YAMLNode, _ visit: (inout LanguageKeyWalk, YAMLNode) -> Void) {
        guard let mapping = node.mapping else { return }
        for pair in mapping { visit(&self, pair.value) }
    }

    private mutating func fields(_ node: YAMLNode) {
        named(node) { $0.walk($1, LanguageKeys.field) }
    }

    private mutating func type(_ node: YAMLNode) {
        longFormOrFields(node, LanguageKeys.type, marks: ["enum", "union", "alias", "fields"])
    }

    private mutating func longFormOrFields(_ node: YAMLNode, _ description: MappingDescription, marks: [String]) {
        guard let mapping = node.mapping else { return }
        if mapping.keys.contains(where: { marks.contains($0) }),
            mapping.keys.allSatisfy({ description.names.contains($0) })
        {
            walk(node, description)
        } else {
            fields(node)
        }
    }

    private mutating func conditions(_ node: YAMLNode) {
        guard let list = node.sequence else { return walk(node, LanguageKeys.condition) }
        for element in list { walk(element, LanguageKeys.condition) }
    }
}
