import ContractModel

/// Makes the template input of the client itself.
struct ClientPlan {
    private let context: EmissionContext
    private var contract: ResolvedContract { context.contract }
    private var access: String { context.access.rawValue }

    init(_ context: EmissionContext) {
        self.context = context
    }

    func input(imports: ImportsInput) -> ClientInput {
        var input = ClientInput()
        input.isPublic = context.access == .public
        input.imports = imports
        input.doc = DocComment(contract.doc ?? "The client of the service `\(context.service)`.")
        input.access = access
        input.name = context.service
        input.string = context.spelling.library("String")
        input.roles = contract.roles.map { role in
            ClientInput.Role(name: SwiftIdentifier.spelled(role.identifier), string: input.string)
        }
        input.servers = servers
        if !contract.trust.isEmpty { input.pins = pinsProperty }
        if contract.hasGatewayRules { input.gateways = gatewaysProperty }
        input.description = descriptionArguments
        input.hasConnection = contract.connection != nil
        input.durables = DurabilityPlan(context).commands
        input.hasProtocol = context.hasProtocol
        addCommon(to: &input)
        input.commands = { [context] in
            context.contract.endpoints.map { CommandPlan(context, $0).input().command }
        }
        input.parameters = parameters
        input.binding = bindingArguments
        return input
    }

    // MARK: Initializer

    private var hasAppParameters: Bool { contract.common.all.contains { $0.source == .app } }

    /// The parameter of the signing key. Inside the initializer it has a name of its own, so that the contract may call it
    /// as another parameter or a property is called.
    private var keyParameter: ClientInput.Parameter? {
        guard let label = contract.signing?.keyIdentifier else { return nil }
        let name = "signingKey"
        return ClientInput.Parameter(
            label: label == name ? nil : SwiftIdentifier.spelled(label), name: name,
            type: context.spelling.library("String"))
    }

    private var parameters: [ClientInput.Parameter] {
        let runtime = SwiftType.named("ErrandRuntime")
        let session = SwiftType.nested(runtime, "Session")
        let common = SwiftType.named("Common")
        let server = contract.servers.first.map { server in
            let name = SwiftIdentifier.spelled(server.identifier)
            return server.hasVariables ? Expression.implicit(name, []) : .implicit(name)
        }
        var list = [
            ClientInput.Parameter(label: "_", name: "server", type: .named("Server"), value: server),
            ClientInput.Parameter(
                label: "on", name: "dispatcher", type: .nested(runtime, "Dispatcher"), value: .implicit("standard")),
            ClientInput.Parameter(name: "session", type: session, value: session.make()),
        ]
        if hasAppParameters {
            let app = MemberList(context, contract.common.all.filter { $0.source == .app }.map(\.field))
            let value = app.hasOnlyDefaults ? common.make() : nil
            list.append(ClientInput.Parameter(name: "common", type: common, value: value))
        }
        list += contract.credentials.map { credential in
            ClientInput.Parameter(
                name: SwiftIdentifier.spelled(credential.identifier),
                type: .optional(context.spelling.library("String")), value: .null)
        }
        if let keyParameter { list.append(keyParameter) }
        return list
    }

    private var bindingArguments: [Argument] {
        var list = [
            Argument(SwiftType.named("Self").member("service")),
            Argument("server", .member(.name("server"), "url")),
        ]
        if !contract.roles.isEmpty {
            let roles = contract.roles.map { role in
                (role.name.value, Expression.member(.name("server"), SwiftIdentifier.spelled(role.identifier)))
            }
            list.append(Argument("roles", .dictionary(roles)))
        }
        if !contract.trust.isEmpty {
            list.append(Argument("pins", .member(.name("server"), pinsProperty)))
        }
        if contract.hasGatewayRules {
            list.append(Argument("gateways", .member(.name("server"), gatewaysProperty)))
        }
        list += [Argument("on", .name("dispatcher")), Argument("session", .name("session"))]
        let request = Argument("into", .reference(.parameter(0)))
        if hasAppParameters {
            list.append(Argument("common", .closure(Expression.name("common").method("encode", [request]))))
        } else if !contract.common.all.isEmpty {
            list.append(Argument("common", .closure(SwiftType.named("Self").method("encodeCommon", [request]))))
        }
        if !contract.credentials.isEmpty {
            let credentials = contract.credentials.map { credential in
                (credential.name.value, Expression.name(SwiftIdentifier.spelled(credential.identifier)))
            }
            list.append(Argument("credentials", .dictionary(credentials)))
        }
        if contract.signing != nil { list.append(Argument("signingKey", .name("signingKey"))) }
        if let refresh = contract.session?.refresh,
            let endpoint = contract.endpoints.first(where: { $0.name.value == refresh })
        {
            let command = SwiftType.named(SwiftIdentifier.spelled(endpoint.commandType))
            list.append(Argument("refresh", command.member("self")))
        }
        return list
    }

    // MARK: Servers

    private var servers: [ClientInput.Server] {
        contract.servers.map { server in
            var input = ClientInput.Server()
            input.name = SwiftIdentifier.spelled(server.identifier)
            var seen: Set<String> = []
            for case .variable(let name, let value) in server.urls.joined() where seen.insert(name).inserted {
                var variable = ClientInput.Variable()
                variable.name = Self.label(ofVariable: name)
                variable.value = .string(value)
                input.variables.append(variable)
            }
            input.urls = [Argument("url", Self.expression(server.url))]
            for role in contract.roles {
                guard let url = server.url(of: role.name.value) else { continue }
                input.urls.append(Argument(SwiftIdentifier.label(role.identifier), Self.expression(url)))
            }
            if let trust = contract.trust(in: server) {
                var arguments = [Argument(.strings(trust.pins.map(\.value)))]
                if let until = trust.until { arguments.append(Argument("until", .string(until.value.text))) }
                input.urls.append(
                    Argument(
                        pinsProperty, SwiftType.nested(.named("ErrandRuntime"), "PublicKeyPins").make(arguments)))
            }
            let rules = contract.gateways(of: server).map(GatewayPlan.rules) ?? []
            if !rules.isEmpty { input.urls.append(Argument(gatewaysProperty, .dictionary(rules))) }
            if !input.variables.isEmpty { input.variables[input.variables.count - 1].isLast = true }
            return input
        }
    }

    private var pinsProperty: String { property("pins", or: "pinnedKeys") }
    private var gatewaysProperty: String { property("gateways", or: "knownGateways") }

    /// A property of a server beside its URLs. A role may have that name, and keeps it.
    private func property(_ name: String, or other: String) -> String {
        let roles = contract.roles.map { SwiftIdentifier.spelled($0.identifier) }
        var free = roles.contains(name) ? other : name
        while roles.contains(free) { free += "_" }
        return free
    }

    private static func expression(_ url: [ServerDefinition.Part]) -> Expression {
        .interpolated(
            url.map { part in
                switch part {
                case .text(let text): .text(text)
                case .variable(let name, _): .value(.name(label(ofVariable: name)))
                }
            })
    }

    private static func label(ofVariable name: String) -> String {
        SwiftIdentifier.spelled(SwiftIdentifier.make(from: name, .value))
    }

    // MARK: Description

    private var descriptionArguments: [Argument] {
        var list = [
            Argument("name", .string(contract.service.value)), Argument("version", .string(contract.version)),
        ]
        let placement = SwiftType.named("SessionPlacement")
        switch contract.session?.placement {
        case .header(let name, let prefix, let suffix):
            let arguments = [("header", name), ("prefix", prefix), ("suffix", suffix)].map {
                Argument($0, .string($1))
            }
            list.append(Argument("session", placement.make(arguments)))
        case .parameter(let name):
            list.append(Argument("session", placement.make([Argument("parameter", .string(name))])))
        case .attached, nil: break
        }
        if !contract.credentials.isEmpty {
            let places = contract.credentials.map { ($0.name.value, Self.place($0.placement)) }
            list.append(Argument("credentials", .dictionary(places)))
        }
        if !contract.errors.isEmpty { list.append(Argument("errors", .rows(contract.errors.map(error)))) }
        if !contract.redeclared.isEmpty {
            list.append(Argument("redeclared", .rows(contract.redeclared.map(error))))
        }
        if let signing = contract.signing { list.append(Argument("signing", rule(signing))) }
        if let limit = contract.rateLimit { list.append(Argument("rateLimit", rule(limit))) }
        let names = SensitiveNames.onTheWire(in: contract)
        if !names.isEmpty { list.append(Argument("sensitive", .strings(names))) }
        list.append(Argument("declaredKeys", .strings(DeclaredKeys.onTheWire(in: contract))))
        if let connection = contract.connection { list.append(Argument("connection", rule(connection))) }
        if let attach { list.append(Argument("attach", .closure(attach))) }
        if let identification { list.append(Argument("identification", .closure(identification))) }
        return list
    }

    /// The command that says who is logged in.
    private var identification: Expression? {
        guard let name = contract.session?.identification,
            let endpoint = contract.endpoints.first(where: { $0.name.value == name })
        else { return nil }
        return SwiftType.named(SwiftIdentifier.spelled(endpoint.commandType)).make()
    }

    private static func place(_ placement: CredentialDefinition.Placement) -> Expression {
        switch placement {
        case .header(let name, let prefix, let suffix):
            var arguments = [Argument(.string(name))]
            if !prefix.isEmpty { arguments.append(Argument("prefix", .string(prefix))) }
            if !suffix.isEmpty { arguments.append(Argument("suffix", .string(suffix))) }
            return .implicit("header", arguments)
        case .basic: return .implicit("basic")
        case .query(let name): return .implicit("query", .string(name))
        case .cookie(let name): return .implicit("cookie", .string(name))
        }
    }

    /// The command that presents a token.
    private var attach: Expression? {
        guard let session = contract.session, let name = session.attach,
            let endpoint = contract.endpoints.first(where: { $0.name.value == name }),
            let field = endpoint.inputs.first(where: { $0.name.value == session.attachInput })
        else { return nil }
        let command = SwiftType.named(SwiftIdentifier.spelled(endpoint.commandType))
        return command.make([Argument(field.label, .parameter(0))])
    }

    private func rule(_ connection: ConnectionDefinition) -> Expression {
        var list = [Argument(.implicit("persistent"))]
        func add(_ label: String, _ value: Expression?) {
            if let value { list.append(Argument(label, value)) }
        }
        if connection.kindMember != "type" { add("kind", .string(connection.kindMember)) }
        if connection.correlationMember != "id" { add("correlation", .string(connection.correlationMember)) }
        if connection.hasNumericCorrelation { add("numericCorrelation", .bool(true)) }
        add("payload", (connection.payload?.value).map(Expression.string))
        add("failure", (connection.failure?.value).map(Expression.string))
        add("subprotocol", (connection.subprotocol?.value).map(Expression.string))
        switch connection.ping?.value {
        case .never?: add("ping", .null)
        case .after(let every, let timeout)?:
            add("ping", every.map(EndpointArguments.duration))
            add("silence", timeout.map(EndpointArguments.duration))
        case nil: break
        }
        switch connection.unused?.value {
        case .never?: add("unused", .null)
        case .after(let time)?: add("unused", EndpointArguments.duration(time))
        case nil: break
        }
        if let pauses = connection.reconnect {
            let usual = ConnectionDefinition.usualReconnect
            let pause = RetryDefinition.rule(
                attempts: nil, base: pauses.base?.value ?? usual.base, cap: pauses.cap?.value ?? usual.cap)
            add("reconnect", EndpointArguments.retry(pause))
        }
        add("maximumPending", (connection.limits?.pending).map { .integer($0) })
        add("maximumBuffer", (connection.limits?.buffer).map { .integer($0) })
        return SwiftType.named("ConnectionDescription").make(list)
    }

    private func error(_ error: ErrorDefinition) -> Expression {
        var list = [Argument(.string(error.name.value)), Argument(.implicit(error.category.value.rawValue))]
        // The rows of decision tables say it for the others.
        if error.builtIn != nil, let applied = error.declaredApplied {
            list.append(Argument("applied", .implicit(applied.value.rawValue)))
        }
        if let message = error.message { list.append(Argument("message", .string(message.value))) }
        let placeholders = contract.placeholders(of: error)
        if !placeholders.isEmpty {
            list.append(
                Argument("placeholders", .dictionary(placeholders.map { ($0.name, .string($0.field.wireName)) })))
        }
        if let retry = error.retry { list.append(Argument("retry", EndpointArguments.retry(retry.value))) }
        if !error.renewsSession { list.append(Argument("renew", .bool(false))) }
        if let settles = error.settles { list.append(Argument("settles", .implicit(settles.value.rawValue))) }
        if contract.sharedErrors.contains(error.name.value) { list.append(Argument("shared", .bool(true))) }
        return SwiftType.named("ErrorDescription").make(list)
    }

    private func rule(_ signing: SigningDefinition) -> Expression {
        let algorithm =
            switch signing.algorithm.value {
            case .hmacSHA256: "hmacSHA256"
            case .hmacSHA1: "hmacSHA1"
            case .md5: "md5"
            }
        var list = [Argument(.implicit(algorithm))]
        if let text = signing.appendedText { list.append(Argument("append", .string(text))) }
        if signing.skipsEmpty { list.append(Argument("skipEmpty", .bool(true))) }
        if signing.trims { list.append(Argument("trim", .bool(true))) }
        if signing.encodesValues { list.append(Argument("encode", .implicit("values"))) }
        list.append(Argument("case", .implicit(signing.letterCase.rawValue)))
        if !signing.headers.isEmpty { list.append(Argument("headers", .strings(signing.headers.map(\.value)))) }
        let place: Expression =
            switch signing.placement.value {
            case .header(let name): .implicit("header", .string(name))
            case .query(let name): .implicit("query", .string(name))
            case .body(let name): .implicit("body", .string(name))
            }
        list.append(Argument("into", place))
        if signing.sendsHeaders { list.append(Argument("send", .implicit("headers"))) }
        return SwiftType.named("SigningRule").make(list)
    }

    private func rule(_ limit: RateLimitDefinition) -> Expression {
        var list = [
            Argument("reset", .string(limit.reset.value)), Argument("unit", .implicit(limit.unit.value.rawValue)),
        ]
        if let remaining = limit.remaining { list.append(Argument("remaining", .string(remaining.value))) }
        return SwiftType.named("RateLimitRule").make(list)
    }

    // MARK: Common parameters

    private func addCommon(to input: inout ClientInput) {
        let all = contract.common
        if all.all.isEmpty { return }
        let requests = RequestStatements(context)
        let places = [(all.query, "query"), (all.headers, "header"), (all.parameters, "parameter")]
        let statements = places.flatMap { list, place in list.map { requests.common($0, as: place) } }
        guard hasAppParameters else {
            input.hasFixedCommon = true
            input.fixedCommon = statements
            return
        }
        let fields = all.all.filter { $0.source == .app }.map(\.field)
        var common = ClientInput.CommonInput()
        let members = MemberList(context, fields)
        common.conformances = [.named("Sendable")] + [members.mirrorProtocol].compactMap { $0 }
        common.members = members.input()
        common.encoding = statements
        input.common = common
    }
}

extension ServerDefinition {
    var hasVariables: Bool {
        urls.joined().contains { if case .variable = $0 { true } else { false } }
    }
}
