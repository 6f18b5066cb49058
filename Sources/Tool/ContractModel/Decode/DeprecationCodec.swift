extension LanguageKey {
    /// The key `deprecated` of what has a name.
    static func deprecated(
        _ path: WritableKeyPath<Owner, Deprecation?> & Sendable, hasKeyword: Bool = false
    ) -> LanguageKey {
        LanguageKey(
            "deprecated", path, .deprecation,
            "`true`, what to use instead, or `{text: Use search., sunset: 2027-03-01}`", hasKeyword: hasKeyword)
    }
}

extension Codec where Value == Deprecation {
    /// `true`, what to use instead, or `{text: Use search., sunset: 2027-03-01}`. `false` is no value.
    static var deprecation: Codec {
        .either(
            Codec(
                scalar: .text,
                read: { _, text, _ in
                    text.value == "false"
                        ? nil : text.map { Deprecation(message: $0 == "true" ? nil : $0) }
                }, write: { $0.message.map { .text($0) } ?? .flag(true) }),
            .mapping({ DeprecationKeys.mapping }, empty: { _ in Deprecation(message: nil) }),
            isShort: { $0.sunset == nil && $0.message != "true" && $0.message != "false" })
    }
}

/// The keys of `deprecated` in its long form.
private enum DeprecationKeys {
    static let mapping = LanguageMapping<Deprecation>("deprecation", "`deprecated`", [text, sunset], short: "text")
    private static let text = LanguageKey<Deprecation>("text", \.message, .text, "what to use instead")
    private static let sunset = LanguageKey<Deprecation>(
        "sunset", \.sunset, .day, "first day on which the service may not have it anymore: `2027-03-01`")
}
