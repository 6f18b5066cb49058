import ContractModel

/// Makes the template inputs of the commands that start, renew, present and end the session, or say whose it is.
struct SessionPlan {
    private let context: EmissionContext

    init(_ context: EmissionContext) {
        self.context = context
    }

    /// The session's commands among these endpoints.
    func inputs(of endpoints: ArraySlice<ResolvedEndpoint>) -> [SessionCommandInput] {
        guard let session = context.contract.session else { return [] }
        return endpoints.compactMap { endpoint in
            let name = endpoint.name.value
            let isIdentification = name == session.identification
            guard isIdentification || session.endpoints.contains(name) else { return nil }
            var input = SessionCommandInput()
            input.type = context.command(endpoint)
            input.access = context.access.rawValue
            input.isRefresh = name == session.refresh
            input.isAttachment = name == session.attach
            input.isLogout = name == session.logout
            if input.isAttachment || input.isLogout { return input }
            if isIdentification, case .endpoint(let question)? = session.identity {
                let value = value(at: question.path.value, of: endpoint)
                input.usesDeprecated = value?.isDeprecated == true
                input.identity = value.map(identity)
                input.string = context.spelling.library("String")
                return input
            }
            addTokens(of: endpoint, session, to: &input)
            if input.isRefresh { input.initializer = initializer(endpoint, session) }
            return input
        }
    }

    /// Whether the tokens of a login or refresh, or the user, are made from values of Foundation's types.
    func readsFoundation(of endpoint: ResolvedEndpoint) -> Bool {
        guard let session = context.contract.session else { return false }
        var paths: [FieldPath?] = []
        if [session.login, session.refresh].contains(endpoint.name.value) {
            paths.append(session.expiresIn)
            if case .path(let path) = session.identity { paths.append(path) }
        }
        if case .endpoint(let question)? = session.identity, question.endpoint.value == endpoint.name.value {
            paths.append(question.path.value)
        }
        return paths.contains { path in
            path.flatMap { value(at: $0, of: endpoint) }?.shape.namesFoundation ?? false
        }
    }

    private func addTokens(
        of endpoint: ResolvedEndpoint, _ session: ResolvedSession, to input: inout SessionCommandInput
    ) {
        var token = Expression.string("")
        func value(at path: FieldPath) -> Value? {
            let value = self.value(at: path, of: endpoint)
            if value?.isDeprecated == true { input.usesDeprecated = true }
            return value
        }
        if let path = session.token, let value = value(at: path) {
            token = value.isOptional ? value.expression.or(token) : value.expression
        }
        var arguments = [ArgumentInput("access", token)]
        if let path = session.expiresIn, let lifetime = value(at: path) {
            arguments.append(ArgumentInput("expiresIn", seconds(lifetime)))
        }
        if let path = session.refreshToken, let refresh = value(at: path) {
            arguments.append(ArgumentInput("refresh", refresh.expression))
        }
        switch session.identity {
        case .path(let path): value(at: path).map { arguments.append(ArgumentInput("identity", identity($0))) }
        case .claim(let name):
            let parts = [Argument(.string(name)), Argument("of", token)]
            arguments.append(ArgumentInput("identity", SwiftType.named("SessionTokens").method("claim", parts)))
        case .endpoint, nil: break
        }
        input.tokens = ArgumentInput.list(arguments)
        input.hasOutcomes = !endpoint.outcomes.isEmpty
    }

    /// The initializer that the runtime calls, if the command's own has another form.
    private func initializer(
        _ endpoint: ResolvedEndpoint, _ session: ResolvedSession
    ) -> SessionCommandInput.Initializer? {
        let inputs = endpoint.inputs
        guard let name = session.refreshInput, let input = inputs.first(where: { $0.name.value == name }) else {
            return nil
        }
        if inputs.count == 1, input.identifier == "refreshToken" { return nil }
        var initializer = SessionCommandInput.Initializer()
        initializer.isDeprecated = endpoint.deprecated != nil
        initializer.string = context.spelling.library("String")
        initializer.arguments = ArgumentInput.list(
            inputs.map { field in
                if field.name.value == name { return ArgumentInput(field.label, .name("refreshToken")) }
                let none = field.distinguishesNull ? Expression.implicit("absent") : .null
                return ArgumentInput(field.label, context.defaults.value(of: field) ?? none)
            })
        return initializer
    }

    // MARK: Paths

    private struct Value {
        let expression: Expression
        let isOptional: Bool
        let shape: Shape
        /// Whether the contract deprecates a property on the way.
        let isDeprecated: Bool
    }

    /// The properties that lead to a field of the response.
    private func value(at path: FieldPath, of endpoint: ResolvedEndpoint) -> Value? {
        var fields: [FieldDefinition]
        var steps: [Expression.Step] = []
        var isOptional = false
        var isAfterOptional = false
        var isDeprecated = false
        switch endpoint.response.value {
        case .fields(let own): fields = own
        case .type(let type, _, _):
            let shape = context.contract.shape(of: type)
            fields = context.contract.structureFields(shape)
            isOptional = shape.isOptional
            isAfterOptional = shape.isOptional
        case .none, .bytes: return nil
        }
        var last: Shape?
        for key in path.keys {
            guard let field = fields.first(where: { $0.name.value == key }) else { return nil }
            let shape = context.contract.shape(of: field)
            steps.append(Expression.Step(property: field.property, isAfterOptional: isAfterOptional))
            if field.deprecated != nil { isDeprecated = true }
            isAfterOptional = shape.isOptional
            if shape.isOptional { isOptional = true }
            fields = context.contract.structureFields(shape)
            last = shape.wrapped
        }
        return last.map {
            Value(
                expression: .path(.name("response"), steps), isOptional: isOptional, shape: $0,
                isDeprecated: isDeprecated)
        }
    }

    /// An identity as text.
    private func identity(_ value: Value) -> Expression {
        switch value.shape {
        case .primitive(.string): value.expression
        case .primitive(.uuid): converted(value, by: "map") { .member($0, "uuidString") }
        default: converted(value, by: "map") { context.spelling.library("String").make($0) }
        }
    }

    /// A lifetime as the whole seconds that the runtime takes. A value that isn't such a number counts as unknown.
    private func seconds(_ value: Value) -> Expression {
        let int = context.spelling.library("Int")
        func exactly(_ expression: Expression) -> Expression { int.make([Argument("exactly", expression)]) }
        return switch value.shape {
        case .primitive(.int): value.expression
        case .primitive(.double), .primitive(.float):
            converted(value, by: "flatMap") { exactly($0.method("rounded")) }
        case .primitive(.decimal): converted(value, by: "flatMap") { int.make(.interpolated([.value($0)])) }
        default: converted(value, by: "flatMap", exactly)
        }
    }

    private func converted(
        _ value: Value, by method: String, _ convert: (Expression) -> Expression
    ) -> Expression {
        value.isOptional
            ? value.expression.method(method, closure: convert(.parameter(0))) : convert(value.expression)
    }
}
