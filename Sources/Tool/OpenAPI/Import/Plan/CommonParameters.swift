import ContractModel

// What every operation of a document sends in the same way.
extension ContractPlan {
    /// Whether the origin of an endpoint gets something.
    func sends(_ content: ServerRoleDefinition.Content, for endpoint: PlannedEndpoint) -> Bool {
        roles.first { $0.name == endpoint.server }?.sends.contains(content) ?? true
    }

    /// Takes out of the endpoints what all of them send: a constant such as `api-version`, and a header that all of them require,
    /// such as the number of an account. Whatever an app gives to each request stays with the endpoints: another query
    /// parameter, or a header that may be missing.
    mutating func liftCommonParameters() {
        // Other origins may not get what is common.
        let places = endpoints.indices.filter { sends(.common, for: endpoints[$0]) }
        guard places.count > 1, let first = places.first.map({ endpoints[$0] }) else { return }
        for field in first.query where field.isConstant && field.type == .word("string") {
            guard places.allSatisfy({ endpoints[$0].query.contains { Self.isSame($0, field) } }) else { continue }
            for position in places { endpoints[position].query.removeAll { $0.wire == field.wire } }
            commonQuery.append(field)
        }
        for field in first.headers {
            let isRequired =
                !field.isOptional && field.defaultValue == nil && field.joining == nil && places.count > 2
            guard field.isConstant ? field.type == .word("string") : isRequired,
                places.allSatisfy({ endpoints[$0].headers.contains { Self.isSame($0, field) } })
            else { continue }
            for position in places { endpoints[position].headers.removeAll { $0.wire == field.wire } }
            commonHeaders.append(field)
        }
    }

    /// Sends the media type of the responses as `Accept`, if all JSON has the same type and it is not `application/json`, which the
    /// client sends by itself. A server that follows JSON:API may refuse another `Accept`.
    mutating func askForResponseType() {
        guard let type = endpoints.lazy.compactMap(\.responseType).first, type.hasSuffix("+json"), !type.contains("*"),
            endpoints.allSatisfy({ endpoint in
                if case .none = endpoint.response { return endpoint.stream == nil }
                return endpoint.responseType == type
            })
        else { return }
        guard !(commonQuery + commonHeaders).contains(where: { $0.name == "accept" }) else { return }
        var field = PlannedField(name: "accept", wire: "Accept", type: .word("string"))
        field.defaultValue = .text(type, isQuoted: true)
        field.isConstant = true
        commonHeaders.append(field)
        for position in endpoints.indices where !sends(.common, for: endpoints[position]) {
            endpoints[position].headers.append(field)
        }
    }

    private static func isSame(_ one: PlannedField, _ other: PlannedField) -> Bool {
        one.wire == other.wire && one.type == other.type && one.isOptional == other.isOptional
            && one.defaultValue == other.defaultValue && one.constraints == other.constraints
            && one.isConstant == other.isConstant
    }
}
