import ContractModel
import Diagnostics

/// A header field that the transport or the runtime writes itself, such as `Content-Length`, `Host` or `Authorization`.
///
/// ## Why is this bad
/// `Content-Length`, `Host` and their like decide where a request ends and who gets it: a second one makes the request
/// invalid or lets two servers read it differently (RFC 9112, section 6.3). A second `Idempotency-Key` takes away the
/// promise that a command is carried out once. A token that the app puts into `Authorization` by itself is never renewed.
///
/// ## Example
/// ```yaml
/// headers: {Authorization: string}
/// ```
/// ## Use instead
/// ```yaml
/// session: {header: Authorization, format: "Bearer {token}"}
/// ```
/// The runtime writes `Idempotency-Key` for an endpoint with `effect: keyed`, and `Content-Type` from the body.
package enum ReservedHeader: LintRule {
    package static let name = "reserved-header"
    package static let severity = Severity.error
    package static let tags: [RuleTag] = [.http, .security]

    private static let ofTheTransport: Set<String> = [
        "connection", "content-length", "expect", "host", "keep-alive", "proxy-authorization", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade",
    ]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints {
            for field in endpoint.resolved.headers {
                let name = field.wireName.lowercased()
                if let help = help(name, endpoint.resolved.effect, hasBody: endpoint.resolved.body != nil) {
                    add(field, help, &report)
                }
            }
        }
        let isKeyed = subject.endpoints.contains { $0.resolved.effect == .keyed }
        for parameter in subject.contract.common.headers {
            let name = (parameter.field.declaredWireName?.value ?? parameter.field.name.value).lowercased()
            if let help = help(name, isKeyed ? .keyed : .read, hasBody: false) { add(parameter.field, help, &report) }
        }
    }

    private static func help(_ name: String, _ effect: Effect, hasBody: Bool) -> String? {
        if ofTheTransport.contains(name) { return "remove the field; the transport writes this header" }
        switch name {
        case "authorization": return "declare a `session` with `header: Authorization`"
        case "idempotency-key" where effect == .keyed:
            return "remove the field; `effect: keyed` makes the key and sends it"
        case "content-type" where hasBody: return "remove the field; the body's `encoding` says what it is"
        default: return nil
        }
    }

    private static func add(_ field: FieldDefinition, _ help: String, _ report: inout RuleReport) {
        let place = field.declaredWireName?.range ?? field.name.range
        report.add("`\(field.wireName)` is not a field's to write", at: place, help: help)
    }
}
