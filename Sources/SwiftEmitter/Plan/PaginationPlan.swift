import ContractModel

/// The conformance of a command whose responses are the pages of a list.
struct PaginationPlan {
    private let context: EmissionContext

    init(_ context: EmissionContext) {
        self.context = context
    }

    // MARK: Description

    /// The value that describes how pages are turned; nil for an endpoint without pages.
    func description(of endpoint: ResolvedEndpoint) -> Expression? {
        guard let pagination = endpoint.pagination?.value else { return nil }
        var list: [Argument] = []
        let name: String
        switch pagination.style {
        case .page(let parameter, let total):
            name = "page"
            list.append(Argument(.string(wireName(parameter.value, endpoint))))
            if base(parameter.value, endpoint) == 0 { list.append(Argument("first", .integer(0))) }
            if let total { list.append(Argument("total", path(total.value, endpoint))) }
        case .offset(let parameter, let size, let total):
            name = "offset"
            list.append(Argument(.string(wireName(parameter.value, endpoint))))
            if base(parameter.value, endpoint) == 1 { list.append(Argument("first", .integer(1))) }
            if let size { list.append(Argument("size", .string(wireName(size.value, endpoint)))) }
            if let total { list.append(Argument("total", path(total.value, endpoint))) }
        case .cursor(let parameter, let place, let more):
            name = "cursor"
            list.append(Argument(.string(wireName(parameter.value, endpoint))))
            switch place {
            case .response(let next): list.append(Argument("next", path(next.value, endpoint)))
            case .lastElement(let last): list.append(Argument("last", elementPath(last.value, endpoint)))
            }
            if let more { list.append(Argument("more", path(more.value, endpoint))) }
        case .link(let relation, let foreign):
            name = "link"
            list.append(Argument(.string(relation.value)))
            if foreign == .anonymous { list.append(Argument("foreign", .implicit("anonymous"))) }
        }
        if let items = pagination.items, !isList(endpoint) {
            list.append(Argument("items", path(items.value, endpoint)))
        }
        return .implicit(name, list)
    }

    /// The contract's default of a parameter, which is the number from which a service counts.
    private func base(_ name: String, _ endpoint: ResolvedEndpoint) -> Int? {
        guard case .number(let text)? = field(name, endpoint)?.defaultValue?.value else { return nil }
        return Int(text)
    }

    private func field(_ name: String, _ endpoint: ResolvedEndpoint) -> FieldDefinition? {
        endpoint.query.first { $0.name.value == name } ?? endpoint.query.first { $0.wireName == name }
    }

    private func wireName(_ name: String, _ endpoint: ResolvedEndpoint) -> String {
        field(name, endpoint)?.wireName ?? name
    }

    private func isList(_ endpoint: ResolvedEndpoint) -> Bool {
        guard case .type(let type, _, _) = endpoint.response.value,
            case .list = context.contract.shape(of: type).wrapped
        else { return false }
        return true
    }

    // MARK: Paths

    /// A path of the whole response, with names on the wire.
    private func path(_ path: FieldPath, _ endpoint: ResolvedEndpoint) -> Expression {
        let root = root(of: endpoint)
        var keys = path.keys
        if let way = way(to: path, endpoint) { keys = root + way.map(\.wireName) }
        return .string(FieldPath(keys).text)
    }

    /// A path inside an element, with names on the wire.
    private func elementPath(_ path: FieldPath, _ endpoint: ResolvedEndpoint) -> Expression {
        var keys = path.keys
        if let fields = elementType(of: endpoint).flatMap(structure),
            case .found(let way) = FieldSearch.of(
                keys[...], in: fields, expand: { context.contract.expanded($0).type }, structure: structure)
        {
            keys = way.map(\.wireName)
        }
        return .string(FieldPath(keys).text)
    }

    private func root(of endpoint: ResolvedEndpoint) -> [String] {
        endpoint.envelope.flatMap { context.contract.envelope(named: $0) }?.data?.value.keys ?? []
    }

    /// The fields of the payload that a path of the whole response leads through; nil if it leads elsewhere.
    private func way(to path: FieldPath, _ endpoint: ResolvedEndpoint) -> [FieldDefinition]? {
        let root = root(of: endpoint)
        guard path.keys.count > root.count, path.keys.starts(with: root) else { return nil }
        var fields: [FieldDefinition] = []
        switch endpoint.response.value {
        case .fields(let own): fields = own
        case .type(let type, _, _): fields = structure(type) ?? []
        case .none, .bytes: break
        }
        let found = FieldSearch.of(
            path.keys[root.count...], in: fields, expand: { context.contract.expanded($0).type }, structure: structure)
        if case .found(let way) = found { return way }
        return nil
    }

    private func structure(_ type: TypeReference) -> [FieldDefinition]? {
        let shape = context.contract.shape(of: type)
        guard case .structure = shape.wrapped else { return nil }
        return context.contract.structureFields(shape)
    }

    // MARK: Commands

    /// The commands with pages among these endpoints.
    func inputs(of endpoints: ArraySlice<ResolvedEndpoint>) -> [PaginationInput] { endpoints.compactMap(input) }

    private func input(of endpoint: ResolvedEndpoint) -> PaginationInput? {
        guard let pagination = endpoint.pagination?.value, let type = elementType(of: endpoint) else { return nil }
        var input = PaginationInput()
        input.type = context.command(endpoint)
        input.access = context.access.rawValue
        input.element = context.spelling.type(type)
        addElements(pagination, endpoint, to: &input)
        addTurning(pagination, endpoint, to: &input)
        return input
    }

    /// The input that turns pages, if one does.
    private func addTurning(
        _ pagination: PaginationDefinition, _ endpoint: ResolvedEndpoint, to result: inout PaginationInput
    ) {
        let name: String
        switch pagination.style {
        case .page(let parameter, _), .offset(let parameter, _, _), .cursor(let parameter, _, _): name = parameter.value
        case .link: return
        }
        guard let input = field(name, endpoint) else { return }
        let shape = context.contract.shape(of: input)
        result.isTurned = true
        result.isUUID = if case .primitive(.uuid) = shape.wrapped { true } else { false }
        result.own = .member(.own, input.property)
        result.isOptional = shape.isOptional
        let value = shape.isOptional ? Expression.parameter(0) : result.own
        result.value = result.isUUID ? .member(value, "uuidString") : value
        result.markType = context.spelling.type(shape.wrapped)
        let inputs = endpoint.inputs + CommandPlan(context, endpoint).bodyField
        result.arguments = ArgumentInput.list(
            inputs.map { ArgumentInput($0.label, $0 === input ? .name("value") : .member(.own, $0.property)) })
        result.markUsesDeprecated = input.deprecated != nil
        result.turningUsesDeprecated = endpoint.deprecated != nil || inputs.contains { $0.deprecated != nil }
    }

    // MARK: Elements

    /// Where a response has its elements.
    private func addElements(
        _ pagination: PaginationDefinition, _ endpoint: ResolvedEndpoint, to result: inout PaginationInput
    ) {
        var isOptional = false
        if case .type(let type, _, _) = endpoint.response.value {
            isOptional = context.contract.shape(of: type).isOptional
        }
        var way: [FieldDefinition] = []
        if !isList(endpoint), let items = pagination.items {
            way = self.way(to: items.value, endpoint) ?? []
        }
        var isAfterOptional = isOptional
        let steps = way.map { field in
            let step = Expression.Step(property: field.property, isAfterOptional: isAfterOptional)
            isAfterOptional = context.contract.shape(of: field).isOptional
            if isAfterOptional { isOptional = true }
            return step
        }
        let elements = Expression.path(.name("response"), steps)
        result.elements = isOptional ? elements.or(.array([])) : elements
        result.elementsUseDeprecated = way.contains { $0.deprecated != nil }
    }

    /// The type of the elements, as the contract spells it.
    func elementType(of endpoint: ResolvedEndpoint) -> TypeReference? {
        guard let pagination = endpoint.pagination?.value else { return nil }
        var list: TypeReference?
        if case .type(let type, _, _) = endpoint.response.value, isList(endpoint) {
            list = type
        } else if let items = pagination.items {
            list = way(to: items.value, endpoint)?.last?.type
        }
        guard let list, case .list(let element) = context.contract.expanded(list.unwrapped).type.unwrapped else {
            return nil
        }
        return element
    }
}
