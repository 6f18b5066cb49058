import ContractModel
import Diagnostics

package enum ReservedHeader: LintRule {
    package static let kind = FindingKind(
        "reserved-header",
        page: """
            A header that the transport or the runtime sets, such as `Content-Length`, `Host` or `Authorization`.

            ## Why is this bad
            Headers such as `Content-Length` and `Host` determine where a request ends and which server receives it. A second one
            makes the request invalid, or two servers read the request differently (RFC 9112, section 6.3). With a second
            `Idempotency-Key`, the server may carry out a command twice. The runtime never renews a token that the app itself puts
            into `Authorization`.

            ## Example
            ```yaml
            headers: {Authorization: string}
            ```
            ## Use instead
            ```yaml
            session: {header: Authorization, format: "Bearer {token}"}
            ```
            The runtime sets `Idempotency-Key`, or the header that `keyed` names, for an endpoint with `effect: keyed`. It sets
            `Content-Type` from the body.
            """)

    package static let tags: [RuleTag] = [.http, .security]

    private static let ofTheTransport: Set<String> = [
        "connection", "content-length", "expect", "host", "keep-alive", "proxy-authorization", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade",
    ]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        var keyHeaders: Set<String> = []
        for endpoint in subject.endpoints {
            let keyHeader = keyHeader(of: endpoint.resolved)
            if let keyHeader { keyHeaders.insert(keyHeader) }
            for field in endpoint.resolved.headers {
                let name = field.wireName.lowercased()
                if let help = help(name, isKey: name == keyHeader, hasBody: endpoint.resolved.body != nil) {
                    add(field, help, &report)
                }
            }
            if case .header(let name)? = endpoint.resolved.keyPlace,
                help(name.value.lowercased(), isKey: false, hasBody: true) != nil
            {
                report.add(
                    "`\(name.value)` cannot carry an idempotency key", at: name.range,
                    help: "name the header in which the service expects the key")
            }
        }
        for parameter in subject.contract.common.headers {
            let name = (parameter.field.declaredWireName?.value ?? parameter.field.name.value).lowercased()
            if subject.contract.connection != nil, name.hasPrefix("sec-websocket-") {
                add(parameter.field, "remove the field; the handshake of the connection sets this header", &report)
            } else if let help = help(name, isKey: keyHeaders.contains(name), hasBody: false) {
                add(parameter.field, help, &report)
            }
        }
    }

    /// The header that carries the endpoint's idempotency key, in lowercase.
    private static func keyHeader(of endpoint: ResolvedEndpoint) -> String? {
        guard endpoint.effect == .keyed else { return nil }
        switch endpoint.keyPlace {
        case .header(let name)?: return name.value.lowercased()
        case .field?: return nil
        case nil: return IdempotencyKeyDefinition.standardHeader.lowercased()
        }
    }

    private static func help(_ name: String, isKey: Bool, hasBody: Bool) -> String? {
        if ofTheTransport.contains(name) { return "remove the field; the transport sets this header" }
        if isKey { return "remove the field; `effect: keyed` creates the key and sends it" }
        switch name {
        case "authorization": return "declare a `session` with `header: Authorization`"
        case "content-type" where hasBody: return "remove the field; the body's `encoding` determines it"
        default: return nil
        }
    }

    private static func add(_ field: FieldDefinition, _ help: String, _ report: inout RuleReport) {
        let place = field.declaredWireName?.range ?? field.name.range
        report.add("a field cannot set the header `\(field.wireName)`", at: place, help: help)
    }
}
