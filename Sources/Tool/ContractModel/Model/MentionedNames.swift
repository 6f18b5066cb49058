extension Contract {
    /// The names of types that common parameters, errors and endpoints mention.
    package var mentionedNames: [Located<String>] {
        var names = common.all.flatMap(\.field.type.names)
        for error in errors { names += error.data?.mentionedNames ?? [] }
        for endpoint in endpoints {
            if case .http(_, let path) = endpoint.target { names += path.value.parameters.flatMap(\.type.names) }
            names += (endpoint.query + endpoint.headers + endpoint.cookies).flatMap(\.type.names)
            switch endpoint.body?.content {
            case .fields(let fields): names += fields.flatMap(\.type.names)
            case .type(let type, _): names += type.names
            case .bytes, nil: break
            }
            switch endpoint.response.value {
            case .fields(let fields): names += fields.flatMap(\.type.names)
            case .type(let type, _, _): names += type.names
            case .none, .bytes: break
            }
            names += endpoint.responseHeaders.flatMap(\.type.names)
            for outcome in endpoint.outcomes { names += outcome.data?.mentionedNames ?? [] }
        }
        for event in events { names += event.data?.mentionedNames ?? [] }
        return names
    }
}

extension TypeDefinition {
    /// The names of types that it mentions.
    package var mentionedNames: [Located<String>] {
        switch form {
        case .structure(let fields): fields.flatMap(\.type.names)
        case .enumeration: []
        case .union(let union): union.cases.flatMap(\.type.names)
        case .alias(let target, _): target.names
        }
    }
}

extension ErrorData {
    /// The names of types that it mentions.
    package var mentionedNames: [Located<String>] {
        switch self {
        case .fields(let fields): fields.flatMap(\.type.names)
        case .type(let type, _): type.names
        }
    }
}
