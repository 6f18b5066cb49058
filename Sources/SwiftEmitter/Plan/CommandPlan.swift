import ContractModel

/// Makes the template input of one command, with the structures that stand inside it.
struct CommandPlan {
    private let emission: Emission
    private let endpoint: ResolvedEndpoint
    private static let memberIndent = "        "
    private static let statementIndent = "            "

    init(_ emission: Emission, _ endpoint: ResolvedEndpoint) {
        self.emission = emission
        self.endpoint = endpoint
    }

    func input() -> (command: CommandInput, structures: ExtensionInput?) {
        let fields = endpoint.inputs + bodyField
        let members = MemberList(emission, fields, isConstant: true)
        let response = ResponsePlan(emission, endpoint)
        let isSensitive = fields.contains(where: \.isSensitive)
        let name = SwiftIdentifier.spelled(endpoint.commandType)
        let failure = endpoint.declaresOwnErrors ? endpoint.failureType : "Failure"

        var input = CommandInput()
        input.doc = DocComment.lines(doc, indent: "    ")
        input.access = emission.access.rawValue
        input.name = name
        input.conformances = conformances(isSensitive: isSensitive)
        input.properties = members.declarations(indent: Self.memberIndent)
        input.initialiser = members.initialiser(indent: Self.memberIndent, deprecation: endpoint.deprecated)
        input.service = emission.service
        input.failureType = "\(emission.service).\(failure)"
        input.response = response.declaration
        input.endpoint = EndpointArguments.lines(endpoint, emission, indent: Self.statementIndent)
        input.encoding = RequestStatements(emission).body(of: endpoint)
        input.members =
            validation + response.functions
            + (isSensitive ? members.mirror(indent: Self.memberIndent) : "")
        if endpoint.declaresOwnErrors { input.failure = FailurePlan.own(emission, endpoint) }
        input.attribute = endpoint.deprecated.map { "    \($0.attribute)\n" } ?? ""
        input.method = SwiftIdentifier.spelled(endpoint.identifier)
        input.result = response.result.map { " -> \($0)" } ?? ""
        input.parameters = members.parameters(
            indent: "        ", first: "    \(input.access) func \(input.method)(",
            reserve: input.result.utf8.count + input.failureType.utf8.count + 20)
        input.arguments = SourceLayout.fill(
            members.arguments, separator: ", ", first: "", indent: Self.statementIndent, reserve: 30)

        if response.structures.isEmpty { return (input, nil) }
        var inner = ExtensionInput()
        inner.owner = "\(emission.service).\(name)"
        inner.structures = response.structures
        return (input, inner)
    }

    private func conformances(isSensitive: Bool) -> String {
        var list: [String] = []
        if !validation.isEmpty { list.append("CheckedCommand") }
        if !endpoint.outcomes.isEmpty { list.append("OutcomeCommand") }
        if list.isEmpty { list.append("ErrandRuntime.Command") }
        if let equality = emission.equality { list.append(equality) }
        if isSensitive { list.append("Redacted") }
        return list.joined(separator: ", ")
    }

    private var doc: String {
        let doc = endpoint.doc ?? "`\(endpoint.name.value)`."
        guard let confirm = endpoint.confirm,
            let read = emission.contract.endpoints.first(where: { $0.name.value == confirm.endpoint.value })
        else { return doc }
        return doc + "\n`\(read.identifier)` tells whether it took effect."
    }

    /// A body that is one value is one input, called `body`.
    private var bodyField: [FieldDefinition] {
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

    private var validation: String {
        let checks = ConstraintChecks(emission)
        let encoding = endpoint.body?.encoding
        var json: [FieldDefinition] = []
        var text = (endpoint.path?.parameters ?? []) + endpoint.query + endpoint.headers
        var whole = ""
        switch endpoint.body?.content {
        case .fields(let fields):
            if encoding == .json { json = fields } else { text += fields }
        case .type(let type, _):
            whole = checks.statements(forBody: type, "self.body", indent: Self.statementIndent)
        case .bytes, nil: break
        }
        let statements =
            checks.statements(text, indent: Self.statementIndent, asText: true)
            + checks.statements(json, indent: Self.statementIndent) + whole
        if statements.isEmpty { return "" }
        return "\(Self.memberIndent)\(emission.access.rawValue) func validate(_ check: inout RequestCheck) {\n"
            + statements + Self.memberIndent + "}\n"
    }
}

extension ResolvedEndpoint {
    /// Whether the body is one value, which is an input called `body`.
    var hasWholeBody: Bool {
        switch body?.content {
        case .type, .bytes: true
        case .fields, nil: false
        }
    }
}
