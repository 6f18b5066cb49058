import ContractModel

/// The declarations that make commands the ones that start, renew and end the session.
struct SessionPlan {
    private let emission: Emission

    init(_ emission: Emission) {
        self.emission = emission
    }

    /// The extensions of the commands among these endpoints, each after a blank line.
    func conformances(of endpoints: ArraySlice<ResolvedEndpoint>) -> String {
        guard let session = emission.contract.session else { return "" }
        var text = ""
        for endpoint in endpoints {
            let name = endpoint.name.value
            let type = "\(emission.service).\(SwiftIdentifier.spelled(endpoint.commandType))"
            if name == session.refresh {
                text += tokens(type, "RefreshCommand", endpoint, session)
            } else if name == session.login {
                text += tokens(type, "LoginCommand", endpoint, session)
            } else if name == session.logout {
                text += "\nnonisolated extension \(type): LogoutCommand {}\n"
            }
        }
        return text
    }

    /// Whether the tokens of a login or refresh are made from values of Foundation's types.
    func readsFoundation(of endpoint: ResolvedEndpoint) -> Bool {
        guard let session = emission.contract.session,
            [session.login, session.refresh].contains(endpoint.name.value)
        else { return false }
        var paths = [session.expiresIn]
        if case .path(let path) = session.identity { paths.append(path) }
        return paths.contains { path in
            path.flatMap { value(at: $0, of: endpoint) }?.shape.namesFoundation ?? false
        }
    }

    private func tokens(_ type: String, _ conformance: String, _ endpoint: ResolvedEndpoint, _ session: ResolvedSession)
        -> String
    {
        let access = emission.access.rawValue
        var token = "\"\""
        var isDeprecated = false
        func value(at path: FieldPath) -> Value? {
            let value = self.value(at: path, of: endpoint)
            if value?.isDeprecated == true { isDeprecated = true }
            return value
        }
        if let path = session.token, let value = value(at: path) {
            token = value.isOptional ? value.expression + " ?? \"\"" : value.expression
        }
        var arguments = ["access: " + token]
        if let path = session.expiresIn, let lifetime = value(at: path) {
            arguments.append("expiresIn: " + seconds(lifetime))
        }
        if let path = session.refreshToken, let refresh = value(at: path) {
            arguments.append("refresh: " + refresh.expression)
        }
        switch session.identity {
        case .path(let path): value(at: path).map { arguments.append("identity: " + identity($0)) }
        case .claim(let name):
            arguments.append("identity: SessionTokens.claim(\(SwiftLiteral.string(name)), of: \(token))")
        case nil: break
        }
        var body = ["SessionTokens(\(arguments.joined(separator: ", ")))"]
        // An outcome is no session; the runtime never asks for its tokens.
        if !endpoint.outcomes.isEmpty {
            body = [
                "guard case .completed(let response) = response else { return SessionTokens(access: \"\") }",
                "return " + body[0],
            ]
        }
        var members = Deprecation.allowed(
            isDeprecated, Block.lines("\(access) static func tokens(from response: Response) -> SessionTokens", body))
        if conformance == "RefreshCommand" { members += refreshInitialiser(endpoint, session) }
        return "\n" + Block.lines("nonisolated extension \(type): \(conformance)", members).text
    }

    /// The initialiser that the runtime calls, where the command's own has another form.
    private func refreshInitialiser(_ endpoint: ResolvedEndpoint, _ session: ResolvedSession) -> [String] {
        let inputs = endpoint.inputs
        guard let name = session.refreshInput, let input = inputs.first(where: { $0.name.value == name }) else {
            return []
        }
        if inputs.count == 1, input.identifier == "refreshToken" { return [] }
        let arguments = inputs.map { field in
            let value =
                field.name.value == name
                ? "refreshToken" : emission.defaults.value(of: field) ?? (field.distinguishesNull ? ".absent" : "nil")
            return "\(field.label): \(value)"
        }
        let string = emission.spelling.library("String")
        return [""]
            + Deprecation.allowed(
                endpoint.deprecated != nil,
                Block.lines(
                    "\(emission.access.rawValue) init(refreshToken: \(string))",
                    ["self.init(\(arguments.joined(separator: ", ")))"]))
    }

    // MARK: Paths

    private struct Value {
        let expression: String
        let isOptional: Bool
        let shape: Shape
        /// Whether the contract deprecates a property on the way.
        let isDeprecated: Bool
    }

    /// The properties that lead to a field of the response.
    private func value(at path: FieldPath, of endpoint: ResolvedEndpoint) -> Value? {
        var fields: [FieldDefinition]
        var expression = "response"
        var isOptional = false
        var isDeprecated = false
        switch endpoint.response.value {
        case .fields(let own): fields = own
        case .type(let type, _, _):
            let shape = emission.contract.shape(of: type)
            fields = emission.contract.structureFields(shape)
            if shape.isOptional { (expression, isOptional) = ("response?", true) }
        case .none, .bytes: return nil
        }
        var last: Shape?
        for (position, key) in path.keys.enumerated() {
            guard let field = fields.first(where: { $0.name.value == key }) else { return nil }
            let shape = emission.contract.shape(of: field)
            expression += "." + field.property
            if field.deprecated != nil { isDeprecated = true }
            if shape.isOptional {
                isOptional = true
                if position < path.keys.count - 1 { expression += "?" }
            }
            fields = emission.contract.structureFields(shape)
            last = shape.wrapped
        }
        return last.map {
            Value(expression: expression, isOptional: isOptional, shape: $0, isDeprecated: isDeprecated)
        }
    }

    /// An identity as text.
    private func identity(_ value: Value) -> String {
        let string = emission.spelling.library("String")
        func converted(_ expression: String) -> String {
            if case .primitive(.uuid) = value.shape { expression + ".uuidString" } else { "\(string)(\(expression))" }
        }
        if case .primitive(.string) = value.shape { return value.expression }
        guard value.isOptional else { return converted(value.expression) }
        let optional = value.expression.contains("?") ? "(\(value.expression))" : value.expression
        return "\(optional).map { \(converted("$0")) }"
    }

    /// A lifetime as the whole seconds that the runtime takes; one that is no such number is unknown.
    private func seconds(_ value: Value) -> String {
        let int = emission.spelling.library("Int")
        func converted(_ expression: String) -> String {
            switch value.shape {
            case .primitive(.int): expression
            case .primitive(.double), .primitive(.float): "\(int)(exactly: \(expression).rounded())"
            case .primitive(.decimal): "\(int)(\"\\(\(expression))\")"
            default: "\(int)(exactly: \(expression))"
            }
        }
        if case .primitive(.int) = value.shape { return value.expression }
        return value.isOptional ? "(\(value.expression)).flatMap { \(converted("$0")) }" : converted(value.expression)
    }
}
