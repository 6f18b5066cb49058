import ContractModel

/// Where a part of a contract travels: in requests, in responses, in both or in neither.
struct Use: Equatable {
    var isInRequests: Bool
    var isInResponses: Bool
    /// The endpoints that it is a part of, in the order of the contract.
    var endpoints: [String] = []

    static let requests = Use(isInRequests: true, isInResponses: false)
    static let responses = Use(isInRequests: false, isInResponses: true)
    static let none = Use(isInRequests: false, isInResponses: false)
}

/// The uses of the types of a contract.
struct TypeUse {
    private var users: [String: Set<String>] = [:]
    private var requests: [String: Set<String>] = [:]
    private var responses: [String: Set<String>] = [:]
    private let order: [String: Int]
    /// The answers so far: a type with many changes is asked about once for each.
    private let known = Known()

    private final class Known {
        var uses: [String: Use] = [:]
    }

    init(_ contract: Contract) {
        order = Dictionary(
            contract.endpoints.enumerated().map { ($1.name.value, $0) }, uniquingKeysWith: { first, _ in first })
        for type in contract.types { note(type) }
        var errors: [String: [String]] = [:]
        for error in contract.errors { errors[error.name.value] = error.data.map(Self.names) ?? [] }
        for endpoint in contract.endpoints { note(endpoint, errors: errors) }
        for event in contract.events {
            for name in event.data.map(Self.names) ?? [] { responses[name, default: []].insert("") }
        }
        for parameter in contract.common.all {
            for name in Self.names([parameter.field]) { requests[name, default: []].insert("") }
        }
    }

    /// The use of a type, also through types that contain it.
    func use(of type: String) -> Use {
        if let use = known.uses[type] { return use }
        let use = found(of: type)
        known.uses[type] = use
        return use
    }

    private func found(of type: String) -> Use {
        var seen: Set<String> = [type]
        var open = [type]
        var sent: Set<String> = []
        var received: Set<String> = []
        while let name = open.popLast() {
            sent.formUnion(requests[name] ?? [])
            received.formUnion(responses[name] ?? [])
            for user in users[name] ?? [] where seen.insert(user).inserted { open.append(user) }
        }
        let endpoints = sent.union(received).subtracting([""]).sorted { order[$0] ?? 0 < order[$1] ?? 0 }
        return Use(isInRequests: !sent.isEmpty, isInResponses: !received.isEmpty, endpoints: endpoints)
    }

    private mutating func note(_ type: TypeDefinition) {
        let names: [String] =
            switch type.form {
            case .structure(let fields): Self.names(fields)
            case .enumeration: []
            case .union(let union): union.cases.flatMap { $0.type.names.map(\.value) }
            case .alias(let target, _): target.names.map(\.value)
            }
        for name in names { users[name, default: []].insert(type.name.value) }
    }

    private mutating func note(_ endpoint: EndpointDefinition, errors: [String: [String]]) {
        let name = endpoint.name.value
        var sent = Self.names(endpoint.query + endpoint.headers + endpoint.cookies)
        if case .http(_, let path) = endpoint.target { sent += Self.names(path.value.parameters) }
        switch endpoint.body?.content {
        case .fields(let fields)?: sent += Self.names(fields)
        case .type(let type, _)?: sent += type.names.map(\.value)
        case .bytes?, nil: break
        }
        var received = Self.names(endpoint.responseHeaders)
        switch endpoint.response.value {
        case .fields(let fields): received += Self.names(fields)
        case .type(let type, _, _): received += type.names.map(\.value)
        case .none, .bytes: break
        }
        for outcome in endpoint.outcomes { received += outcome.data.map(Self.names) ?? [] }
        for error in endpoint.errors { received += errors[error.value] ?? [] }
        for type in sent { requests[type, default: []].insert(name) }
        for type in received { responses[type, default: []].insert(name) }
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
