import Diagnostics

/// The keys of errors and outcomes.
package enum ErrorKeys {
    typealias Key = LanguageKey<ErrorDefinition>

    package static let error = LanguageMapping<ErrorDefinition>(
        "error", "an error",
        [category, when, data, message, retry, applied, renew, doc, deprecated, swift],
        rules: [
            .where("category", ["retryable", "nonRetryable"], [.forbidden(["renew"])]).explained(
                conflict: "`renew` is only valid with `category: requiresLogout`",
                remove: "remove `renew`; other errors do not start a login")
        ])

    private static let category = Key(
        required: "category", \.category, .word,
        "how the client handles the error: `retryable`, `nonRetryable` or `requiresLogout`",
        missing: .errorWithoutCategory)
    private static let when = Key(
        "when", .oneOrMore(.mapping { LanguageKeys.condition }, atLeast: 1),
        "condition of the response, or a list of alternative conditions", hasKeyword: true,
        read: { decoder, pair, error in
            if error.builtIn == nil {
                error.conditions = decoder.conditions(pair.value)
            } else {
                decoder.report(
                    .conflictingKeys,
                    "`\(error.name.value)` is a built-in error, so `when` cannot change its condition",
                    at: pair.key.range, help: "remove `when`, or give the error another name")
            }
            return true
        }, write: { _ in nil })
    private static let data = Key(
        "data", .payload, "payload that comes with it", hasKeyword: true,
        read: { decoder, pair, error in
            error.data = decoder.data(pair.value)
            if error.builtIn != nil {
                decoder.report(
                    .conflictingKeys, "`\(error.name.value)` is a built-in error, so it cannot have `data`",
                    at: pair.key.range, help: "remove `data`, or give the error another name")
            }
            return error.data != nil
        }, write: { _ in nil })
    private static let message = Key("message", \.message, .text, "text for the user")
    private static let retry = Key(
        "retry", \.retry, .retry, "how often and how fast it is retried: `{attempts, base, cap}` or `never`")
    private static let applied = Key(
        "applied", \.declaredApplied, .word(of: Applied.declarable),
        "whether the server may have carried out the failed request: `never` or `maybe`")
    private static let renew = Key(
        "renew", \.renewsSession, .flag, "`false`: a `requiresLogout` does not start a login", usual: true)
    private static let doc = Key("doc", \.doc, .text, "what it means")
    private static let deprecated = Key(
        "deprecated", \.deprecated, .deprecation, "`true`, or what to use instead", hasKeyword: true)
    private static let swift = Key("swift", \.swiftName, .text, "another Swift name")

    package static let outcome = LanguageMapping<OutcomeDefinition>(
        "outcome", "an outcome", [outcomeWhen, outcomeData, outcomeDoc])
    private static let outcomeWhen = LanguageKey<OutcomeDefinition>(
        "when", .oneOrMore(.mapping { LanguageKeys.outcomeCondition }, atLeast: 1),
        "condition of the response, or a list of alternative conditions", isRequired: true, hasKeyword: true,
        read: { decoder, pair, outcome in
            outcome.conditions = decoder.conditions(pair.value, as: ConditionKeys.outcomeCondition)
            return true
        }, write: { _ in nil })
    private static let outcomeData = LanguageKey<OutcomeDefinition>(
        "data", .payload, "payload that comes with it", hasKeyword: true,
        read: { decoder, pair, outcome in
            outcome.data = decoder.data(pair.value)
            return outcome.data != nil
        }, write: { _ in nil })
    private static let outcomeDoc = LanguageKey<OutcomeDefinition>("doc", \.doc, .text, "what it means")
}
