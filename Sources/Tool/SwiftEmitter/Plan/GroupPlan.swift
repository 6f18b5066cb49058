import ContractModel

/// Makes the template inputs of groups.
struct GroupPlan {
    private let context: EmissionContext
    /// The endpoints of each group, by its name.
    private let endpoints: [String: [ResolvedEndpoint]]
    private let definitions: [String: GroupDefinition]

    init(_ context: EmissionContext) {
        self.context = context
        endpoints = context.contract.groupedEndpoints
        definitions = Dictionary(context.contract.groups.map { ($0.name.value, $0) }) { first, _ in first }
    }

    /// The groups whose first endpoint is one of these, with all of their endpoints.
    func inputs(beginningWith some: ArraySlice<ResolvedEndpoint>, imports: inout ImportPlan) -> [GroupInput] {
        var inputs: [GroupInput] = []
        for endpoint in some {
            guard let name = endpoint.group?.value, let all = endpoints[name], let group = definitions[name],
                all.first?.name.value == endpoint.name.value
            else { continue }
            for endpoint in all { CommandPlan.addImports(ofMethod: endpoint, to: &imports) }
            inputs.append(input(group, all))
        }
        return inputs
    }

    private func input(_ group: GroupDefinition, _ endpoints: [ResolvedEndpoint]) -> GroupInput {
        let names = GroupNames(group.name.value, endpoints.map(\.identifier))
        var input = GroupInput()
        input.doc = DocComment(group.doc.isEmpty ? "The endpoints of the group `\(group.name.value)`." : group.doc)
        input.access = context.access.rawValue
        input.name = group.typeName
        input.property = SwiftIdentifier.spelled(group.identifier)
        input.service = context.service
        input.hasProtocol = context.hasProtocol
        input.methods = endpoints.map { endpoint in
            GroupMethodInput(
                short: SwiftIdentifier.spelled(names.name(of: endpoint.identifier)),
                command: CommandPlan(context, endpoint).input().command)
        }
        return input
    }
}

extension ResolvedContract {
    /// The endpoints of each group that has any, in the order of the contract.
    var groupedEndpoints: [String: [ResolvedEndpoint]] {
        var all: [String: [ResolvedEndpoint]] = [:]
        for endpoint in endpoints {
            if let group = endpoint.group { all[group.value, default: []].append(endpoint) }
        }
        return all
    }
}
