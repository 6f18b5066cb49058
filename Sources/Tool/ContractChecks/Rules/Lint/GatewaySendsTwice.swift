import ContractModel
import Diagnostics

package enum GatewaySendsTwice: LintRule {
    package static let kind = FindingKind(
        "gateway-sends-twice", .warning,
        page: """
            A `once` command that a gateway of the contract sends to the service a second time by itself.

            ## Why is this bad
            A gateway keeps connections to the service. If one ends before the response, some gateways send the request again on another
            one: nginx each request but POST, PATCH and LOCK, Varnish each without a body, Squid each without a body but POST and PATCH,
            and Caddy a request without a body that has an `Idempotency-Key`. The client sees one response, and the service has carried
            the command out twice.

            ## Example
            ```yaml
            servers: {main: "https://api.sample.example"}
            gateways: {main: {url: varnish}}
            endpoints:
              cancelOrder: {post: "/orders/{id:int}/cancel", effect: once, response: {id: int}}
            ```
            ## Use instead
            ```yaml
            servers: {main: "https://api.sample.example"}
            gateways: {main: {url: varnish}}
            endpoints:
              cancelOrder: {post: "/orders/{id:int}/cancel", body: {reason: string}, effect: once, response: {id: int}}
            ```
            If a second request changes nothing more, write `effect: idempotent`. If the gateway is told not to send again
            (`proxy_next_upstream off`), suppress the warning with this reason.
            """)

    package static let tags: [RuleTag] = [.retry, .http]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let common = subject.contract.common.headers.map(\.field)
        for endpoint in subject.endpoints where endpoint.resolved.effect == .once {
            let definition = endpoint.resolved.definition
            let gateways = subject.contract.gateways.flatMap { $0.gateways(before: definition) }.uniqued
            let names = gateways.filter { definition.isRepeated(by: $0, common: common) }.map(\.title)
            guard let method = definition.method, !names.isEmpty else { continue }
            report.add(
                "\(names.joined(separator: " and ")) may send \(method.rawValue.uppercased()) of `\(endpoint.name)` to the service twice, and `once` must arrive once",
                at: endpoint.written.declaredEffect?.range ?? endpoint.written.name.range,
                help: "use POST with a body, or write `effect: idempotent` if a second request changes nothing more")
        }
    }
}
