import ContractModel

// What a contract's parts are made of.
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
            fields += endpoint.headers
            if case .fields(let own)? = endpoint.body?.content { fields += own }
            if case .fields(let own) = endpoint.response.value { fields += own }
            for outcome in endpoint.outcomes { fields += Self.fields(outcome.data) }
        }
        return fields
    }

    /// The types of what an endpoint can answer: its response, its errors' and its outcomes' data.
    func answerTypes(of endpoint: LintedEndpoint) -> [TypeReference] {
        var types: [TypeReference] = []
        switch endpoint.resolved.response.value {
        case .type(let type, _, _): types.append(type)
        case .fields(let fields): types += fields.map(\.type)
        case .none, .bytes: break
        }
        for data in endpoint.errors.map(\.data) + endpoint.resolved.outcomes.map(\.data) { types += Self.types(data) }
        return types
    }

    /// The names of the types that these mention, transitively.
    func typeNames(reachedFrom types: [TypeReference]) -> Set<String> {
        var seen = Set<String>()
        var pending: [String] = []
        func mention(_ type: TypeReference) {
            guard type.primitive == nil else { return }
            for name in type.names where seen.insert(name.value).inserted { pending.append(name.value) }
        }
        for type in types { mention(type) }
        while let name = pending.popLast() {
            guard let type = type(named: name) else { continue }
            switch type.form {
            case .structure(let fields): for field in fields { mention(field.type) }
            case .union(let union): for item in union.cases { mention(item.type) }
            case .alias(let target, _): mention(target)
            case .enumeration: break
            }
        }
        return seen
    }

    /// The names of all types that an endpoint, an error or a common parameter mentions, transitively.
    var usedTypeNames: Set<String> {
        var types = contract.common.all.map(\.field.type)
        for error in contract.errors + errors { types += Self.types(error.data) }
        for endpoint in endpoints {
            types += endpoint.resolved.inputs.map(\.type) + answerTypes(of: endpoint)
            if case .type(let type, _)? = endpoint.resolved.body?.content { types.append(type) }
        }
        return typeNames(reachedFrom: types)
    }

    private static func fields(_ data: ErrorData?) -> [FieldDefinition] {
        if case .fields(let fields)? = data { fields } else { [] }
    }

    private static func types(_ data: ErrorData?) -> [TypeReference] {
        switch data {
        case .fields(let fields): fields.map(\.type)
        case .type(let type, _): [type]
        case nil: []
        }
    }
}
