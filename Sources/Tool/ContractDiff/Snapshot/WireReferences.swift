import ContractModel

// What names a field of a payload or an input, under the name that the field has on the wire. A field with another name in Swift
// is then the same one.
extension ResolvedContract {
    /// A session whose paths have names on the wire.
    func onWire(_ session: SessionDefinition) -> SessionDefinition {
        var session = session
        if let login = endpoint(named: session.login?.value) {
            session.token = session.token?.map { onWire($0, inPayloadOf: login) }
            session.expiresIn = session.expiresIn?.map { onWire($0, inPayloadOf: login) }
            session.refreshToken = session.refreshToken?.map { onWire($0, inPayloadOf: login) }
        }
        switch session.identity?.value {
        case .path(let path)?:
            if let login = endpoint(named: session.login?.value) {
                session.identity = session.identity?.map { _ in .path(onWire(path, inPayloadOf: login)) }
            }
        case .endpoint(var question)?:
            if let asked = endpoint(named: question.endpoint.value) {
                question.path = question.path.map { onWire($0, inPayloadOf: asked) }
                session.identity = session.identity?.map { _ in .endpoint(question) }
            }
        case .claim?, nil: break
        }
        return session
    }

    /// An endpoint that names its inputs, and those of the endpoint that confirms it, as they are on the wire.
    func onWire(_ endpoint: ResolvedEndpoint) -> EndpointDefinition {
        var result = endpoint.definition
        let inputs = endpoint.definition.inputNames
        func named(_ name: Located<String>) -> Located<String> { name.map { inputs[$0] ?? $0 } }
        if let confirm = endpoint.definition.confirm {
            let others = self.endpoint(named: confirm.endpoint.value)?.definition.inputNames ?? [:]
            result.confirm?.arguments = confirm.arguments.map { argument in
                (name: argument.name.map { others[$0] ?? $0 }, value: named(argument.value))
            }
        }
        result.stream?.resume = endpoint.definition.stream?.resume.map(named)
        let pagination = paginationOnWire(of: endpoint)
        result.pagination = result.pagination?.map { pagination ?? $0 }
        return result
    }

    private func endpoint(named name: String?) -> ResolvedEndpoint? {
        name.flatMap { name in endpoints.first { $0.name.value == name } }
    }
}

extension EndpointDefinition {
    /// The names of its inputs on the wire, by their names in the contract.
    fileprivate var inputNames: [String: String] {
        var fields = query + headers + cookies
        if case .fields(let others)? = body?.content { fields += others }
        return Dictionary(fields.map { ($0.name.value, $0.wireName) }) { first, _ in first }
    }
}
