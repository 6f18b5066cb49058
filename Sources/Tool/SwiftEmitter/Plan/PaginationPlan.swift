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
        guard let pagination = context.contract.paginationOnWire(of: endpoint) else { return nil }
        var list: [Argument] = []
        let name: String
        switch pagination.style {
        case .page(let parameter, let total):
            name = "page"
            list.append(Argument(.string(parameter.value)))
            if base(parameter.value, endpoint) == 0 { list.append(Argument("first", .integer(0))) }
            if let total { list.append(Argument("total", .string(total.value.text))) }
        case .offset(let parameter, let size, let total):
            name = "offset"
            list.append(Argument(.string(parameter.value)))
            if base(parameter.value, endpoint) == 1 { list.append(Argument("first", .integer(1))) }
            if let size { list.append(Argument("size", .string(size.value))) }
            if let total { list.append(Argument("total", .string(total.value.text))) }
        case .cursor(let parameter, let place, let more):
            name = "cursor"
            list.append(Argument(.string(parameter.value)))
            switch place {
            case .response(let next): list.append(Argument("next", .string(next.value.text)))
            case .lastElement(let last): list.append(Argument("last", .string(last.value.text)))
            }
            if let more { list.append(Argument("more", .string(more.value.text))) }
        case .link(let place, let foreign):
            switch place {
            case .header(let relation):
                name = "link"
                list.append(Argument(.string(relation.value)))
            case .response(let path):
                name = "next"
                list.append(Argument(.string(path.value.text)))
            }
            if foreign != .refused { list.append(Argument("foreign", .implicit(foreign.rawValue))) }
        }
        if let items = pagination.items, !isList(endpoint) {
            list.append(Argument("items", .string(items.value.text)))
        }
        if let past = pagination.past { list.append(Argument("past", .integer(past))) }
        return .implicit(name, list)
    }

    /// The contract's default of a parameter, which is the number from which a service counts.
    private func base(_ wireName: String, _ endpoint: ResolvedEndpoint) -> Int? {
        guard case .number(let text)? = endpoint.query.first(where: { $0.wireName == wireName })?.defaultValue?.value
        else { return nil }
        return Int(text)
    }

    private func isList(_ endpoint: ResolvedEndpoint) -> Bool {
        guard case .type(let type, _, _) = endpoint.response.value,
            case .list = context.contract.shape(of: type).wrapped
        else { return false }
        return true
    }

    // MARK: Commands

    /// The commands with pages among these endpoints.
    func inputs(of endpoints: ArraySlice<ResolvedEndpoint>) -> [PaginationInput] { endpoints.compactMap(input) }

    private func input(of endpoint: ResolvedEndpoint) -> PaginationInput? {
        guard let pagination = endpoint.pagination?.value, let type = context.contract.pageElement(of: endpoint) else {
            return nil
        }
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
        guard let input = ResolvedContract.input(named: name, of: endpoint) else { return }
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
            way = context.contract.pageFields(to: items.value, of: endpoint) ?? []
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
}
