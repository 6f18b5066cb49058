import ContractModel

/// Makes the template input of the client itself.
struct ClientPlan {
    private let emission: Emission
    private var contract: ResolvedContract { emission.contract }
    private var access: String { emission.access.rawValue }

    init(_ emission: Emission) {
        self.emission = emission
    }

    func input(imports: ImportsInput) -> ClientInput {
        var input = ClientInput()
        input.isPublic = emission.access == .public
        input.imports = imports
        input.doc = DocComment.lines(contract.doc ?? "The client of the service `\(emission.service)`.")
        input.access = access
        input.name = emission.service
        input.string = emission.spelling.library("String")
        input.servers = servers
        input.description = descriptionArguments.joined(separator: ",\n")
        addCommon(to: &input)
        input.commands = { [emission] in
            emission.contract.endpoints.map { CommandPlan(emission, $0).input().command }
        }
        input.parameters = parameters.joined(separator: ", ")
        input.binding = bindingArguments.joined(separator: ", ")
        return input
    }

    // MARK: Initialiser

    private var hasAppParameters: Bool { contract.common.all.contains { $0.source == .app } }

    /// The parameter of the signing key. Inside the initializer it has a name of its own, so that the contract may call it
    /// as another parameter or a property is called.
    private var keyParameter: String? {
        guard let label = contract.signing?.keyIdentifier else { return nil }
        let name = label == "signingKey" ? label : SwiftIdentifier.spelled(label) + " signingKey"
        return "\(name): \(emission.spelling.library("String"))"
    }

    private var parameters: [String] {
        var list: [String] = []
        switch contract.servers.first {
        case let server? where server.hasVariables:
            list.append("_ server: Server = .\(SwiftIdentifier.spelled(server.identifier))()")
        case let server?: list.append("_ server: Server = .\(SwiftIdentifier.spelled(server.identifier))")
        case nil: list.append("_ server: Server")
        }
        list.append("on dispatcher: ErrandRuntime.Dispatcher = .standard")
        list.append("session: ErrandRuntime.Session = ErrandRuntime.Session()")
        if hasAppParameters {
            let app = MemberList(emission, contract.common.all.filter { $0.source == .app }.map(\.field))
            list.append(app.hasOnlyDefaults ? "common: Common = Common()" : "common: Common")
        }
        if let keyParameter { list.append(keyParameter) }
        return list
    }

    private var bindingArguments: [String] {
        var list = ["Self.service", "server: server.url", "on: dispatcher", "session: session"]
        if hasAppParameters {
            list.append("common: { common.encode(into: &$0) }")
        } else if !contract.common.all.isEmpty {
            list.append("common: { Self.encodeCommon(into: &$0) }")
        }
        if contract.signing != nil { list.append("signingKey: signingKey") }
        if let refresh = contract.session?.refresh,
            let endpoint = contract.endpoints.first(where: { $0.name.value == refresh })
        {
            list.append("refresh: \(SwiftIdentifier.spelled(endpoint.commandType)).self")
        }
        return list
    }

    // MARK: Servers

    private var servers: [ClientInput.Server] {
        contract.servers.map { server in
            var input = ClientInput.Server()
            input.name = SwiftIdentifier.spelled(server.identifier)
            var seen: Set<String> = []
            let pieces = server.url.map { part in
                switch part {
                case .text(let text): return SwiftLiteral.Piece.text(text)
                case .variable(let name, let value):
                    let label = SwiftIdentifier.spelled(SwiftIdentifier.make(from: name, .value))
                    if seen.insert(name).inserted {
                        var variable = ClientInput.Variable()
                        variable.name = label
                        variable.value = SwiftLiteral.string(value)
                        input.variables.append(variable)
                    }
                    return SwiftLiteral.Piece.expression(label)
                }
            }
            input.url = SwiftLiteral.interpolated(pieces)
            if !input.variables.isEmpty { input.variables[input.variables.count - 1].isLast = true }
            return input
        }
    }

    // MARK: Description

    private var descriptionArguments: [String] {
        var list = [
            "name: \(SwiftLiteral.string(contract.service.value))", "version: \(SwiftLiteral.string(contract.version))",
        ]
        switch contract.session?.placement {
        case .header(let name, let prefix, let suffix):
            let strings = [name, prefix, suffix].map(SwiftLiteral.string)
            list.append(
                "session: SessionPlacement(header: \(strings[0]), prefix: \(strings[1]), suffix: \(strings[2]))")
        case .parameter(let name): list.append("session: SessionPlacement(parameter: \(SwiftLiteral.string(name)))")
        case nil: break
        }
        if !contract.errors.isEmpty { list.append("errors: " + errors(contract.errors)) }
        if !contract.redeclared.isEmpty { list.append("redeclared: " + errors(contract.redeclared)) }
        if let signing = contract.signing { list.append("signing: \(rule(signing))") }
        let names = SensitiveNames.onTheWire(in: contract)
        if !names.isEmpty { list.append("sensitive: " + SwiftLiteral.strings(names)) }
        list.append("declaredKeys: " + SwiftLiteral.strings(DeclaredKeys.onTheWire(in: contract)))
        return list
    }

    private func errors(_ errors: [ErrorDefinition]) -> String {
        let separator = errors.count == 1 ? "\n" : ",\n"
        return "[\n" + errors.map { error($0) + separator }.joined() + "]"
    }

    private func error(_ error: ErrorDefinition) -> String {
        var list = [SwiftLiteral.string(error.name.value), ".\(error.category.value.rawValue)"]
        // The rows of decision tables say it for the others.
        if error.builtIn != nil, let applied = error.declaredApplied {
            list.append("applied: .\(applied.value.rawValue)")
        }
        if let message = error.message { list.append("message: \(SwiftLiteral.string(message))") }
        if let retry = error.retry { list.append("retry: \(EndpointArguments.retry(retry.value))") }
        if !error.renewsSession { list.append("renew: false") }
        if contract.sharedErrors.contains(error.name.value) { list.append("shared: true") }
        return "ErrorDescription(\(list.joined(separator: ", ")))"
    }

    private func rule(_ signing: SigningDefinition) -> String {
        let algorithm =
            switch signing.algorithm.value {
            case .hmacSHA256: ".hmacSHA256"
            case .hmacSHA1: ".hmacSHA1"
            case .md5: ".md5"
            }
        var list = [algorithm]
        if let append = signing.append {
            let text = append.value.map { part in
                switch part {
                case .text(let text): text
                case .variable(let name, _): "{\(name)}"
                }
            }.joined()
            list.append("append: \(SwiftLiteral.string(text))")
        }
        if signing.skipsEmpty { list.append("skipEmpty: true") }
        if signing.trims { list.append("trim: true") }
        if signing.encodesValues { list.append("encode: .values") }
        list.append("case: .\(signing.letterCase.rawValue)")
        if !signing.headers.isEmpty { list.append("headers: \(SwiftLiteral.strings(signing.headers.map(\.value)))") }
        switch signing.placement.value {
        case .header(let name): list.append("into: .header(\(SwiftLiteral.string(name)))")
        case .query(let name): list.append("into: .query(\(SwiftLiteral.string(name)))")
        case .body(let name): list.append("into: .body(\(SwiftLiteral.string(name)))")
        }
        if signing.sendsHeaders { list.append("send: .headers") }
        return "SigningRule(\(list.joined(separator: ", ")))"
    }

    // MARK: Common parameters

    private func addCommon(to input: inout ClientInput) {
        let all = contract.common
        if all.all.isEmpty { return }
        let requests = RequestStatements(emission)
        let places = [(all.query, "query"), (all.headers, "header"), (all.parameters, "parameter")]
        let statements = places.flatMap { list, place in list.map { requests.common($0, as: place) } }
        guard hasAppParameters else {
            input.hasFixedCommon = true
            input.fixedCommon = statements
            return
        }
        let fields = all.all.filter { $0.source == .app }.map(\.field)
        var common = ClientInput.CommonInput()
        let members = MemberList(emission, fields)
        common.conformances = ["Sendable", members.mirrorProtocol].compactMap { $0 }.joined(separator: ", ")
        common.members = members.input()
        common.encoding = statements
        input.common = common
    }
}

extension ServerDefinition {
    var hasVariables: Bool {
        url.contains { if case .variable = $0 { true } else { false } }
    }
}
