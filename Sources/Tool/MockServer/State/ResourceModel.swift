import ContractModel

/// Which endpoints of a contract are about the same things: a list of accounts, one account, its creation and its removal.
///
/// A role is given only where paths and types say so: the item is at the path of the collection with one more parameter, which is
/// the item's `id` or is called as one of its fields, and all of them have the same type.
struct ResourceModel: Sendable {
    enum Role: Sendable, Equatable {
        case list
        case create
        case read
        case replace
        case delete
        /// Changes a part of an item, at a path below it: `PUT /accounts/{accountID}/nickname`.
        case change
    }

    struct Resource: Sendable {
        /// The type of an item.
        let type: String
        /// The field that identifies an item.
        let identity: FieldDefinition
        /// The parameter of the item's path.
        let parameter: String
        /// How many segments the path of the collection has.
        let depth: Int
    }

    struct Place: Sendable {
        let resource: Int
        let role: Role
        /// Where the items are in the payload of a list. Empty if the payload is the list.
        var items: [String] = []
    }

    private(set) var resources: [Resource] = []
    /// The places of endpoints, by their positions.
    private(set) var places: [Int: Place] = [:]

    init(_ contract: ResolvedContract) {
        // Item paths first: they name the types.
        var collections: [String: Int] = [:]
        for (position, endpoint) in contract.endpoints.enumerated() where endpoint.method == .get {
            guard let path = endpoint.path, let (shape, parameter) = Self.item(path),
                let type = Self.structure(of: endpoint, in: contract),
                let identity = Self.identity(parameter, type.fields, in: contract)
            else { continue }
            let key = shape + " " + (endpoint.definition.server?.value ?? "")
            guard collections[key] == nil else { continue }
            collections[key] = resources.count
            places[position] = Place(resource: resources.count, role: .read)
            resources.append(
                Resource(
                    type: type.name, identity: identity, parameter: parameter.name.value,
                    depth: shape.split(separator: "/").count))
        }
        for (position, endpoint) in contract.endpoints.enumerated() where places[position] == nil {
            places[position] = place(of: endpoint, collections, contract)
        }
    }

    private func place(of endpoint: ResolvedEndpoint, _ collections: [String: Int], _ contract: ResolvedContract)
        -> Place?
    {
        guard let path = endpoint.path, let method = endpoint.method else { return nil }
        let server = " " + (endpoint.definition.server?.value ?? "")
        if let resource = collections[path.shape + server] {
            switch method {
            case .get, .query:
                guard let items = Self.items(of: endpoint, type: resources[resource].type, in: contract) else {
                    return nil
                }
                return Place(resource: resource, role: .list, items: items)
            case .post:
                guard Self.structure(of: endpoint, in: contract)?.name == resources[resource].type else { return nil }
                return Place(resource: resource, role: .create)
            case .put, .patch, .delete, .head: return nil
            }
        }
        if let (shape, _) = Self.item(path), let resource = collections[shape + server] {
            switch method {
            case .delete: return Place(resource: resource, role: .delete)
            case .put, .patch:
                let response = Self.structure(of: endpoint, in: contract)?.name
                guard response == nil || response == resources[resource].type else { return nil }
                return Place(resource: resource, role: .replace)
            case .get, .head, .post, .query: return nil
            }
        }
        guard method == .put || method == .patch || method == .post,
            let response = Self.structure(of: endpoint, in: contract)?.name
        else { return nil }
        // The collection of the longest path is the one of the item that is changed: shelves are above their books.
        let above = collections.filter { shape, resource in
            resources[resource].type == response && path.shape.hasPrefix(shape.prefix { $0 != " " } + "/{}/")
                && shape.hasSuffix(server)
        }
        return above.max { resources[$0.value].depth < resources[$1.value].depth }.map {
            Place(resource: $0.value, role: .change)
        }
    }

    /// The shape of the collection, and the parameter of the item, if the path ends with a parameter alone.
    private static func item(_ path: PathTemplate) -> (shape: String, parameter: FieldDefinition)? {
        guard case .path(let parts) = path, case .parameter(let parameter)? = parts.last,
            case .text(let before)? = parts.dropLast().last, before.hasSuffix("/")
        else { return nil }
        let shape = PathTemplate.path(Array(parts.dropLast())).shape
        return (String(shape.dropLast()), parameter)
    }

    /// The parameter with which the path of an endpoint ends. It identifies a thing.
    static func lastParameter(of endpoint: ResolvedEndpoint) -> FieldDefinition? {
        endpoint.path.flatMap { item($0) }?.parameter
    }

    /// The structure that an endpoint responds with.
    static func structure(
        of endpoint: ResolvedEndpoint, in contract: ResolvedContract
    ) -> (name: String, fields: [FieldDefinition])? {
        guard case .type(let type, _, _) = endpoint.response.value else { return nil }
        return contract.structure(type)
    }

    /// The field of an item that the parameter is: one with its name, or `id`, with its type. The name on the wire comes first,
    /// so that a field with another name in the contract is still the same one.
    static func identity(
        _ parameter: FieldDefinition, _ fields: [FieldDefinition], in contract: ResolvedContract
    ) -> FieldDefinition? {
        let type = contract.expanded(parameter.type.unwrapped).type.primitive
        let candidates = fields.filter { contract.expanded($0.type.unwrapped).type.primitive == type }
        guard type != nil else { return nil }
        let name = SwiftIdentifier.folded(parameter.sampleName)
        return candidates.first { SwiftIdentifier.folded($0.sampleName) == name }
            ?? candidates.first { $0.sampleName.lowercased() == "id" }
            ?? candidates.first { $0.name.value == parameter.name.value }
    }

    /// Where the items of a list are in its payload.
    private static func items(
        of endpoint: ResolvedEndpoint, type: String, in contract: ResolvedContract
    ) -> [String]? {
        func isList(_ candidate: TypeReference) -> Bool {
            guard case .list(let inner) = contract.expanded(candidate.unwrapped).type.unwrapped else { return false }
            return contract.structure(inner)?.name == type
        }
        let fields: [FieldDefinition]
        switch endpoint.response.value {
        case .none, .bytes: return nil
        case .fields(let own): fields = own
        case .type(let response, _, _):
            if isList(response) { return [] }
            guard let own = contract.structure(response)?.fields else { return nil }
            fields = own
        }
        let lists = fields.filter { isList($0.type) }
        return lists.count == 1 ? [lists[0].wireName] : nil
    }
}
