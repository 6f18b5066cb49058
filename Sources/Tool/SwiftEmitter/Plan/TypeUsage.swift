import ContractModel

/// Which types of the contract are read, which are written, and which must be checked before they are sent.
struct TypeUsage {
    /// Types that a response, an error or an outcome can hold.
    private(set) var read: Set<String> = []
    /// Types that a request can hold.
    private(set) var written: Set<String> = []
    /// Structures that are a case of a union that is written: they write their fields without the braces.
    private(set) var writtenCases: Set<String> = []
    /// Written structures and unions that have constraints somewhere inside.
    private(set) var constrained: Set<String> = []
    /// Structures and unions that documents in XML have.
    private(set) var inXML: Set<String> = []

    /// - Parameter isEverythingUsed: whether each type is read and written, whether or not an endpoint uses it.
    init(_ contract: ResolvedContract, isEverythingUsed: Bool) {
        if isEverythingUsed {
            read = Set(contract.types.map(\.name.value))
            written = read
        }
        for endpoint in contract.endpoints {
            switch endpoint.response.value {
            case .type(let type, _, _): markRead([type], contract)
            case .fields(let fields): markRead(fields.map(\.type), contract)
            case .none, .bytes: break
            }
            markRead(endpoint.responseHeaders.map(\.type), contract)
            for outcome in endpoint.outcomes { markRead(Self.types(of: outcome.data), contract) }
            // Values in a path, a query or a header are texts, but an enumeration still writes itself.
            switch endpoint.body?.content {
            case .fields(let fields): markWritten(fields.map(\.type), contract)
            case .type(let type, _): markWritten([type], contract)
            case .bytes, nil: break
            }
        }
        for error in contract.errors { markRead(Self.types(of: error.data), contract) }
        for event in contract.events { markRead(Self.types(of: event.data), contract) }
        markConstrained(contract)
        markInXML(contract)
    }

    private static func types(of data: ErrorData?) -> [TypeReference] {
        switch data {
        case .fields(let fields): fields.map(\.type)
        case .type(let type, _): [type]
        case nil: []
        }
    }

    private mutating func markRead(_ types: [TypeReference], _ contract: ResolvedContract) {
        Self.mark(types, contract, in: &read)
    }

    private mutating func markWritten(_ types: [TypeReference], _ contract: ResolvedContract) {
        Self.mark(types, contract, in: &written)
    }

    /// Follows names without recursion, so that a long chain of types costs no stack.
    private static func mark(_ types: [TypeReference], _ contract: ResolvedContract, in marked: inout Set<String>) {
        var open = types.flatMap(\.names)
        while let name = open.popLast() {
            guard marked.insert(name.value).inserted, let definition = contract.type(named: name.value) else {
                continue
            }
            open += definition.mentionedTypes.flatMap(\.names)
        }
    }

    private mutating func markInXML(_ contract: ResolvedContract) {
        var types: [TypeReference] = []
        for endpoint in contract.endpoints {
            if endpoint.isXMLResponse {
                switch endpoint.response.value {
                case .type(let type, _, _): types.append(type)
                case .fields(let fields): types += fields.map(\.type)
                case .none, .bytes: break
                }
                for outcome in endpoint.outcomes { types += Self.types(of: outcome.data) }
                for name in endpoint.errors { types += Self.types(of: contract.error(named: name)?.data) }
            }
            guard let body = endpoint.body, body.encoding == .xml else { continue }
            switch body.content {
            case .fields(let fields): types += fields.map(\.type)
            case .type(let type, _): types.append(type)
            case .bytes: break
            }
        }
        Self.mark(types, contract, in: &inXML)
        inXML = inXML.filter { name in
            switch contract.type(named: name)?.form {
            case .structure?, .union?: true
            case .enumeration?, .alias?, nil: false
            }
        }
    }

    private mutating func markConstrained(_ contract: ResolvedContract) {
        var users: [String: [String]] = [:]
        var open: [String] = []
        for definition in contract.types where written.contains(definition.name.value) {
            let name = definition.name.value
            switch definition.form {
            case .structure(let fields):
                for field in fields {
                    if field.hasOwnChecks(in: contract) || contract.hasConstrainedElements(field.type) {
                        open.append(name)
                    }
                    if let inner = contract.shape(of: field).namedType { users[inner, default: []].append(name) }
                }
            case .union(let union):
                for unionCase in union.cases {
                    let type = unionCase.type
                    if contract.hasConstraints(type) { open.append(name) }
                    guard let inner = contract.shape(of: type).namedType else { continue }
                    if !union.isByKind { writtenCases.insert(inner) }
                    users[inner, default: []].append(name)
                }
            case .enumeration, .alias: break
            }
        }
        while let name = open.popLast() {
            if constrained.insert(name).inserted { open += users[name] ?? [] }
        }
    }
}

extension TypeDefinition {
    /// The types that a value of this type can hold.
    var mentionedTypes: [TypeReference] {
        switch form {
        case .structure(let fields): fields.map(\.type)
        case .union(let union): union.cases.map(\.type)
        case .alias(let target, _): [target]
        case .enumeration: []
        }
    }
}
