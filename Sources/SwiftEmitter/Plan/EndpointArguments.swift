import ContractModel

/// The arguments of an endpoint's description, without those that say what is so anyway.
enum EndpointArguments {
    static func list(_ endpoint: ResolvedEndpoint, _ emission: Emission) -> [String] {
        let method = endpoint.method?.rawValue ?? "post"
        var list = [
            "\(emission.service).service", SwiftLiteral.string(endpoint.name.value), ".\(method)",
            "effect: .\(endpoint.effect.rawValue)",
        ]
        if let lifetime = endpoint.keyLifetime { list.append("keyLifetime: \(duration(lifetime))") }
        list.append("session: .\(endpoint.session.rawValue)")
        if let timeout = endpoint.timeout { list.append("timeout: \(duration(timeout))") }
        if let deadline = endpoint.deadline { list.append("deadline: \(duration(deadline))") }
        if let patience = endpoint.patience { list.append("patience: \(self.patience(patience))") }
        if let retry = endpoint.retry { list.append("retry: \(self.retry(retry))") }
        if endpoint.priority != .normal { list.append("priority: .\(endpoint.priority.rawValue)") }
        if endpoint.network != .any { list.append("network: .\(endpoint.network.rawValue)") }
        if let name = endpoint.envelope, let envelope = emission.contract.envelope(named: name) {
            list.append("envelope: \(emission.service).\(envelope.identifier).description")
        }
        switch endpoint.response.value {
        case .none: list.append("response: .none")
        case .bytes: list.append("response: .bytes")
        case .type(let type, _, _):
            if case .list = emission.contract.shape(of: type).wrapped, endpoint.envelope != nil { list.append("list: true") }
        case .fields: break
        }
        let table = emission.sharedTables[DecisionStatements.body(endpoint, in: emission.contract)]
        list.append("classify: " + (table.map { "\(emission.service).DecisionTables.\($0)" } ?? "classify"))
        return list
    }

    static func duration(_ milliseconds: Int) -> String {
        milliseconds % 1000 == 0 ? ".seconds(\(milliseconds / 1000))" : ".milliseconds(\(milliseconds))"
    }

    static func patience(_ patience: Patience) -> String {
        switch patience {
        case .forever: ".forever"
        case .upTo(let limit): ".upTo(\(duration(limit)))"
        }
    }

    static func retry(_ retry: RetryDefinition) -> String {
        switch retry {
        case .never: return ".never"
        case .rule(let attempts, let base, let cap):
            let arguments = [
                attempts.map { "attempts: \($0)" }, base.map { "base: \(duration($0))" }, cap.map { "cap: \(duration($0))" },
            ]
            return "RetryRule(\(arguments.compactMap { $0 }.joined(separator: ", ")))"
        }
    }
}
