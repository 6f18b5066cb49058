#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ServiceClient {
    /// Hands an error of the app to the responders, as an incident of its own. A screen then handles all errors in one way: for
    /// instance those of a database, or a failure that an endpoint declares for its caller.
    ///
    ///     } catch {
    ///         await bank.raise(error) { await reload() }
    ///     }
    ///
    /// - Parameters:
    ///   - error: any error. The failure of a command keeps its name and message. Of other errors, the message is their
    ///     `errorDescription`, and the category is their own (`CategorizedError`) or the one in `categories`.
    ///   - categories: the app's categories of errors that aren't its own.
    ///   - retry: called when the answer is `retry`. Without it, `AffectedCommand.maySendAgain` is false.
    /// - Returns: the answer, or nil if no responder decided within `DispatcherSettings.patience`, the task was cancelled, or the
    ///   login ended: the next user is not asked about the error of the one before.
    ///   Within a responder the method returns nil at once, because the question would wait for itself.
    @discardableResult
    public func raise(
        _ error: any Error, using categories: ErrorCategories = ErrorCategories(),
        retry: (@Sendable () async -> Void)? = nil
    ) async -> IncidentAnswer? {
        let dispatcher = binding.dispatcher
        guard binding.options.opensIncidents, !ResponderScope.isOpen else { return nil }
        let context =
            (error as? any CommandFailure)?.context
            ?? FailureContext(
                raised: error, ErrorCategory(of: error, using: categories), in: Self.service,
                dispatcher.settings.localize)
        let suspension = Suspension<IncidentOutcome?>()
        let session = binding.session
        let membership = session.membership(of: .required)
        let now = dispatcher.environment.time.now
        let member = dispatcher.board.join(
            IncidentCause(.raised, nil, context.category, context.evidence), context, binding.responderChain,
            CommandTime(begun: now, now: now),
            maySendAgain: retry != nil
        ) { suspension.end($0) }
        let timer = dispatcher.timeLimits.set(at: now + dispatcher.settings.patience) { suspension.end(nil) }
        let watch = session.watch(membership) { suspension.end(nil) }
        let outcome = await suspension.value(ifCancelled: nil)
        dispatcher.timeLimits.drop(timer)
        session.unwatch(watch)
        dispatcher.board.leave(member)
        guard case .answered(let answer)? = outcome, !session.isOver(membership) else { return nil }
        if answer == .retry { await retry?() }
        return answer
    }
}

extension Incident {
    /// The same client, for use while this incident is being decided. Commands sent through it neither open nor join an
    /// incident, in any task. They fail with their own errors.
    ///
    /// Commands that `respond(to:)` sends itself don't need such a client.
    public func client<Client: ServiceClient>(_ client: Client) -> Client {
        var client = client
        client.binding.options.opensIncidents = false
        return client
    }
}

extension FailureContext {
    /// The context of an error that no command has failed with. Neither its name nor its message tells what it holds: an
    /// error may hold secrets, and only what is meant for people is shown.
    fileprivate init(
        raised error: any Error, _ category: ErrorCategory, in service: ServiceDescription,
        _ localize: TextLocalization?
    ) {
        let name = "\(type(of: error))"
        var account = AttemptAccount(service: service.name, endpoint: "", method: .get)
        account.underlying = error
        account.localize = localize
        self.init(
            Facts(
                name: name, category: category, applied: .never,
                message: (error as? any LocalizedError)?.errorDescription ?? "Something went wrong.",
                messageKey: MessageKey.raised(name), account: account))
    }
}
