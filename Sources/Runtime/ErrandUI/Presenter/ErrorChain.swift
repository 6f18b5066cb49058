public import ErrandRuntime

/// Something in a responder chain that handles errors: a view controller, a window, the app delegate.
///
///     extension TransferViewController: ErrorHandlingResponder {
///         func handle(_ incident: Incident) async -> IncidentAnswer {
///             guard incident.name == "insufficientFunds" else { return .pass }
///             amountField.showHint(incident.message)
///             return .handled
///         }
///     }
@MainActor public protocol ErrorHandlingResponder: AnyObject {
    /// Handles an error, or passes it on: `.pass` asks the next one up the chain, `.retry` tries again, and `.recategorize` has it
    /// shown as an error of another category. The task is cancelled when the cause ends.
    func handle(_ incident: Incident) async -> IncidentAnswer
}

/// Asks a responder chain from one object upward. The chain is looked at when an error comes, so that it is the one of that moment.
final class ErrorChain: Responder {
    private let chain: @MainActor @Sendable () -> [any ErrorHandlingResponder]

    /// - Parameter chain: those that handle errors, the nearest one first.
    init(_ chain: @escaping @MainActor @Sendable () -> [any ErrorHandlingResponder]) { self.chain = chain }

    func respond(to incident: Incident) async -> IncidentAnswer { await walk(incident) }

    @MainActor private func walk(_ incident: Incident) async -> IncidentAnswer {
        for responder in chain() {
            let answer = await responder.handle(incident)
            if Task.isCancelled || answer != .pass { return answer }
        }
        return .pass
    }
}
