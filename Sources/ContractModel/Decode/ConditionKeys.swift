import Diagnostics

/// The keys of the conditions of errors and outcomes.
package enum ConditionKeys {
    private typealias Key = LanguageKey<Condition>

    package static let condition = LanguageMapping<Condition>(
        "condition", "a condition", [transport, status, code, body],
        rules: [
            .atLeastOne(["transport", "status", "code", "body"]).explained(
                .emptyCondition, missing: "an empty condition would match every response",
                add: "name a `status`, a `code`, a `body` value or a `transport` failure"),
            .excludes("transport", ["status", "code", "body"]).explained(
                conflict: "if the transport failed, there is no response to check",
                remove: "write two conditions in a list: `[{transport: lost}, {status: 503}]`"),
        ])

    /// An outcome is a response of the server, so its conditions don't include failures of the transport.
    static let outcomeCondition = LanguageMapping<Condition>(
        "outcomeCondition", "a condition of an outcome", [status, code, body],
        rules: [
            .atLeastOne(["status", "code", "body"]).explained(
                .emptyCondition, missing: "an empty condition would match every response",
                add: "name a `status`, a `code` or a `body` value")
        ])

    private static let transport = Key(
        list: "transport", \.transport, .word(of: TransportFaultKind.declarable),
        "failure of the transport: `offline`, `dns`, `refused`, `lost`, `timeout`, `tls`, `authentication`",
        atLeast: 1)
    private static let status = Key(
        list: "status", \.statuses, .status, "HTTP status: `503`, `[502, 503]` or `500..599`", atLeast: 1)
    private static let code = Key(
        list: "code", \.codes, .code, "the envelope's code: `4010`, `[4010, 4012]` or `4010..4019`", atLeast: 1)
    private static let body = Key(
        "body", .named(.text, .path, atLeast: 1), "path → value that the body has there",
        read: { decoder, pair, condition in
            condition.body = decoder.entries(pair.value, of: "body").compactMap { name, node in
                guard let path = decoder.path(name),
                    let text = decoder.text(node, "the value at \(quoted(name.value))")
                else { return nil }
                return Condition.BodyMatch(path: path, text: text)
            }
            return true
        },
        write: { condition in
            condition.body.isEmpty
                ? nil : .object(condition.body.map { ($0.path.value.text, .text($0.text.value)) })
        })
}

extension Codec where Value == ClosedRange<Int> {
    /// `503`, or `500..599`.
    fileprivate static var status: Codec {
        Codec(
            scalar: .form(.status), read: { decoder, text, _ in decoder.status(text) },
            write: { $0.count == 1 ? .text("\($0.lowerBound)") : .text("\($0.lowerBound)..\($0.upperBound)") })
    }
}
