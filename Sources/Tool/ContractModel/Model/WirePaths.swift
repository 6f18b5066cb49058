// Paths and inputs that a contract names, under the names that they have on the wire. A contract may name a field of its own by the name
// that it has in the contract.
extension ResolvedContract {
    /// A path of the payload of a response.
    package func onWire(_ path: FieldPath, inPayloadOf endpoint: ResolvedEndpoint) -> FieldPath {
        onWire(path, in: payloadFields(of: endpoint), after: [])
    }

    /// How the pages of an endpoint are turned; nil for an endpoint without pages.
    package func paginationOnWire(of endpoint: ResolvedEndpoint) -> PaginationDefinition? {
        guard var pagination = endpoint.definition.pagination?.value else { return nil }
        func input(_ name: Located<String>) -> Located<String> {
            name.map { name in Self.input(named: name, of: endpoint)?.wireName ?? name }
        }
        let root = payloadRoot(of: endpoint)
        func whole(_ path: Located<FieldPath>) -> Located<FieldPath> {
            path.map { onWire($0, in: payloadFields(of: endpoint), after: root) }
        }
        switch pagination.style {
        case .page(let parameter, let total):
            pagination.style = .page(parameter: input(parameter), total: total.map(whole))
        case .offset(let parameter, let size, let total):
            pagination.style = .offset(parameter: input(parameter), size: size.map(input), total: total.map(whole))
        case .cursor(let parameter, .response(let next), let more):
            pagination.style = .cursor(parameter: input(parameter), next: .response(whole(next)), more: more.map(whole))
        case .cursor(let parameter, .lastElement(let last), let more):
            let fields = pageElement(of: endpoint).flatMap { structure($0)?.fields } ?? []
            pagination.style = .cursor(
                parameter: input(parameter), next: .lastElement(last.map { onWire($0, in: fields, after: []) }),
                more: more.map(whole))
        case .link(.response(let next), let foreign):
            pagination.style = .link(.response(whole(next)), foreign: foreign)
        case .link(.header, _): break
        }
        pagination.items = pagination.items.map(whole)
        return pagination
    }

    /// The type of the elements of the pages, as the contract spells it; nil for an endpoint without pages.
    package func pageElement(of endpoint: ResolvedEndpoint) -> TypeReference? {
        guard let pagination = endpoint.definition.pagination?.value else { return nil }
        var list: TypeReference?
        if case .type(let type, _, _) = endpoint.response.value, expanded(type.unwrapped).type.isList {
            list = type
        } else if let items = pagination.items {
            list = pageFields(to: items.value, of: endpoint)?.last?.type
        }
        guard let list, case .list(let element) = expanded(list.unwrapped).type.unwrapped else { return nil }
        return element
    }

    /// The fields of the payload that a path of the whole response leads through; nil if it leads elsewhere.
    package func pageFields(to path: FieldPath, of endpoint: ResolvedEndpoint) -> [FieldDefinition]? {
        let root = payloadRoot(of: endpoint)
        guard path.keys.count > root.count, path.keys.starts(with: root) else { return nil }
        return way(path.keys[root.count...], in: payloadFields(of: endpoint))
    }

    /// The input that a contract names as the place of a page, by its name in the contract or on the wire.
    package static func input(named name: String, of endpoint: ResolvedEndpoint) -> FieldDefinition? {
        endpoint.query.first { $0.name.value == name } ?? endpoint.query.first { $0.wireName == name }
    }

    /// - Parameter root: the keys before the fields.
    private func onWire(_ path: FieldPath, in fields: [FieldDefinition], after root: [String]) -> FieldPath {
        guard path.keys.count > root.count, path.keys.starts(with: root),
            let way = way(path.keys[root.count...], in: fields)
        else { return path }
        return FieldPath(root + way.map(\.wireName))
    }

    private func way(_ keys: ArraySlice<String>, in fields: [FieldDefinition]) -> [FieldDefinition]? {
        let found = FieldSearch.of(
            keys, in: fields, expand: { expanded($0).type }, structure: { structure($0)?.fields })
        guard case .found(let way) = found, way.count == keys.count else { return nil }
        return way
    }

    /// The keys that lead to the payload in the whole response.
    private func payloadRoot(of endpoint: ResolvedEndpoint) -> [String] {
        endpoint.envelope.flatMap { envelope(named: $0) }?.data?.value.keys ?? []
    }

    private func payloadFields(of endpoint: ResolvedEndpoint) -> [FieldDefinition] {
        switch endpoint.response.value {
        case .fields(let fields): fields
        case .type(let type, _, _): structure(type)?.fields ?? []
        case .none, .bytes: []
        }
    }
}
