import ContractModel

/// Where a part of a contract travels: in requests, in responses, in both or in neither.
struct Use: Equatable {
    var isInRequests: Bool
    var isInResponses: Bool

    static let requests = Use(isInRequests: true, isInResponses: false)
    static let responses = Use(isInRequests: false, isInResponses: true)
    static let none = Use(isInRequests: false, isInResponses: false)
}

/// The definitions of a contract that name its types.
struct TypeUse {
    /// The definitions that name a type, by the type: `endpoints.pay`, `types.Account`.
    private var users: [String: Set<String>] = [:]

    init(_ contract: Contract) {
        var parts: [String: [String]] = [:]
        for type in contract.types { parts[type.name.value] = Self.names(type) }
        for (type, names) in parts { add(names, "types.\(type)") }
        for endpoint in contract.endpoints {
            add(Self.sent(endpoint) + Self.received(endpoint), "endpoints.\(endpoint.name.value)")
        }
        for error in contract.errors { add(error.data.map(Self.names) ?? [], "errors.\(error.name.value)") }
        for event in contract.events { add(event.data.map(Self.names) ?? [], "events.\(event.name.value)") }
        add(contract.common.all.flatMap { Self.names([$0.field]) }, "common")
    }

    /// The definitions that name a type, other than itself.
    func users(of type: String) -> Set<String> { (users[type] ?? []).subtracting(["types.\(type)"]) }

    private mutating func add(_ types: [String], _ user: String) {
        for type in types { users[type, default: []].insert(user) }
    }

    // MARK: The types that something names

    private static func sent(_ endpoint: EndpointDefinition) -> [String] {
        var sent = names(endpoint.query) + names(endpoint.headers) + names(endpoint.cookies)
        if case .http(_, let path) = endpoint.target { sent += names(path.value.parameters) }
        switch endpoint.body?.content {
        case .fields(let fields)?: sent += names(fields)
        case .type(let type, _)?: sent += type.names.map(\.value)
        case .bytes?, nil: break
        }
        return sent
    }

    private static func received(_ endpoint: EndpointDefinition) -> [String] {
        var received = names(endpoint.responseHeaders)
        switch endpoint.response.value {
        case .fields(let fields): received += names(fields)
        case .type(let type, _, _): received += type.names.map(\.value)
        case .none, .bytes: break
        }
        return received + endpoint.outcomes.flatMap { $0.data.map(names) ?? [] }
    }

    private static func names(_ type: TypeDefinition) -> [String] {
        switch type.form {
        case .structure(let fields): names(fields)
        case .enumeration: []
        case .union(let union): union.cases.flatMap { $0.type.names.map(\.value) }
        case .alias(let target, _): target.names.map(\.value)
        }
    }

    private static func names(_ fields: [FieldDefinition]) -> [String] {
        fields.flatMap { $0.type.names.map(\.value) }
    }

    private static func names(_ data: ErrorData) -> [String] {
        switch data {
        case .fields(let fields): names(fields)
        case .type(let type, _): type.names.map(\.value)
        }
    }
}
