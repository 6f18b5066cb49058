import ContractModel

// What names a field of a payload or an input, under the name that the field has on the wire. A field with another name in Swift
// is then the same one.
extension ResolvedContract {
    /// A session whose paths have names on the wire.
    func onWire(_ session: SessionDefinition) -> SessionDefinition {
        var session = session
        if let login = endpoint(named: session.login?.value) {
            session.token = session.token?.map { onWire($0, in: login) }
            session.expiresIn = session.expiresIn?.map { onWire($0, in: login) }
            session.refreshToken = session.refreshToken?.map { onWire($0, in: login) }
        }
        switch session.identity?.value {
        case .path(let path)?:
            if let login = endpoint(named: session.login?.value) {
                session.identity = session.identity?.map { _ in .path(onWire(path, in: login)) }
            }
        case .endpoint(var question)?:
            if let asked = endpoint(named: question.endpoint.value) {
                question.path = question.path.map { onWire($0, in: asked) }
                session.identity = session.identity?.map { _ in .endpoint(question) }
            }
        case .claim?, nil: break
        }
        return session
    }

    /// An endpoint that names its inputs, and those of the endpoint that confirms it, as they are on the wire.
    func onWire(_ endpoint: EndpointDefinition) -> EndpointDefinition {
        var result = endpoint
        let inputs = endpoint.inputNames
        func named(_ name: Located<String>) -> Located<String> { name.map { inputs[$0] ?? $0 } }
        if let confirm = endpoint.confirm {
            let others = self.endpoint(named: confirm.endpoint.value)?.definition.inputNames ?? [:]
            result.confirm?.arguments = confirm.arguments.map { argument in
                (name: argument.name.map { others[$0] ?? $0 }, value: named(argument.value))
            }
        }
        result.stream?.resume = endpoint.stream?.resume.map(named)
        result.pagination = endpoint.pagination?.map { pagination in
            var pagination = pagination
            switch pagination.style {
            case .page(let parameter, let total): pagination.style = .page(parameter: named(parameter), total: total)
            case .offset(let parameter, let size, let total):
                pagination.style = .offset(parameter: named(parameter), size: size.map(named), total: total)
            case .cursor(let parameter, let next, let more):
                pagination.style = .cursor(parameter: named(parameter), next: next, more: more)
            case .link: break
            }
            return pagination
        }
        return result
    }

    private func endpoint(named name: String?) -> ResolvedEndpoint? {
        name.flatMap { name in endpoints.first { $0.name.value == name } }
    }

    private func onWire(_ path: FieldPath, in endpoint: ResolvedEndpoint) -> FieldPath {
        var fields: [FieldDefinition] =
            switch endpoint.response.value {
            case .fields(let fields): fields
            case .type(let type, _, _): self.fields(of: type)
            case .none, .bytes: []
            }
        return FieldPath(
            path.keys.map { key in
                let field = fields.first { $0.name.value == key } ?? fields.first { $0.wireName == key }
                fields = field.map { self.fields(of: $0.type) } ?? []
                return field?.wireName ?? key
            })
    }

    private func fields(of type: TypeReference) -> [FieldDefinition] { structure(type)?.fields ?? [] }
}

extension EndpointDefinition {
    /// The names of its inputs on the wire, by their names in the contract.
    fileprivate var inputNames: [String: String] {
        var fields = query + headers + cookies
        if case .fields(let others)? = body?.content { fields += others }
        return Dictionary(fields.map { ($0.name.value, $0.wireName) }) { first, _ in first }
    }
}
