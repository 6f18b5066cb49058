extension CommandRun {
    /// Makes the read that tells how the command ended, within what is left of its attempts and its deadline. Nil if it has
    /// not found the command carried out.
    func confirm(_ failure: FailedAttempt) async -> FoundResponse? {
        // The read is a command of its own, with turns of its own.
        endTurn()
        guard let command = call.command as? any ConfirmableCommand else {
            goOn(unconfirmed: .failed(attempts: 0))
            return nil
        }
        var options = CommandOptions()
        let rule = limits.retry(failure.retry ?? endpoint.retry ?? dispatcher.settings.retry)
        options.attempts = max(1, max(rule.attempts, 2) - state.attempts)
        options.deadline = limits.deadline - state.spent
        // The deadline covers the whole read, so it waits for no login and no network.
        options.patience = .upTo(.zero)
        // A header may say whose data it is about: without it, the read would look in another place.
        options.headers = call.headers
        return await ask(command, makeReceipt(failure), options)
    }

    private func ask<C: ConfirmableCommand>(
        _ command: C, _ receipt: Receipt, _ options: CommandOptions
    ) async -> FoundResponse? {
        guard let read = command.confirmation(for: receipt) else {
            goOn(unconfirmed: .failed(attempts: 0))
            return nil
        }
        var binding = ServiceBinding(route: call.route, session: session)
        binding.options = options
        let start = environment.time.now
        do throws(C.Confirmation.Failure) {
            let reply = try await binding.perform(read, as: .confirmation(of: membership))
            state.spent += environment.time.now - start
            return FoundResponse(reply.replacing(value: C.confirmed(by: reply.value)))
        } catch {
            state.spent += environment.time.now - start
            let context = error.context
            goOn(
                unconfirmed: C.Confirmation.saysNothingFound(context)
                    ? .nothingFound : .failed(attempts: context.attempts))
            return nil
        }
    }

    /// The rest of the command if its effect on the server is unknown.
    @inline(never)
    func makeReceipt(_ failure: FailedAttempt) -> Receipt {
        let cause = failure.context(state.summary)
        let description = endpoint.service.redeclaration(of: .unconfirmed)
        let context = cause.renamed(
            CommandFault.Kind.unconfirmed.rawValue, description?.category ?? .nonRetryable,
            message: description?.message ?? CommandFault.Kind.unconfirmed.message,
            messageKey: MessageKey.of(.unconfirmed, description, in: endpoint.service))
        let intent = state.key.map {
            CommandIntent(command: call.command, key: $0, session: session.identity, membership: membership)
        }
        return Receipt(idempotencyKey: state.key?.text, cause: cause, context: context, intent: intent)
    }
}

extension Command {
    /// Whether a read that failed so says that there is nothing: 404, 410, or an error that the endpoint declares as final.
    fileprivate static func saysNothingFound(_ context: FailureContext) -> Bool {
        guard context.evidence == .responded, context.category == .nonRetryable else { return false }
        if context.status == 404 || context.status == 410 { return true }
        return CommandFault.Kind(rawValue: context.name) == nil && context.saysNever
    }
}

/// A keyed command as it was submitted, with what is needed to send the same intent again.
struct CommandIntent: ResendableIntent {
    let command: any Command
    let key: IdempotencyKey
    /// The session whose logins `membership` counts.
    let session: SessionIdentity
    let membership: CommandEpoch

    /// To which login the command belongs in a session. None of another session's logins is its own.
    func membership(in other: Session) -> CommandEpoch {
        membership == .none || session === other.identity ? membership : .over
    }
}
