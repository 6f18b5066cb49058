import ContractModel

/// Makes the template inputs of the commands whose open outcome a read settles.
struct ConfirmationPlan {
    private let context: EmissionContext

    init(_ context: EmissionContext) {
        self.context = context
    }

    /// The commands with a `confirm` among these endpoints.
    func inputs(of endpoints: ArraySlice<ResolvedEndpoint>) -> [ConfirmationInput] { endpoints.compactMap(input) }

    private func input(of endpoint: ResolvedEndpoint) -> ConfirmationInput? {
        guard let confirm = endpoint.confirm,
            let read = context.contract.endpoints.first(where: { $0.name.value == confirm.endpoint.value })
        else { return nil }
        let inputs = endpoint.inputs.filter { input in confirm.arguments.contains { $0.value.value == input.name.value }
        }
        var input = ConfirmationInput()
        input.type = context.command(endpoint)
        input.read = context.command(read)
        input.access = context.access.rawValue
        input.readUsesDeprecated = read.deprecated != nil || inputs.contains { $0.deprecated != nil }
        input.responseUsesDeprecated = endpoint.response.value.hasDeprecatedField
        addArguments(confirm, endpoint, read, to: &input)
        addResponse(confirm, endpoint, to: &input)
        return input
    }

    /// The arguments of the read: the command's inputs and its key.
    private func addArguments(
        _ confirm: ConfirmDefinition, _ endpoint: ResolvedEndpoint, _ read: ResolvedEndpoint,
        to result: inout ConfirmationInput
    ) {
        var arguments: [ArgumentInput] = []
        for input in read.inputs {
            guard let source = confirm.arguments.first(where: { $0.name.value == input.name.value })?.value.value else {
                continue
            }
            if endpoint.isIdempotencyKey(source) {
                result.needsKey = true
                arguments.append(ArgumentInput(input.label, .name("key")))
            } else if let own = endpoint.inputs.first(where: { $0.name.value == source }) {
                arguments.append(ArgumentInput(input.label, .member(.own, own.property)))
            }
        }
        result.arguments = ArgumentInput.list(arguments)
    }

    /// The meaning of the read's response.
    private func addResponse(
        _ confirm: ConfirmDefinition, _ endpoint: ResolvedEndpoint, to input: inout ConfirmationInput
    ) {
        let found = Expression.name("found")
        let hasPayload = endpoint.response.value.hasPayload
        if endpoint.outcomes.isEmpty {
            if case .fields(let fields) = endpoint.response.value {
                input.fields = ArgumentInput.list(fields.map { ArgumentInput($0.label, .member(found, $0.property)) })
            } else {
                input.response = hasPayload ? found : .nothing
            }
            return
        }
        let name = confirm.found?.value ?? "completed"
        guard let outcome = endpoint.outcomes.first(where: { $0.name.value == name }) else {
            input.response = hasPayload ? .implicit("completed", found) : .implicit("completed")
            return
        }
        let identifier = SwiftIdentifier.spelled(outcome.identifier)
        input.response = outcome.data == nil ? .implicit(identifier) : .implicit(identifier, found)
    }
}

extension ResponseDefinition {
    fileprivate var hasDeprecatedField: Bool {
        if case .fields(let fields) = self { fields.contains { $0.deprecated != nil } } else { false }
    }

    fileprivate var hasPayload: Bool {
        if case .none = self { false } else { true }
    }
}
