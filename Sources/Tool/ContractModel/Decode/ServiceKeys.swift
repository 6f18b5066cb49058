import Diagnostics
import YAMLTree

/// The keys of what the requests and the responses of a service have in common.
package enum ServiceKeys {
    // MARK: Envelopes

    package static let envelope = LanguageMapping<EnvelopeDefinition>(
        "envelope", "an envelope", [data, list, code, message, error, success, doc],
        rules: [
            .needs("success", "code").explained(
                missing: "`success` lists codes, but the envelope has no path for the code",
                add: "add `code: code`, the path of the code"),
            .where("success", [status], [.forbidden(["error"])]).explained(
                conflict: "with `success: status`, the status alone tells a failure, so `error` has no effect"),
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
    private static let status = "status"
    private static let codes = LanguageKey<EnvelopeDefinition>(
        list: "success", \.success, .code,
        "codes of a success: `100`, `[100, ok]` or `100..199`; or `status` if the code only informs, and the status decides"
    )
    private static let success = LanguageKey<EnvelopeDefinition>(
        group: codes.descriptions,
        read: { decoder, mapping, envelope in
            guard mapping["success"]?.text == status else { return codes.read(&decoder, mapping, &envelope) }
            envelope.isDecidedByStatus = true
            return true
        },
        write: { envelope, scope in
            envelope.isDecidedByStatus ? [("success", .text(status))] : codes.write(envelope, scope)
        })
    private static let doc = LanguageKey<EnvelopeDefinition>("doc", \.doc, .text, "description of the envelope")

    // MARK: Roles of servers

    package static let role = LanguageMapping<ServerRoleDefinition>("role", "a role", [sends])
    private static let sends = LanguageKey<ServerRoleDefinition>(
        list: "sends", \.sends, .word,
        "what requests there have in common with others: `session`, `common`, `credentials` and `signature`; nothing without the key"
    )

    // MARK: Trust

    package static let trust = LanguageMapping<TrustDefinition>("trust", "an entry of `trust`", [pins, until])
    private static let pins = LanguageKey<TrustDefinition>(
        list: "pins", \.pins, .pin,
        "hashes of the public keys that the server may have: `sha256/…=`; the second one is of a key in reserve",
        atLeast: 1, isRequired: true)
    private static let until = LanguageKey<TrustDefinition>(
        "until", \.until, .day, "first day on which the pins no longer apply, in UTC: `2027-06-01`")

    // MARK: Gateways

    package static let gateway = LanguageMapping<GatewayDefinition>("gateway", "an entry of `gateways`", [url, roles])
    private static let url = LanguageKey<GatewayDefinition>(
        list: "url", \.url, .word,
        "the programs that requests to the server's `url` go through, from outside in: `nginx`, or `[nginx, haproxy]`",
        atLeast: 1)
    private static let roles = LanguageKey<GatewayDefinition>(
        "roles", \.roles, .rolesOfGateways, "name of a role → the programs before its URL, from outside in"
    ).naming(.role)

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

extension Codec where Value == RateLimitDefinition {
    static var rateLimit: Codec {
        .mapping(
            { ServiceKeys.rateLimit },
            empty: {
                RateLimitDefinition(reset: Located("", at: $0), unit: Located(.seconds, at: $0), remaining: nil)
            },
            value: { decoder, limit in
                if let remaining = limit.remaining, remaining.value.lowercased() == limit.reset.value.lowercased() {
                    decoder.report(
                        .duplicateName, "`reset` and `remaining` name the same header", at: remaining.range,
                        help: "name the header with the number of requests that are left, or remove `remaining`")
                }
                return limit
            }, keys: { limit, _ in limit })
    }
}

extension ContractDecoder {
    /// One entry of `envelopes`.
    mutating func envelope(_ name: Located<String>, _ node: YAMLNode) -> EnvelopeDefinition? {
        guard name.value != "none" else {
            report(
                .invalidName, "`none` is a built-in envelope, whose payload is the whole body", at: name.range,
                help: "give the envelope another name")
            return nil
        }
        var envelope = EnvelopeDefinition(name: name)
        return read(node, as: ServiceKeys.envelope, into: &envelope) ? envelope : nil
    }
}
