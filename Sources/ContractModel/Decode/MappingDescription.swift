/// The keys that a mapping of the language may have, with what each means.
///
/// The decoder, the language reference in `docs/contract-language.md` and (later) the JSON schema all read this one
/// description, so that they cannot drift apart.
package struct MappingDescription: Sendable {
    package struct Key: Sendable {
        package var name: String
        /// One sentence without a full stop, as the language reference prints it.
        package var meaning: String
        package var isRequired: Bool
        /// The rule of the finding where a required key is missing.
        var missingRule = "missing-key"
    }

    /// What a message calls the mapping: "an endpoint".
    package let subject: String
    package let keys: [Key]
    let requiredKeys: [Key]
    private let known: Set<String>

    init(_ subject: String, _ keys: [Key]) {
        self.subject = subject
        self.keys = keys
        requiredKeys = keys.filter(\.isRequired)
        known = Set(keys.map(\.name))
    }

    package var names: [String] { keys.map(\.name) }

    func allows(_ key: String) -> Bool { known.contains(key) }
}

extension MappingDescription.Key {
    static func required(_ name: String, _ meaning: String, missing rule: String = "missing-key") -> Self {
        Self(name: name, meaning: meaning, isRequired: true, missingRule: rule)
    }

    static func optional(_ name: String, _ meaning: String) -> Self { Self(name: name, meaning: meaning, isRequired: false) }
}
