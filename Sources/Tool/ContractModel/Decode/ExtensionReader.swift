import Diagnostics
import YAMLTree

/// Reads the parts of a contract that an exported document has as extensions, with the codecs of the keys.
package struct ExtensionReader {
    private var decoder: ContractDecoder

    /// What could not be read.
    package var findings: [Diagnostic] { decoder.findings.diagnostics }

    package init(_ document: YAMLDocument) { decoder = ContractDecoder(document: document) }

    /// Reads the keys of a mapping that no keyword of OpenAPI says.
    ///
    /// - Parameters:
    ///   - prefix: what precedes each of these keys in the document: `x-errand-`. Without a prefix, every other key is a finding.
    ///   - others: the keys that are no finding.
    ///   - isWanted: which of the keys to read.
    package mutating func read<Owner>(
        _ node: YAMLNode, as mapping: LanguageMapping<Owner>, prefix: String = "", others: Set<String> = [],
        into owner: inout Owner, where isWanted: (String) -> Bool = { _ in true }
    ) {
        guard let entries = node.mapping else {
            return decoder.report(
                .wrongKind, "\(mapping.description.subject) must be a mapping, and is \(node.kindName)", at: node.range)
        }
        var names: [String: Int] = [:]
        for (position, pair) in entries.enumerated() {
            guard let key = pair.key.text, key.hasPrefix(prefix) else { continue }
            names[String(key.dropFirst(prefix.count))] = position
        }
        // The decoder finds a pair by its place, as it does for a misspelled key.
        decoder.corrections[entries.range.start.offset] = names
        defer { decoder.corrections[entries.range.start.offset] = nil }
        for key in mapping.keys where !key.hasKeyword {
            for description in key.descriptions where description.isRequired && names[description.name] == nil {
                decoder.report(
                    description.missingRule, "\(mapping.description.subject) needs `\(description.name)`",
                    at: node.range)
            }
            let present = key.descriptions.map(\.name).filter { names.removeValue(forKey: $0) != nil }
            if present.contains(where: isWanted) { _ = key.read(&decoder, entries, &owner) }
        }
        guard prefix.isEmpty else { return }
        for (name, position) in names.sorted(by: { $0.value < $1.value }) where !others.contains(name) {
            decoder.report(
                .unknownKey, "\(mapping.description.subject) has no key \(quoted(name))",
                at: entries[position].key.range)
        }
    }

    /// The conditions of an error or an outcome.
    package mutating func conditions(_ node: YAMLNode) -> [Condition] {
        Codec.conditions().read(&decoder, node, ValueName(key: "when"))?.value ?? []
    }

    package mutating func envelope(_ name: String, _ node: YAMLNode) -> EnvelopeDefinition? {
        decoder.envelope(Located(name, at: node.range), node)
    }

    package mutating func signing(_ node: YAMLNode) -> SigningDefinition? {
        Codec.signing.read(&decoder, node, ValueName(key: "signing"))?.value
    }

    package mutating func roles(_ node: YAMLNode) -> [ServerRoleDefinition]? {
        Codec.roles.read(&decoder, node, ValueName(key: "roles"))?.value
    }

    package mutating func trust(_ node: YAMLNode) -> [TrustDefinition]? {
        Codec.trust.read(&decoder, node, ValueName(key: "trust"))?.value
    }

    package mutating func gateways(_ node: YAMLNode) -> [GatewayDefinition]? {
        Codec.gateways.read(&decoder, node, ValueName(key: "gateways"))?.value
    }

    package mutating func rateLimit(_ node: YAMLNode) -> RateLimitDefinition? {
        Codec.rateLimit.read(&decoder, node, ValueName(key: "rateLimit"))?.value
    }

    package mutating func connection(_ node: YAMLNode) -> ConnectionDefinition? {
        Codec.connection.read(&decoder, node, ValueName(key: "connection"))?.value
    }

    /// The frame of an endpoint.
    package mutating func frame(_ node: YAMLNode) -> FrameTarget? { decoder.frame(node) }

    /// A session whose token is at a known place. `node` has its other keys.
    package mutating func session(
        _ node: YAMLNode?, placement: Located<SessionDefinition.Placement>
    ) -> SessionDefinition {
        var keys = SessionKeys(range: placement.range)
        if let node { read(node, as: SessionKeys.mapping, into: &keys) }
        var session = keys.definition
        // A token that a command presents is in no place of a request.
        if session.attach == nil { session.placement = placement }
        return session
    }

    /// A type by its text; `nil` if it is none.
    package static func type(_ text: String, at range: SourceRange) -> TypeReference? {
        guard case .type(let type, nil) = TypeText.read(text, locate: { _ in range }) else { return nil }
        return type
    }
}
