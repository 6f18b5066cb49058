import ContractModel

/// The names on the wire of what must not be printed.
enum SensitiveNames {
    /// Those of all fields that the contract calls sensitive, and those of the session's tokens, sorted.
    static func onTheWire(in contract: ResolvedContract) -> [String] {
        var names =
            fields(of: contract).filter(\.isSensitive).map(\.wireName) + tokens(in: contract)
            + contract.credentials.compactMap { if case .query(let name) = $0.placement { name } else { nil } }
        if contract.endpoints.contains(where: \.usesXML) {
            names += (names + holdersOfText(in: contract)).flatMap { XMLPlace($0)?.keys ?? [] }
        }
        return Set(names).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The wire names of the elements whose own text is sensitive.
    private static func holdersOfText(in contract: ResolvedContract) -> [String] {
        let names = Set(contract.types.map(\.name.value).filter { hasSensitiveText($0, in: contract) })
        return fields(of: contract).filter { contract.shape(of: $0).namedType.map(names.contains) == true }
            .map(\.wireName)
    }

    /// Whether the own text of an element of a type is sensitive. An element of a union has the text of its case.
    private static func hasSensitiveText(_ type: String, in contract: ResolvedContract) -> Bool {
        var seen: Set<String> = []
        var open = [type]
        while let name = open.popLast() {
            guard seen.insert(name).inserted else { continue }
            switch contract.type(named: name)?.form {
            case .structure(let fields)?:
                if fields.contains(where: { $0.isSensitive && XMLPlace($0.wireName) == .text }) { return true }
            case .union(let union)?: open += union.cases.compactMap { contract.shape(of: $0.type).namedType }
            case .enumeration?, .alias?, nil: break
            }
        }
        return false
    }

    /// All fields of the contract.
    static func fields(of contract: ResolvedContract) -> [FieldDefinition] {
        var fields = contract.common.all.map(\.field)
        for type in contract.types {
            if case .structure(let own) = type.form { fields += own }
        }
        for error in contract.errors { fields += own(error.data) }
        for event in contract.events { fields += own(event.data) }
        for endpoint in contract.endpoints {
            fields += endpoint.inputs
            if case .fields(let own) = endpoint.response.value { fields += own }
            fields += endpoint.responseHeaders
            for outcome in endpoint.outcomes { fields += own(outcome.data) }
        }
        return fields
    }

    private static func own(_ data: ErrorData?) -> [FieldDefinition] {
        if case .fields(let fields)? = data { return fields }
        return []
    }

    private static func tokens(in contract: ResolvedContract) -> [String] {
        guard let session = contract.session,
            let login = contract.endpoints.first(where: { $0.name.value == session.login })
        else { return [] }
        return [session.token, session.refreshToken].compactMap { path in
            path.flatMap { wireName(at: $0, of: login, in: contract) }
        }
    }

    /// The name on the wire of what a path of the response leads to.
    private static func wireName(at path: FieldPath, of endpoint: ResolvedEndpoint, in contract: ResolvedContract)
        -> String?
    {
        var fields: [FieldDefinition] = []
        switch endpoint.response.value {
        case .fields(let own): fields = own
        case .type(let type, _, _): fields = contract.structureFields(contract.shape(of: type))
        case .none, .bytes: break
        }
        var name: String?
        for key in path.keys {
            guard let field = fields.first(where: { $0.name.value == key }) else { return nil }
            name = field.wireName
            fields = contract.structureFields(contract.shape(of: field))
        }
        return name
    }
}
