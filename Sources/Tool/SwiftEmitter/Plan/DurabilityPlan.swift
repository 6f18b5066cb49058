import ContractModel

/// Makes the template inputs of the commands that an outbox can keep.
struct DurabilityPlan {
    private let context: EmissionContext

    init(_ context: EmissionContext) {
        self.context = context
    }

    /// The types of all durable commands.
    var commands: [Expression] {
        context.contract.endpoints.filter { $0.durable != nil }.map { context.command($0).member("self") }
    }

    /// The durable commands among these endpoints.
    func inputs(of endpoints: ArraySlice<ResolvedEndpoint>) -> [DurableInput] {
        endpoints.compactMap { endpoint in
            guard let durable = endpoint.durable else { return nil }
            var input = DurableInput()
            input.type = context.command(endpoint)
            input.access = context.access.rawValue
            input.arguments = [Argument("fingerprint", .string(context.contract.fingerprint(of: endpoint)))]
            if let lifetime = durable.lifetime {
                input.arguments.append(Argument("lifetime", EndpointArguments.duration(lifetime.value)))
            }
            if let lane = durable.lane { input.arguments.append(Argument("lane", .string(lane))) }
            return input
        }
    }
}
