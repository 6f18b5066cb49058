import Diagnostics

/// The keys of what the requests and the responses of a service have in common.
package enum ServiceKeys {
    // MARK: Envelopes

    package static let envelope = LanguageMapping<EnvelopeDefinition>(
        "envelope", "an envelope", [data, list, code, message, error, success, doc],
        rules: [
            .needs("success", "code").explained(
                missing: "`success` lists codes, but the envelope has no path for the code",
                add: "add `code: code`, the path of the code")
        ])
    private static let data = LanguageKey<EnvelopeDefinition>(
        "data", \.data, .path, "path of the payload; without it the whole body is the payload")
    private static let list = LanguageKey<EnvelopeDefinition>(
        "list", \.list, .path, "path of the payload if the response is a list")
    private static let code = LanguageKey<EnvelopeDefinition>(
        "code", \.code, .path, "path of the service's own code")
    private static let message = LanguageKey<EnvelopeDefinition>(
        "message", \.message, .path, "path of the server's message")
    private static let error = LanguageKey<EnvelopeDefinition>(
        "error", \.error, .path, "path that is present, and neither null nor an empty list, in a failure")
    private static let success = LanguageKey<EnvelopeDefinition>(
        list: "success", \.success, .code, "codes of a success: `100`, `[100, ok]` or `100..199`")
    private static let doc = LanguageKey<EnvelopeDefinition>("doc", \.doc, .text, "description of the envelope")

    // MARK: Rate limits

    package static let rateLimit = LanguageMapping<RateLimitDefinition>(
        "rateLimit", "`rateLimit`", [reset, unit, remaining])
    private static let reset = LanguageKey<RateLimitDefinition>(
        required: "reset", \.reset, .headerName, "name of the header that says when the limit ends: `X-Quota-Reset`")
    private static let unit = LanguageKey<RateLimitDefinition>(
        required: "unit", \.unit, .word,
        "unit of its number: `seconds` or `milliseconds` from now, or `timestamp` for seconds since 1970")
    private static let remaining = LanguageKey<RateLimitDefinition>(
        "remaining", \.remaining, .headerName,
        "name of the header that says how many requests are left, if it isn't one of the usual names")
}
