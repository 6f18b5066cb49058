import ContractModel

/// Makes the template input of one command, with its nested structures.
struct CommandPlan {
    private let context: EmissionContext
    private let endpoint: ResolvedEndpoint

    init(_ context: EmissionContext, _ endpoint: ResolvedEndpoint) {
        self.context = context
        self.endpoint = endpoint
    }

    func input() -> (command: CommandInput, structures: ExtensionInput?) {
        let fields = endpoint.inputs + bodyField
        let response = ResponsePlan(context, endpoint)
        let checks = checks
        let equality = endpoint.hasBytes ? nil : context.equality(of: fields)
        var members = MemberList(context, fields, isConstant: true)
        members.equality = equality
        // Only the runtime makes this command.
        let isAttachment = endpoint.name.value == context.contract.session?.attach
        members.deprecation = isAttachment ? nil : endpoint.deprecated
        let name = SwiftIdentifier.spelled(endpoint.commandType)

        var input = CommandInput()
        input.doc = DocComment(doc)
        input.access = context.access.rawValue
        input.name = name
        input.conformances = conformances(
            isChecked: !checks.isEmpty, equality: equality, mirror: members.mirrorProtocol)
        input.members = self.input(of: members)
        input.service = context.service
        input.failureType = context.inside(endpoint.failureName)
        input.response = response.input
        input.endpoint = EndpointArguments.list(endpoint, context)
        input.encoding = RequestStatements(context).body(of: endpoint)
        input.checks = checks
        if endpoint.declaresOwnErrors { input.failure = FailurePlan.own(context, endpoint) }
        input.deprecation = endpoint.deprecated?.attribute
        input.method = SwiftIdentifier.spelled(endpoint.identifier)
        input.result = response.result
        input.isStream = response.isStream

        if response.structures.isEmpty { return (input, nil) }
        var inner = ExtensionInput()
        inner.owner = context.inside(name)
        inner.structures = response.structures
        return (input, inner)
    }

    /// The parameters of the client's method.
    var parameters: [MembersInput.Property] {
        input(of: MemberList(context, endpoint.inputs + bodyField, isConstant: true)).properties
    }

    private func input(of members: MemberList) -> MembersInput {
        var input = members.input()
        guard endpoint.hasBytes else { return input }
        // The body is read while it is sent, from any source of the app.
        for index in input.properties.indices where input.properties[index].name == "body" {
            input.properties[index].type = .named("BodySource")
        }
        return input
    }

    private func conformances(isChecked: Bool, equality: ModelConformance?, mirror: SwiftType?) -> [SwiftType] {
        var list: [SwiftType] = []
        if isChecked { list.append(.named("CheckedCommand")) }
        if !endpoint.outcomes.isEmpty { list.append(.named("OutcomeCommand")) }
        if !endpoint.responseHeaders.isEmpty, !endpoint.definition.isResponseOfHeaders {
            list.append(.named("HeaderCommand"))
        }
        if endpoint.stream != nil { list.append(.named(endpoint.hasGaps ? "UnpositionedCommand" : "StreamCommand")) }
        if list.isEmpty { list.append(.nested(.named("ErrandRuntime"), "Command")) }
        if let equality { list.append(context.spelling.library(equality.rawValue)) }
        if let mirror { list.append(mirror) }
        return list
    }

    private var doc: String {
        var doc = endpoint.doc ?? "`\(endpoint.name.value)`."
        if let confirm = endpoint.confirm,
            let read = context.contract.endpoints.first(where: { $0.name.value == confirm.endpoint.value })
        {
            doc += "\n`\(read.identifier)` confirms whether it took effect."
        }
        for error in FailurePlan.absentErrors(of: endpoint, context) {
            doc += "\n`\(error)` cannot occur without a session."
        }
        return doc
    }

    /// A body that is one value is one input, called `body`.
    var bodyField: [FieldDefinition] {
        switch endpoint.body?.content {
        case .type(let type, let range):
            [FieldDefinition(name: Located("body", at: range), type: type, typeRange: range)]
        case .bytes:
            [
                FieldDefinition(
                    name: Located("body", at: endpoint.name.range), type: .primitive(.bytes),
                    typeRange: endpoint.name.range)
            ]
        case .fields, nil: []
        }
    }

    private var checks: [Statement] {
        let checks = ConstraintChecks(context)
        var json: [FieldDefinition] = []
        var text = endpoint.textInputs
        var whole: [Statement] = []
        switch endpoint.body?.content {
        case .fields(let fields):
            if endpoint.body?.isDocument == true { json = fields } else { text += fields }
        case .type(let type, _):
            whole = checks.statements(forBody: type, .member(.own, "body"))
        case .bytes, nil: break
        }
        return checks.statements(text, asText: true) + checks.statements(json) + whole
    }
}

extension ResolvedEndpoint {
    /// Whether the body is one value, which is an input called `body`.
    var hasWholeBody: Bool {
        switch definition.body?.content {
        case .type, .bytes: true
        case .fields, nil: false
        }
    }

    /// Whether the body is bytes, which are too many to be compared.
    fileprivate var hasBytes: Bool {
        if case .bytes = definition.body?.content { true } else { false }
    }
}
