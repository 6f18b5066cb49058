import Diagnostics

/// The dependencies between the keys of a mapping. The decoder checks a mapping against them, and the schema contains the same
/// rules.
package indirect enum KeyRule: Sendable {
    case required([String])
    case forbidden([String])
    /// Of the keys in `texts`, only those with a text count: with a mapping, such a key means something else.
    case exactlyOne([String], texts: Set<String> = [])
    case atLeastOne([String])
    case atMostOne([String])
    /// A mapping with the first key needs the second as well.
    case needs(String, String)
    /// A mapping with the first key needs at least one of the others.
    case needsOne(String, [String])
    /// The first means something only beside the second.
    case onlyWith(String, String)
    /// A mapping with the first key must not have the others.
    case excludes(String, [String])
    /// Rules that apply if a key has one of the words.
    case `where`(String, [String], [KeyRule])
    /// A rule with its own messages for a mapping that breaks it.
    case explained(KeyRule, KeyRuleMessages)

    /// - Parameters:
    ///   - kind: the kind of the finding if a key is missing.
    ///   - refused: the kind of the finding if a key is too many.
    ///   - missing: what is wrong if a key is missing, and `add` what to do about it.
    ///   - conflict: what is wrong if a key is too many, and `remove` what to do about it.
    func explained(
        _ kind: FindingKind = .missingKey, refused: FindingKind = .conflictingKeys, missing: String? = nil,
        add: String? = nil, conflict: String? = nil, remove: String? = nil
    ) -> KeyRule {
        .explained(
            self,
            KeyRuleMessages(
                kind: kind, refused: refused, missing: missing, add: add, conflict: conflict, remove: remove))
    }
}

/// The message of a finding about a mapping that breaks a rule. Without a message of its own, the rule's default is used.
package struct KeyRuleMessages: Sendable {
    var kind = FindingKind.missingKey
    var refused = FindingKind.conflictingKeys
    var missing: String?
    var add: String?
    var conflict: String?
    var remove: String?
}
