import ContractModel

// The parts of a contract and their types.
extension LintSubject {
    static func fields(of contract: Contract) -> [FieldDefinition] {
        var fields = contract.common.all.map(\.field)
        for error in contract.errors { fields += Self.fields(error.data) }
        for type in contract.types {
            if case .structure(let own) = type.form { fields += own }
        }
        for endpoint in contract.endpoints {
            if case .http(_, let path) = endpoint.target { fields += path.value.parameters }
            fields += endpoint.query
            fields += endpoint.headers + endpoint.cookies
            if case .fields(let own)? = endpoint.body?.content { fields += own }
            if case .fields(let own) = endpoint.response.value { fields += own }
            fields += endpoint.responseHeaders
            for outcome in endpoint.outcomes { fields += Self.fields(outcome.data) }
        }
        for event in contract.events { fields += Self.fields(event.data) }
        return fields
    }

    /// The types of an endpoint's possible responses: its response, and the data of its errors and outcomes.
    func answerTypes(of endpoint: LintedEndpoint) -> [TypeReference] {
        var types: [TypeReference] = []
        switch endpoint.resolved.response.value {
        case .type(let type, _, _): types.append(type)
        case .fields(let fields): types += fields.map(\.type)
        case .none, .bytes: break
        }
        types += endpoint.resolved.responseHeaders.map(\.type)
        for data in endpoint.errors.map(\.data) + endpoint.resolved.outcomes.map(\.data) { types += Self.types(data) }
        return types
    }

    /// The types of an endpoint's inputs, at their top.
    func sentTypes(of endpoint: LintedEndpoint) -> [TypeReference] {
        let types = endpoint.resolved.inputs.map(\.type)
        if case .type(let type, _)? = endpoint.resolved.body?.content { return types + [type] }
        return types
    }

    /// The names of the types that these mention, transitively.
    func typeNames(reachedFrom types: [TypeReference]) -> Set<String> {
        var reach = TypeReach()
        for type in types { reach.mention(type) }
        return reach.names(in: self)
    }

    /// The names of all types that an endpoint, an error or a common parameter mentions, transitively.
    var usedTypeNames: Set<String> {
        var reach = TypeReach()
        for parameter in contract.common.all { reach.mention(parameter.field.type) }
        for error in contract.errors { reach.mention(error.data) }
        for error in errors { reach.mention(error.data) }
        for endpoint in endpoints {
            for type in sentTypes(of: endpoint) { reach.mention(type) }
            switch endpoint.resolved.response.value {
            case .fields(let fields): reach.mention(fields)
            case .type(let type, _, _): reach.mention(type)
            case .none, .bytes: break
            }
            reach.mention(endpoint.resolved.responseHeaders)
            for outcome in endpoint.resolved.outcomes { reach.mention(outcome.data) }
        }
        for event in contract.events { reach.mention(event.data) }
        return reach.names(in: self)
    }

    private static func fields(_ data: ErrorData?) -> [FieldDefinition] {
        if case .fields(let fields)? = data { fields } else { [] }
    }

    static func types(_ data: ErrorData?) -> [TypeReference] {
        switch data {
        case .fields(let fields): fields.map(\.type)
        case .type(let type, _): [type]
        case nil: []
        }
    }
}

/// The mentioned types, and their parts.
private struct TypeReach {
    private var seen = Set<String>()
    private var pending: [String] = []

    mutating func mention(_ type: TypeReference) {
        guard type.primitive == nil else { return }
        for name in type.names where seen.insert(name.value).inserted { pending.append(name.value) }
    }

    mutating func mention(_ fields: [FieldDefinition]) {
        for field in fields { mention(field.type) }
    }

    mutating func mention(_ data: ErrorData?) {
        switch data {
        case .fields(let fields): mention(fields)
        case .type(let type, _): mention(type)
        case nil: break
        }
    }

    /// All that was mentioned, transitively.
    mutating func names(in subject: LintSubject) -> Set<String> {
        while let name = pending.popLast() {
            switch subject.type(named: name)?.form {
            case .structure(let fields): mention(fields)
            case .union(let union): for item in union.cases { mention(item.type) }
            case .alias(let target, _): mention(target)
            case .enumeration, nil: break
            }
        }
        return seen
    }
}
