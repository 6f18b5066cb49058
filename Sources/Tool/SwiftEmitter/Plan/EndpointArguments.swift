import ContractModel

/// The arguments of an endpoint's description, without defaults.
enum EndpointArguments {
    static func list(_ endpoint: ResolvedEndpoint, _ context: EmissionContext) -> [Argument] {
        var list = [
            Argument(context.spelling.service.member("service")), Argument(.string(endpoint.name.value)),
            target(endpoint, context), Argument("effect", .implicit(endpoint.effect.rawValue)),
        ]
        func add(_ label: String, _ value: Expression?) {
            if let value { list.append(Argument(label, value)) }
        }
        switch endpoint.keyPlace {
        case .header(let name)?: add("key", .implicit("header", .string(name.value)))
        case .field(let name)?: add("key", .implicit("field", .string(name.value)))
        case nil: break
        }
        add("keyLifetime", endpoint.keyLifetime.map(duration))
        add("session", .implicit(endpoint.session.rawValue))
        if !endpoint.credentials.isEmpty {
            add("credentials", .array(endpoint.credentials.map { .strings($0.names) }))
        }
        add("server", endpoint.server.flatMap { context.contract.role(named: $0.value) }.map(role))
        add("timeout", (endpoint.timeout?.any).map(duration))
        add("constrainedTimeout", (endpoint.timeout?.constrained).map(duration))
        add("deadline", endpoint.deadline.map(duration))
        add("patience", endpoint.patience.map(waitLimit))
        add("retry", endpoint.retry.map(retry))
        if endpoint.priority != .normal { add("priority", .implicit(endpoint.priority.rawValue)) }
        if endpoint.network != .any { add("network", .implicit(endpoint.network.rawValue)) }
        add("redirects", endpoint.redirects.map { .integer($0) })
        if case .gzip(let size)? = endpoint.compression {
            let arguments = size.map { [Argument("minimumSize", .integer($0))] } ?? []
            add("compression", .implicit("gzip", arguments))
        }
        add("checksum", endpoint.checksum.map(rule))
        add("xml", XMLPlan(context).description(of: endpoint))
        if let name = endpoint.envelope, let envelope = context.contract.envelope(named: name) {
            add("envelope", context.inside("Envelopes").member(SwiftIdentifier.spelled(envelope.identifier)))
        }
        switch endpoint.response.value {
        case .none: add("response", .implicit(endpoint.definition.isResponseOfHeaders ? "headers" : "none"))
        case .bytes: add("response", .implicit("bytes"))
        case .type(let type, _, _):
            if case .list = context.contract.shape(of: type).wrapped, endpoint.envelope != nil {
                add("list", .bool(true))
            }
        case .fields: break
        }
        let headers = endpoint.responseHeaders.map { header($0, context) }
        if !headers.isEmpty { add("headers", .rows(headers)) }
        if let stream = endpoint.stream {
            add("response", .implicit("stream"))
            add("stream", self.stream(stream, of: endpoint))
        }
        add("pagination", PaginationPlan(context).description(of: endpoint))
        if endpoint.isShared { add("share", .bool(true)) }
        add("cache", endpoint.cache.map { rule($0, of: endpoint, context) })
        // An app may have left some of them out (`errand.yaml`).
        let cleared = endpoint.definition.clears.map(\.value).filter { name in
            context.contract.endpoints.contains { $0.name.value == name }
        }
        if !cleared.isEmpty { add("clears", .strings(cleared)) }
        add("status", endpoint.definition.status.map { .integer($0.value) })
        if let name = context.inheritedTables.name(for: endpoint) {
            add("table", context.inside("DecisionTables").member(name))
        } else if !endpoint.table.rows.isEmpty {
            add("table", DecisionTablePlan.rows(endpoint.table))
        }
        return list
    }

    /// The method, or the frame.
    private static func target(_ endpoint: ResolvedEndpoint, _ context: EmissionContext) -> Argument {
        switch endpoint.target {
        case .http(let method, _): return Argument(.implicit(method.rawValue))
        case .frame(let frame):
            let kind = frame.kind.value
            var arguments = [Argument(.string(kind))]
            switch endpoint.delivery {
            case .reply: break
            case .none: arguments.append(Argument("replies", .implicit("none")))
            case .stream: arguments.append(Argument("replies", .implicit("many")))
            }
            let reply = context.contract.connection?.reply(to: frame) ?? kind
            if endpoint.delivery != .none, reply != kind { arguments.append(Argument("reply", .string(reply))) }
            return Argument("frame", SwiftType.named("FrameDescription").make(arguments))
        }
    }

    private static func rule(
        _ cache: CacheDefinition, of endpoint: ResolvedEndpoint, _ context: EmissionContext
    ) -> Expression {
        var arguments = cache.offline.map { [Argument("offline", duration($0.value))] } ?? []
        switch context.contract.cacheStorage(of: endpoint) {
        case .memory: arguments.append(Argument("storage", .implicit("memory")))
        case .sealed: arguments.append(Argument("storage", .implicit("sealed")))
        case .plain: break
        }
        return SwiftType.named("CacheRule").make(arguments)
    }

    private static func role(_ role: ServerRoleDefinition) -> Expression {
        var arguments = [Argument(.string(role.name.value))]
        for content in ServerRoleDefinition.Content.allCases where role.sends(content) {
            arguments.append(Argument(content.rawValue, .bool(true)))
        }
        return SwiftType.named("ServerRole").make(arguments)
    }

    private static func header(_ field: FieldDefinition, _ context: EmissionContext) -> Expression {
        var arguments = [Argument(.string(field.wireName))]
        if field.isRequired { arguments.append(Argument("isRequired", .bool(true))) }
        return .implicit(form(of: context.contract.shape(of: field).wrapped, context), arguments)
    }

    /// How the text of a header with this shape becomes JSON.
    private static func form(of shape: Shape, _ context: EmissionContext) -> String {
        switch shape {
        case .list: "list"
        case .primitive(.timestamp): "timestamp"
        case .instant(let forms) where forms.tellsNumbers: "number"
        case .enumeration(let name): context.contract.hasNumbers(inEnumeration: name) ? "number" : "text"
        default: "text"
        }
    }

    private static func rule(_ checksum: ChecksumDefinition) -> Expression {
        var arguments = [Argument(.implicit(checksum.algorithm.rawValue))]
        if let header = checksum.header {
            arguments.append(Argument("header", .string(header.name)))
            arguments.append(Argument("encoding", .implicit(header.encoding.rawValue)))
        }
        return SwiftType.named("ChecksumRule").make(arguments)
    }

    private static func stream(_ stream: StreamDefinition, of endpoint: ResolvedEndpoint) -> Expression {
        var arguments = [Argument(.implicit(stream.format.rawValue))]
        if let end = stream.end { arguments.append(Argument("end", .string(end))) }
        if !stream.failures.isEmpty {
            var seen: Set<String> = []
            let names = stream.failures.map(\.value).filter { seen.insert($0).inserted }
            arguments.append(Argument("failures", .strings(names)))
        }
        if let name = stream.name { arguments.append(Argument("nameMember", .string(name))) }
        if let idle = stream.idle { arguments.append(Argument("idle", duration(idle))) }
        if stream.reopening != .resume {
            arguments.append(Argument("reopening", .implicit(stream.reopening.rawValue)))
        }
        if let cancel = stream.cancel { arguments.append(Argument("cancel", .string(cancel.value))) }
        if let resume = stream.resume?.value, let field = endpoint.inputs.first(where: { $0.name.value == resume }) {
            arguments.append(Argument("resume", .string(field.wireName)))
        }
        return SwiftType.named("StreamDescription").make(arguments)
    }

    static func duration(_ milliseconds: Int) -> Expression {
        milliseconds % 1000 == 0
            ? .implicit("seconds", .integer(milliseconds / 1000)) : .implicit("milliseconds", .integer(milliseconds))
    }

    private static func waitLimit(_ limit: WaitLimit) -> Expression {
        switch limit {
        case .forever: .implicit("forever")
        case .upTo(let limit): .implicit("upTo", duration(limit))
        }
    }

    static func retry(_ retry: RetryDefinition) -> Expression {
        switch retry {
        case .never: return .implicit("never")
        case .rule(let attempts, let base, let cap):
            let arguments = [
                attempts.map { Argument("attempts", .integer($0)) }, base.map { Argument("base", duration($0)) },
                cap.map { Argument("cap", duration($0)) },
            ]
            return SwiftType.named("RetryRule").make(arguments.compactMap { $0 })
        }
    }
}
