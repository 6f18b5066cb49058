import ContractModel
import Diagnostics

package enum GatewayMakesSuccess: LintRule {
    package static let kind = FindingKind(
        "gateway-makes-success", .warning,
        page: """
            A command that takes an empty response for a success (`response: none`, or `bytes` without `checksum`), behind Caddy.

            ## Why is this bad
            Caddy responds with 200 and an empty body to a host that nobody has configured, whatever the method. Such a command
            takes this for a success, and the service has never seen the request.

            ## Example
            ```yaml
            servers: {main: "https://api.sample.example"}
            gateways: {main: {url: caddy}}
            endpoints:
              removeUser: {delete: "/users/{id:int}", response: none}
            ```
            ## Use instead
            ```yaml
            servers: {main: "https://api.sample.example"}
            gateways: {main: {url: caddy}}
            endpoints:
              removeUser: {delete: "/users/{id:int}", response: {id: int}}
            ```
            If Caddy refuses all other hosts (`:443 { respond 421 }`), suppress the warning with this reason.
            """)

    package static let tags: [RuleTag] = [.http]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for entry in subject.contract.gateways {
            let endpoints = subject.endpoints.filter { endpoint in
                guard takesNothing(endpoint.resolved.definition), endpoint.envelope?.success.isEmpty ?? true else {
                    return false
                }
                return entry.gateways(before: endpoint.resolved.definition).contains(where: \.succeedsForUnknownHosts)
            }
            guard !endpoints.isEmpty else { continue }
            report.add(
                "Caddy responds to an unknown host with an empty 200, which \(GatewayEndpoints.list(endpoints)) would take for a success",
                at: entry.server.range,
                help: "let the responses have a body, or let Caddy refuse unknown hosts: `:443 { respond 421 }`")
        }
    }

    /// Whether an empty body without headers is a valid response.
    private static func takesNothing(_ endpoint: EndpointDefinition) -> Bool {
        guard endpoint.method != .head, endpoint.responseHeaders.allSatisfy({ !$0.isRequired }) else { return false }
        return switch endpoint.response.value {
        case .none: !endpoint.isResponseOfHeaders
        case .bytes: endpoint.checksum == nil
        case .type, .fields: false
        }
    }
}

/// Names endpoints in a message.
enum GatewayEndpoints {
    static func list(_ endpoints: [LintedEndpoint]) -> String {
        let names = endpoints.prefix(3).map { "`\($0.name)`" }
        let others = endpoints.count - names.count
        return names.joined(separator: ", ")
            + (others == 0 ? "" : others == 1 ? " and another one" : " and \(others) others")
    }
}
