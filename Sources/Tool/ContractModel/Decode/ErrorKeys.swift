import Diagnostics
import YAMLTree

/// The keys of errors and outcomes.
package enum ErrorKeys {
    typealias Key = LanguageKey<ErrorDefinition>

    package static let error = LanguageMapping<ErrorDefinition>(
        "error", "an error",
        [category, when, data, message, retry, applied, renew, settles, doc, deprecated, swift],
        rules: [
            .where("category", ["retryable", "nonRetryable"], [.forbidden(["renew"])]).explained(
                conflict: "`renew` is only valid with `category: requiresLogout`",
                remove: "remove `renew`; other errors do not start a login"),
            .where("category", ["retryable", "requiresLogout"], [.forbidden(["settles"])]).explained(
                conflict: "`settles` is only valid with `category: nonRetryable`",
                remove: "remove `settles`; after other errors the client sends the command again"),
        ])

    private static let category = Key(
        required: "category", \.category, .word,
        "how the client handles the error: `retryable`, `nonRetryable` or `requiresLogout`",
        missing: .errorWithoutCategory)
    private static let conditions = Codec<[Condition]>.conditions()
    private static let when = Key(
        "when", conditions.shape,
        "condition of the response, or a list of alternative conditions", hasKeyword: true,
        read: { decoder, pair, error in
            if error.builtIn == nil {
                error.conditions = conditions.read(&decoder, pair.value, ValueName(key: "when"))?.value ?? []
            } else {
                decoder.report(
                    .conflictingKeys,
                    "`\(error.name.value)` is a built-in error, so `when` cannot change its condition",
                    at: pair.key.range, help: "remove `when`, or give the error another name")
            }
            return true
        },
        write: { error, scope in error.conditions.isEmpty ? nil : conditions.write(error.conditions, scope) })
    private static let payload = Codec<ErrorData>.data
    private static let data = Key(
        "data", payload.shape, "payload that comes with it, at the place of the payload of a success", hasKeyword: true,
        read: { decoder, pair, error in
            error.data = payload.read(&decoder, pair.value, ValueName(key: "data"))?.value
            if error.builtIn != nil {
                decoder.report(
                    .conflictingKeys, "`\(error.name.value)` is a built-in error, so it cannot have `data`",
                    at: pair.key.range, help: "remove `data`, or give the error another name")
            }
            return error.data != nil
        }, write: { error, scope in error.data.map { payload.write($0, scope) } })
    private static let message = Key(
        "message", \.message, .text, "text for the user; `{name}` stands for a member of `data`")
    private static let retry = Key(
        "retry", \.retry, .retry, "how often and how fast it is retried: `{attempts, base, cap}` or `never`")
    private static let applied = Key(
        "applied", \.declaredApplied, .word(of: Applied.declarable),
        "whether the server may have carried out the failed request: `never` or `maybe`")
    private static let renew = Key(
        "renew", \.renewsSession, .flag, "`false`: a `requiresLogout` does not start a login", usual: true)
    private static let settles = Key(
        "settles", \.settles, .settles,
        "`success`: the command succeeds if an earlier attempt of it may have been carried out; `{success: always}`: at any attempt; `{success: payload}`: its body is that of the success"
    )
    private static let doc = Key("doc", \.doc, .text, "what it means")
    private static let deprecated = Key.deprecated(\.deprecated, hasKeyword: true)
    private static let swift = Key("swift", \.swiftName, .text, "another Swift name")

    package static let outcome = LanguageMapping<OutcomeDefinition>(
        "outcome", "an outcome", [outcomeWhen, outcomeData, outcomeDoc])
    private static let outcomeWhen = LanguageKey<OutcomeDefinition>(
        required: "when", \.conditions, .conditions(ConditionKeys.outcomeCondition),
        "condition of the response, or a list of alternative conditions", hasKeyword: true)
    private static let outcomeData = LanguageKey<OutcomeDefinition>(
        "data", \.data, .data, "payload that comes with it, at the place of the payload of a success", hasKeyword: true)
    private static let outcomeDoc = LanguageKey<OutcomeDefinition>("doc", \.doc, .text, "what it means")

    /// An error that isn't built in.
    static let declared = error.description.derived("error", requiring: ["when"])
    /// A built-in error that the contract declares again. What recognizes it stays.
    static let builtIn = error.description.derived("builtInError", without: ["when", "data", "settles"])
}

extension Codec where Value == [OutcomeDefinition] {
    static var outcomes: Codec {
        .named(
            .mapping { ErrorKeys.outcome.description },
            read: { decoder, name, node in
                guard case .endpoint(let endpoint)? = decoder.owner else { return nil }
                decoder.owner = .outcome(name.value, of: endpoint)
                var outcome = OutcomeDefinition(name: name, conditions: [])
                let isRead = decoder.read(node, as: ErrorKeys.outcome, into: &outcome)
                decoder.owner = .endpoint(endpoint)
                return isRead ? outcome : nil
            }, name: { $0.name.value }, write: { .mapping(ErrorKeys.outcome.pairs(of: $0, $1)) })
    }
}

extension ContractDecoder {
    /// One entry of `errors`.
    mutating func error(_ name: Located<String>, _ node: YAMLNode) -> ErrorDefinition? {
        owner = .error(name.value)
        var error = ErrorDefinition(name: name, category: Located(.nonRetryable, at: name.range))
        // Without a category there is nothing to go on with.
        guard read(node, as: ErrorKeys.error, into: &error) else { return nil }
        if error.builtIn != nil {
            error.data = nil
            if let settles = error.settles {
                report(
                    .conflictingKeys, "`\(name.value)` is a built-in error, so it cannot have `settles`",
                    at: settles.range, help: "declare an error with a condition of its own, and list it at the endpoint"
                )
                error.settles = nil
            }
        } else if let mapping = node.mapping, pair(mapping, "when") == nil {
            reportMissingCondition(of: name)
        }
        return error
    }

    private mutating func reportMissingCondition(of name: Located<String>) {
        let near = NearSpelling(of: name.value, among: BuiltInError.allCases.map(\.rawValue))
        report(
            .missingKey, "the error \(quoted(name.value)) has no condition", at: name.range,
            help: near.map { "did you mean the built-in `\($0.candidate)`? Otherwise add `when`" }
                ?? "add `when: {status: 409}` or `when: {code: …}`",
            fix: near.map {
                Fix(
                    title: "write `\($0.candidate)`", applicability: .needsALook,
                    edits: [Fix.Edit(replacing: name.range, with: $0.candidate)])
            })
    }
}
