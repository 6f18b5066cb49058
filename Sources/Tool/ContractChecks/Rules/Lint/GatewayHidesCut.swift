import ContractModel
import Diagnostics

package enum GatewayHidesCut: LintRule {
    package static let kind = FindingKind(
        "gateway-hides-cut", .warning,
        page: """
            Bytes without `checksum`, or a stream without `end`, behind lighttpd or Caddy.

            ## Why is this bad
            If the service breaks off a chunked response, lighttpd and Caddy 2.6 give the client a whole response with what there was. JSON
            that was cut is malformed. Bytes and a stream that were cut are a success with less in it. (Caddy 2.11 passes the cut on.)

            ## Example
            ```yaml
            servers: {main: "https://api.sample.example"}
            gateways: {main: {url: lighttpd}}
            endpoints:
              readReport: {get: "/reports/{id:int}", response: bytes}
            ```
            ## Use instead
            ```yaml
            servers: {main: "https://api.sample.example"}
            gateways: {main: {url: lighttpd}}
            endpoints:
              readReport: {get: "/reports/{id:int}", response: bytes, checksum: sha256}
            ```
            """)

    package static let tags: [RuleTag] = [.http]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for entry in subject.contract.gateways {
            let endpoints = subject.endpoints.filter { endpoint in
                let definition = endpoint.resolved.definition
                return hidesCut(definition)
                    && entry.gateways(before: definition).contains(where: \.completesCutResponses)
            }
            guard !endpoints.isEmpty else { continue }
            let gateways = endpoints.flatMap { entry.gateways(before: $0.resolved.definition) }.uniqued
            let names = gateways.filter(\.completesCutResponses).map(\.title)
            report.add(
                "\(names.joined(separator: " and ")) can make a whole response of one that was cut, and \(GatewayEndpoints.list(endpoints)) would not notice",
                at: entry.server.range, help: "add `checksum` to bytes, and `end` to streams")
        }
    }

    /// Whether less of a response is a valid response.
    private static func hidesCut(_ endpoint: EndpointDefinition) -> Bool {
        if endpoint.delivery?.value == .stream { return endpoint.stream?.end == nil }
        if case .bytes = endpoint.response.value { return endpoint.checksum == nil && endpoint.method != .head }
        return false
    }
}
