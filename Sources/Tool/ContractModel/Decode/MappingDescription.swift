import Diagnostics

/// The keys that a mapping of the language may have, with what each means.
///
/// The decoder, the language reference in `docs/contract-language.md` and the JSON Schema all read this one description, so
/// that they cannot drift apart.
package struct MappingDescription: Sendable {
    package struct Key: Sendable {
        package var name: String
        package var shape: ValueShape
        /// One sentence without a full stop, as the language reference prints it.
        package var meaning: String
        package var isRequired: Bool
        /// What its text, or each text of its list, refers to.
        package var refersTo: TextMeaning?
        /// The kinds of the names that are keys below it: of those right below it, of those below them, and so on.
        package var names: [NameKind?] = []
        /// The rule of the finding if a required key is missing.
        var missingRule = FindingKind.missingKey

        /// What holds without the key, as the meaning names it: "`hex` (default) or `base64`". Nil if the meaning names nothing.
        package var usual: String? {
            guard let end = meaning.firstRange(of: "` (default)")?.lowerBound,
                let start = meaning[..<end].lastIndex(of: "`")
            else { return nil }
            return String(meaning[meaning.index(after: start)..<end])
        }
    }

    /// The name of the mapping in the schema: `endpoint`.
    package let name: String
    /// The name of the mapping in messages: "an endpoint".
    package let subject: String
    package let keys: [Key]
    /// The key that a value stands for that is not a mapping; nil if it is not one key.
    package let short: String?
    /// The rules between keys.
    package let rules: [KeyRule]
    let requiredKeys: [Key]
    private let known: Set<String>

    package init(_ name: String, _ subject: String, _ keys: [Key], short: String? = nil, rules: [KeyRule] = []) {
        self.name = name
        self.subject = subject
        self.keys = keys
        self.short = short
        self.rules = rules
        requiredKeys = keys.filter(\.isRequired)
        known = Set(keys.map(\.name))
    }

    package var names: [String] { keys.map(\.name) }

    /// The mapping with some of its keys required or left out.
    func derived(_ name: String, requiring required: Set<String> = [], without left: Set<String> = []) -> Self {
        let keys = keys.filter { !left.contains($0.name) }.map { key in
            var key = key
            if required.contains(key.name) { key.isRequired = true }
            return key
        }
        return Self(name, subject, keys, short: short, rules: rules)
    }

    package func allows(_ key: String) -> Bool { known.contains(key) }

    /// The words that a key may have as its value. Empty if any text is valid.
    func words(of key: String) -> [String] {
        guard case .words(let words) = keys.first(where: { $0.name == key })?.shape else { return [] }
        return words
    }
}

extension MappingDescription.Key {
    package static func required(
        _ name: String, _ shape: ValueShape, _ meaning: String, missing rule: FindingKind = .missingKey
    ) -> Self {
        Self(name: name, shape: shape, meaning: meaning, isRequired: true, missingRule: rule)
    }

    package static func optional(_ name: String, _ shape: ValueShape, _ meaning: String) -> Self {
        Self(name: name, shape: shape, meaning: meaning, isRequired: false)
    }
}
