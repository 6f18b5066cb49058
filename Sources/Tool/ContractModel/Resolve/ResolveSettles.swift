import Diagnostics

// Which errors can say that a command was done already, and for which commands.
extension Resolution {
    /// Checks each error of the contract that settles, and the defaults, which every endpoint inherits.
    mutating func checkSettlingErrors() {
        for error in contract.errors {
            guard let settles = error.settles,
                let condition = error.conditions.first(where: { !$0.transport.isEmpty || !$0.close.isEmpty })
            else { continue }
            report(
                .settlesNotPossible,
                "`\(error.name.value)` also stands for a lost connection, which does not say that anything was done",
                at: settles.range, notes: [DiagnosticNote("the condition", at: condition.range)],
                help: "remove `settles`, or declare another error for the connection")
        }
        for name in contract.defaults.errors {
            guard let settles = settles(name) else { continue }
            report(
                .settlesNotPossible,
                "every endpoint has `\(name.value)`, also those for which it does not mean that they were done",
                at: name.range, notes: [settles.note],
                help: "list it at the endpoints of which it says that they were done")
        }
    }

    /// Checks the errors of an endpoint that settle its command.
    mutating func checkSettles(of endpoint: EndpointDefinition) {
        for name in endpoint.errors {
            guard let settles = settles(name),
                let (problem, help) = settlementProblem(of: endpoint, hasPayload: settles.rule == .payload)
            else { continue }
            report(
                .settlesNotPossible, "`\(name.value)` cannot settle `\(endpoint.name.value)`, \(problem)",
                at: name.range, notes: [settles.note], help: help)
        }
    }

    /// The `settles` of an error, with a note about it; nil for an error without it.
    private func settles(_ name: Located<String>) -> (rule: SettlingRule, note: DiagnosticNote)? {
        guard case .found(let found) = scope.error(name.value), let settles = found.definition.settles else {
            return nil
        }
        return (settles.value, DiagnosticNote("`\(name.value)` settles", at: settles.range))
    }

    /// Why a command cannot succeed by an error; nil if it can.
    private func settlementProblem(
        of endpoint: EndpointDefinition, hasPayload: Bool
    ) -> (problem: String, help: String)? {
        let another = "list another error with the same condition, without `settles`"
        switch endpoint.effect {
        case .read: return ("which only reads, so nothing of it is done already", another)
        case .once:
            return (
                "which is `once`: after an attempt that may have been carried out, it is not sent again",
                "write `effect: idempotent` if the server refuses a second one with this error, or \(another)"
            )
        case .idempotent, .keyed: break
        }
        if endpoint.delivery?.value == .stream { return ("which is a stream", another) }
        if hasPayload { return payloadProblem(of: endpoint, another) }
        if let header = endpoint.responseHeaders.first(where: \.isRequired) {
            return (
                "because its success always has the header `\(header.wireName)`",
                "make the header optional (`?`), or \(another)"
            )
        }
        switch endpoint.response.value {
        case .none: return nil
        case .type(let type, _, _) where type.isOptional: return nil
        case .type(let type, _, _) where isOptionalAlias(type): return nil
        case .bytes, .fields, .type:
            return (
                "because its success always has a payload, and the error brings none",
                "write `response: none`, make the type of the response optional (`?`), write `settles: {success: payload}` if the body of the error is that of the success, or \(another)"
            )
        }
    }

    /// Why the body of an error cannot be that of a success; nil if it can.
    private func payloadProblem(of endpoint: EndpointDefinition, _ another: String) -> (problem: String, help: String)?
    {
        switch endpoint.response.value {
        case .type, .fields: nil
        case .none where !endpoint.responseHeaders.isEmpty: nil
        case .none: ("whose success has no payload", "write `settles: success`, or \(another)")
        case .bytes: ("whose success is bytes, which the body of an error cannot be", another)
        }
    }

    private func isOptionalAlias(_ type: TypeReference) -> Bool { expanded(type)?.isOptional ?? false }
}
