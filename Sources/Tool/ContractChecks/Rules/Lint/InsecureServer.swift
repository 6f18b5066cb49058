import ContractModel
import Diagnostics
import YAMLTree

package enum InsecureServer: LintRule {
    package static let kind = FindingKind(
        "insecure-server", .warning,
        page: """
            A server at `http://` that is not the local machine.

            ## Why is this bad
            An attacker on the network can read and change the session's token and every payload. iOS refuses such connections
            unless the app declares an exception.

            ## Example
            ```yaml
            servers: {main: "http://api.sample.example"}
            ```
            ## Use instead
            ```yaml
            servers: {main: "https://api.sample.example", local: "http://127.0.0.1:{port=8080}"}
            ```
            """)

    package static let tags: [RuleTag] = [.security, .http]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for server in subject.contract.servers {
            let node = subject.value(of: server.name, in: "servers")
            for (role, url) in [(nil, server.url)] + server.roles.map({ ($0.name, $0.url) }) where url.isOpenToReaders {
                let key = role?.value ?? "url"
                let (open, safe) = url.isWebSocket ? ("ws", "wss") : ("http", "https")
                let place = node?.scalar == nil ? node?.mapping?[key] : node
                report.add(
                    "an attacker on the network can read and change requests to `\(server.name.value)`\(role.map { " with the role `\($0.value)`" } ?? "")",
                    at: role?.range ?? server.name.range, help: "write `\(safe)://`",
                    fix: place.flatMap { fix($0, open, safe) })
            }
        }
    }

    private static func fix(_ place: YAMLNode, _ open: String, _ safe: String) -> Fix? {
        guard place.aliasRange == nil, let scalar = place.scalar, scalar.value.hasPrefix("\(open)://") else {
            return nil
        }
        let edit = Fix.Edit(replacing: scalar.range(ofValue: 0..<open.utf8.count), with: safe)
        return Fix(title: "write `\(safe)://`", applicability: .needsALook, edits: [edit])
    }
}

extension ServerDefinition {
    /// Whether the server is on the machine that sends the request.
    var isLocal: Bool { urls.contains(where: \.isLocal) }
}

extension [ServerDefinition.Part] {
    /// Whether requests leave the machine without TLS. A host that is a variable counts by its default.
    var isOpenToReaders: Bool {
        let address = filled
        return (address.hasPrefix("http://") || address.hasPrefix("ws://")) && !isLocal
    }

    fileprivate var isLocal: Bool {
        let address = filled
        guard let scheme = address.firstRange(of: "://") else { return false }
        let authority = address[scheme.upperBound...].prefix { $0 != "/" }
        let host =
            authority.hasPrefix("[")
            ? String(authority.prefix { $0 != "]" }.dropFirst()) : String(authority.prefix { $0 != ":" })
        return host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.") || host == "::1"
    }
}
