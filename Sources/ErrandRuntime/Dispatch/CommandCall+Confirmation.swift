extension CommandCall {
    /// The state of the contract's `confirm`, and whether the read is possible.
    func confirmation(_ failure: FailedAttempt, _ progress: CallProgress) -> RetryContext.Confirmation {
        guard progress.confirmation == .possible else { return progress.confirmation }
        guard endpoint.effect.isUnsafe, command is any ConfirmableCommand else { return .none }
        // A host that is down cannot tell either.
        switch progress.fault {
        case .offline, .dns, .refused: return .failed
        default: break
        }
        if let host = progress.host, route.dispatcher.board.isDown(host) { return .failed }
        return .possible
    }

    /// Makes the read that tells how the command ended, within what is left of its attempts and its deadline. Nil if it has
    /// not found the command carried out.
    func confirm(
        _ failure: FailedAttempt, _ progress: CallProgress, into receiver: any ResponseReceiver
    ) async -> ReplyParts? {
        progress.paidFor = nil
        progress.confirmation = .failed
        guard let command = command as? any ConfirmableCommand else { return nil }
        var options = CommandOptions()
        let rule = limits.retry(failure.retry ?? endpoint.retry ?? route.dispatcher.settings.retry)
        options.attempts = max(1, max(rule.attempts, 2) - progress.attempts)
        options.deadline = limits.deadline - progress.spent
        // The deadline covers the whole read, so it waits for no login and no network.
        options.patience = .upTo(.zero)
        // A header may say whose data it is about: without it, the read would look in another place.
        options.headers = headers
        let start = environment.time.now
        let found = await ask(command, makeReceipt(failure, progress), options, progress, into: receiver)
        progress.spent += environment.time.now - start
        return found
    }

    private func ask<C: ConfirmableCommand>(
        _ command: C, _ receipt: Receipt, _ options: CommandOptions, _ progress: CallProgress,
        into receiver: any ResponseReceiver
    ) async -> ReplyParts? {
        guard let read = command.confirmation(for: receipt) else { return nil }
        var binding = ServiceBinding(route: route, session: session)
        binding.options = options
        do throws(C.Confirmation.Failure) {
            let reply = try await binding.perform(read, as: .confirmation(of: progress.membership))
            guard receiver.take(response: C.confirmed(by: reply.value)) else { return nil }
            return ReplyParts(reply)
        } catch {
            let context = error.context
            if C.Confirmation.saysNothingFound(context) {
                // No attempt was carried out, so that the last one is left for the command itself.
                progress.confirmation = .foundNothing
            } else {
                progress.attempts += context.attempts
            }
            return nil
        }
    }

    /// The rest of the command if its effect on the server is unknown.
    @inline(never)
    func makeReceipt(_ failure: FailedAttempt, _ progress: CallProgress) -> Receipt {
        let cause = failure.context(progress.account)
        let description = endpoint.service.redeclaration(of: .unconfirmed)
        let context = cause.renamed(
            CommandFault.Kind.unconfirmed.rawValue, description?.category ?? .nonRetryable,
            message: description?.message ?? CommandFault.Kind.unconfirmed.message,
            messageKey: MessageKey.of(.unconfirmed, description, in: endpoint.service))
        let intent = progress.key.map {
            CommandIntent(command: command, key: $0, session: session.identity, membership: progress.membership)
        }
        return Receipt(idempotencyKey: progress.key?.text, cause: cause, context: context, intent: intent)
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
    let membership: SessionMembership

    /// To which login the command belongs in a session. None of another session's logins is its own.
    func membership(in other: Session) -> SessionMembership {
        membership == .none || session === other.identity ? membership : .over
    }
}
