import ContractModel

/// The arguments of an endpoint's description, without those that say what is so anyway.
enum EndpointArguments {
    /// The arguments, one per line.
    static func lines(_ endpoint: ResolvedEndpoint, _ emission: Emission) -> String {
        list(endpoint, emission).joined(separator: ",\n")
    }

    private static func list(_ endpoint: ResolvedEndpoint, _ emission: Emission) -> [String] {
        let method = endpoint.method?.rawValue ?? "post"
        var list = [
            "\(emission.service).service", SwiftLiteral.string(endpoint.name.value), ".\(method)",
            "effect: .\(endpoint.effect.rawValue)",
        ]
        switch endpoint.keyPlace {
        case .header(let name)?: list.append("key: .header(\(SwiftLiteral.string(name.value)))")
        case .field(let name)?: list.append("key: .field(\(SwiftLiteral.string(name.value)))")
        case nil: break
        }
        if let lifetime = endpoint.keyLifetime { list.append("keyLifetime: \(duration(lifetime))") }
        list.append("session: .\(endpoint.session.rawValue)")
        if let timeout = endpoint.timeout {
            list.append("timeout: \(duration(timeout.any))")
            if let constrained = timeout.constrained { list.append("constrainedTimeout: \(duration(constrained))") }
        }
        if let deadline = endpoint.deadline { list.append("deadline: \(duration(deadline))") }
        if let patience = endpoint.patience { list.append("patience: \(self.patience(patience))") }
        if let retry = endpoint.retry { list.append("retry: \(self.retry(retry))") }
        if endpoint.priority != .normal { list.append("priority: .\(endpoint.priority.rawValue)") }
        if endpoint.network != .any { list.append("network: .\(endpoint.network.rawValue)") }
        if case .gzip(let size)? = endpoint.compression {
            list.append("compression: .gzip(\(size.map { "minimumSize: \($0)" } ?? ""))")
        }
        if let checksum = endpoint.checksum { list.append("checksum: \(rule(checksum))") }
        if let name = endpoint.envelope, let envelope = emission.contract.envelope(named: name) {
            list.append("envelope: \(emission.service).Envelopes.\(SwiftIdentifier.spelled(envelope.identifier))")
        }
        switch endpoint.response.value {
        case .none: list.append("response: .none")
        case .bytes: list.append("response: .bytes")
        case .type(let type, _, _):
            if case .list = emission.contract.shape(of: type).wrapped, endpoint.envelope != nil {
                list.append("list: true")
            }
        case .fields: break
        }
        if let stream = endpoint.stream {
            list.append("response: .stream")
            list.append("stream: " + self.stream(stream))
        }
        if let paging = PagingPlan(emission).description(of: endpoint) { list.append("paging: \(paging)") }
        if let name = emission.inheritedTables.name(for: endpoint) {
            list.append("table: \(emission.service).DecisionTables.\(name)")
        } else if !endpoint.table.rows.isEmpty {
            list.append("table: " + DecisionTablePlan.literal(endpoint.table))
        }
        return list
    }

    private static func rule(_ checksum: ChecksumDefinition) -> String {
        var arguments = [".\(checksum.algorithm.rawValue)"]
        if let header = checksum.header {
            arguments.append("header: \(SwiftLiteral.string(header.name))")
            arguments.append("encoding: .\(header.encoding.rawValue)")
        }
        return "ChecksumRule(\(arguments.joined(separator: ", ")))"
    }

    private static func stream(_ stream: StreamDefinition) -> String {
        var arguments = [".\(stream.format.rawValue)"]
        if let end = stream.end { arguments.append("end: \(SwiftLiteral.string(end))") }
        if !stream.failures.isEmpty {
            var seen: Set<String> = []
            let names = stream.failures.filter { seen.insert($0).inserted }
            arguments.append("failures: [\(names.map(SwiftLiteral.string).joined(separator: ", "))]")
        }
        if let name = stream.name { arguments.append("nameMember: \(SwiftLiteral.string(name))") }
        if let idle = stream.idle { arguments.append("idle: \(duration(idle))") }
        if stream.reopening != .resume { arguments.append("reopening: .\(stream.reopening.rawValue)") }
        return "StreamDescription(\(arguments.joined(separator: ", ")))"
    }

    static func duration(_ milliseconds: Int) -> String {
        milliseconds % 1000 == 0
            ? ".seconds(\(SwiftLiteral.number(milliseconds / 1000)))"
            : ".milliseconds(\(SwiftLiteral.number(milliseconds)))"
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
                attempts.map { "attempts: \($0)" }, base.map { "base: \(duration($0))" },
                cap.map { "cap: \(duration($0))" },
            ]
            return "RetryRule(\(arguments.compactMap { $0 }.joined(separator: ", ")))"
        }
    }
}
