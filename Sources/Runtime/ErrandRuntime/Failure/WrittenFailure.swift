/// The failure that a stub or a test has written, taken apart. The type of the failure is the endpoint's own, of which the
/// runtime knows no case: reflection tells which one it is.
package struct WrittenFailure {
    package enum Cause {
        case declared(DeclaredName)
        case builtIn(CommandFault.Kind)
        /// The last event, and the key of the request.
        case unconfirmed(CommandFault.Kind, key: String?)
    }

    /// Nil if reflection is switched off.
    package let cause: Cause?
    let context: FailureContext
    /// The data that comes with a declared error.
    let data: (any Sendable)?

    package init<Failure: CommandFailure>(_ failure: Failure, of endpoint: EndpointDescription) {
        let thrown = Self.thrown(by: failure)
        context = failure.context
        data = (thrown?.value as? any DetailedError)?.anyData
        if let fault = failure as? CommandFault ?? thrown?.value as? CommandFault {
            cause = .builtIn(fault.kind)
        } else if let receipt = thrown?.value as? Receipt {
            cause = .unconfirmed(
                CommandFault.Kind(rawValue: receipt.cause.name) ?? .connectionLost, key: receipt.idempotencyKey)
        } else {
            cause = endpoint.table.errors.first { name in
                let match = ErrorMatch(context: failure.context, payload: nil)
                guard let label = thrown?.label, let declared = Failure(declared: name, match) else { return false }
                return Self.thrown(by: declared)?.label == label
            }.map(Cause.declared)
        }
    }

    /// The case of the failure, or of the failure that all commands share if it has this one inside.
    private static func thrown(by failure: any CommandFailure) -> Mirror.Child? {
        let thrown = Mirror(reflecting: failure).children.first
        guard let shared = thrown?.value as? any CommandFailure, !(shared is CommandFault) else { return thrown }
        return Self.thrown(by: shared)
    }
}

extension DecisionTable {
    /// The errors that it names.
    fileprivate var errors: [DeclaredName] {
        rows.compactMap { if case .error(let name) = $0.verdict { name } else { nil } }
    }
}
