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
    /// In builds with `DEBUG`, a line on standard error tells the developer of a type of error that has no category, or that no
    /// responder has decided about.
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
        if outcome == .unanswered { noteUnhandled(error) }
        guard case .answered(let answer)? = outcome, !session.isOver(membership) else { return nil }
        if answer == .retry { await retry?() }
        return answer
    }
}

extension ServiceClient {
    /// Tells the developer of an error that no responder has decided about, so that no person has heard of it.
    private func noteUnhandled(_ error: any Error) {
        guard DeveloperNotice.isEnabled, !(error is CancellationError) else { return }
        let failure = (error as? any CommandFailure)?.context
        let name =
            failure.map { $0.service.isEmpty ? $0.name : "\($0.service).\($0.name)" } ?? "\(Swift.type(of: error))"
        DeveloperNotice.say(
            "handler \(name)",
            """
            no responder handled `\(name)`, so nothing was shown. Give the dispatcher a responder that decides about all errors: \
            `Dispatcher(responder: ErrorPresenter())`, with a place to present, or answer something other than `pass` in one of yours.
            """)
    }
}

extension Incident {
    /// Whether the incident affects the session of a client, and a login through `client(_:)` continues that session.
    package func affectsSession(of client: some ServiceClient) -> Bool {
        facts.login?.session === client.binding.session.identity
    }

    /// The same client, for use while this incident is being decided. Commands sent through it neither open nor join an
    /// incident, in any task. They fail with their own errors.
    ///
    /// If the incident affects a session, a login through this client continues it: the commands that wait are sent with the new
    /// token. Without an `identity` in the contract, any other login begins a session of its own, and these commands end with
    /// `sessionEnded`, since another user may have logged in. Use this client for a login form that the incident has opened. It
    /// continues the session only while the incident is open.
    ///
    /// Other commands that `respond(to:)` sends itself don't need such a client.
    public func client<Client: ServiceClient>(_ client: Client) -> Client {
        var client = client
        client.binding.options.opensIncidents = false
        client.binding.options.continuation = facts.login.map { [feed] login in
            LoginContinuation(login: login) { !feed.isClosed }
        }
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
        var summary = AttemptSummary(service: service.name, endpoint: "", method: .get)
        summary.underlying = error
        summary.localize = localize
        self.init(
            Facts(
                name: name, category: category, applied: .never,
                message: (error as? any LocalizedError)?.errorDescription ?? "Something went wrong.",
                messageKey: MessageKey.raised(name), summary: summary))
    }
}
