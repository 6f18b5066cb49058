import ContractModel

/// The declarations that let a read settle the open outcome of a command.
struct ConfirmationPlan {
    private let emission: Emission

    init(_ emission: Emission) {
        self.emission = emission
    }

    /// The extensions of the commands among these endpoints, each after a blank line.
    func conformances(of endpoints: ArraySlice<ResolvedEndpoint>) -> String {
        endpoints.map(conformance).joined()
    }

    private func conformance(of endpoint: ResolvedEndpoint) -> String {
        guard let confirm = endpoint.confirm,
            let read = emission.contract.endpoints.first(where: { $0.name.value == confirm.endpoint.value })
        else { return "" }
        let access = emission.access.rawValue
        let command = "\(emission.service).\(SwiftIdentifier.spelled(endpoint.commandType))"
        let confirmation = "\(emission.service).\(SwiftIdentifier.spelled(read.commandType))"
        let inputs = endpoint.inputs.filter { input in confirm.arguments.contains { $0.value.value == input.name.value }
        }
        let function = Deprecation.allowed(
            read.deprecated != nil || inputs.contains { $0.deprecated != nil },
            Block.lines(
                "\(access) func confirmation(for receipt: ErrandRuntime.Receipt) -> \(confirmation)?",
                [body(confirm, endpoint, read, confirmation)]))
        let response = Deprecation.allowed(
            endpoint.response.value.hasDeprecatedField,
            Block.lines(
                "\(access) static func confirmed(by found: \(confirmation).Response) -> Response",
                [response(confirm, endpoint)]))
        let members = function + [""] + response
        return "\n" + Block.lines("nonisolated extension \(command): ConfirmableCommand", members).text
    }

    /// Makes the read from the command's inputs and its key.
    private func body(
        _ confirm: ConfirmDefinition, _ endpoint: ResolvedEndpoint, _ read: ResolvedEndpoint, _ confirmation: String
    ) -> String {
        var needsKey = false
        let arguments = read.inputs.compactMap { input -> String? in
            guard let source = confirm.arguments.first(where: { $0.name.value == input.name.value })?.value.value else {
                return nil
            }
            if source == "idempotencyKey" {
                needsKey = true
                return "\(input.label): key"
            }
            guard let own = endpoint.inputs.first(where: { $0.name.value == source }) else { return nil }
            return "\(input.label): self.\(own.property)"
        }
        let made = "\(confirmation)(\(arguments.joined(separator: ", ")))"
        return needsKey ? "receipt.idempotencyKey.map { key in \(made) }" : made
    }

    /// What the answer of the read means.
    private func response(_ confirm: ConfirmDefinition, _ endpoint: ResolvedEndpoint) -> String {
        let hasPayload = endpoint.response.value.hasPayload
        if endpoint.outcomes.isEmpty {
            guard case .fields(let fields) = endpoint.response.value else { return hasPayload ? "found" : "()" }
            return "Response(" + fields.map { "\($0.label): found.\($0.property)" }.joined(separator: ", ") + ")"
        }
        let name = confirm.found?.value ?? "completed"
        guard let outcome = endpoint.outcomes.first(where: { $0.name.value == name }) else {
            return hasPayload ? ".completed(found)" : ".completed"
        }
        let identifier = SwiftIdentifier.spelled(outcome.identifier)
        return outcome.data == nil ? ".\(identifier)" : ".\(identifier)(found)"
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
