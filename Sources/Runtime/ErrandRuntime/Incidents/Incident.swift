/// One cause that affects any number of commands: the network is unavailable, a host does not respond, a session is over.
///
/// An incident opens once, and is put to the responders once. Their answer decides about all the commands that it affects. A
/// value shows the incident at one moment. `updates` shows its later states.
public struct Incident: Sendable, Identifiable {
    /// The part of the service that a cause affects.
    public enum Scope: Sendable, Hashable {
        /// Every command: the network is down.
        case network
        /// The commands to one host.
        case host(Origin)
        /// The commands of some endpoints, while the host responds to others. The names are `Bank.transferFunds`, sorted.
        case endpoints(Origin, [String])
        /// The commands with one session of a service.
        case session(service: String)
        /// Nothing but itself: the app has raised it with `client.raise(_:retry:)`.
        case raised
    }

    /// Identifies the incident among all of its dispatcher. It stays the same when the scope narrows.
    public let id: Int
    let facts: Facts
    let feed: IncidentFeed

    /// The facts at one moment.
    struct Facts: Sendable {
        var scope: Scope
        var context: FailureContext
        var cohort: IncidentCohort
        /// The login of the affected commands, if their session is the cause.
        var login: SessionLogin?
    }

    /// The part of the service that the cause affects. A host's scope narrows to endpoints when another endpoint of the host
    /// succeeds.
    public var scope: Scope { facts.scope }
    /// The worst failure of those that the incident has met.
    ///
    /// Among failures of different categories, `nonRetryable` is worse than `requiresLogout`, which is worse than
    /// `retryable`. Within a category, a server's response is worse than a lost connection, which is worse than a request
    /// that was never sent: the server knows best what to tell people. Among equals, the first one stays.
    public var context: FailureContext { facts.context }
    /// The commands that the incident affects.
    public var cohort: IncidentCohort { facts.cohort }

    /// The name of the worst failure: as the contract declares it, or that of a built-in one.
    public var name: String { context.name }
    /// The category of the worst failure.
    public var category: ErrorCategory { context.category }
    /// The text for people, of the worst failure.
    public var message: String { context.message }

    /// The incident as it is now, and again after each change, until it closes. A reader that is slow misses values in
    /// between, but never the latest one.
    public var updates: AsyncStream<Incident> { feed.updates(id) }
}

/// The commands that an incident affects.
public struct IncidentCohort: Sendable {
    /// The number of commands that have joined so far, those that have ended included.
    public internal(set) var count = 0
    /// The commands that joined first, at most twenty.
    public internal(set) var commands: [AffectedCommand] = []

    static let maximumCommands = 20
}

/// A command that an incident affects.
public struct AffectedCommand: Sendable {
    /// The endpoint's name in its contract; empty for an error that the app has raised.
    public let endpoint: String
    /// When the command joined, on the dispatcher's clock, counted from the dispatcher's making.
    public let since: Duration
    /// The command's own failure.
    public let failure: FailureContext
    /// Whether `retry` sends the command again. False if a second request could take effect a second time.
    public let maySendAgain: Bool
}

/// An event of an incident, for code that only observes.
///
/// `opened` is the first event of an incident, and `closed` the last one.
public enum IncidentEvent: Sendable {
    case opened(Incident)
    /// The scope has narrowed, or the message follows a worse failure now. The id stays the same. (Each command that
    /// joins changes the cohort as well: `Incident.updates` tells of that.)
    case updated(Incident)
    /// A responder has decided. Not sent for `pass`.
    case answered(Incident, IncidentAnswer)
    /// No responder has decided, so commands fail with their own errors. Sent once for an incident.
    case unanswered(Incident)
    /// The cause has ended, and the commands go on by themselves.
    case withdrawn(Incident)
    /// The cause has ended, or no command is affected any more.
    case closed(Incident)
    /// The reader was too slow, and missed this many events at this point.
    case dropped(Int)
}

/// Tells the followers of one incident how it continues.
final class IncidentFeed: Sendable {
    private struct State {
        var facts: Incident.Facts
        var isClosed = false
    }

    private let state: LockedState<State>
    private let followers = EventFollowers<Incident.Facts>(limit: 1)

    init(_ facts: Incident.Facts) { state = LockedState { State(facts: facts) } }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    func update(_ facts: Incident.Facts) {
        state.withLock { $0.facts = facts }
        followers.tell(facts)
    }

    func close(_ facts: Incident.Facts) {
        update(facts)
        state.withLock { $0.isClosed = true }
        followers.finish()
    }

    func updates(_ id: Int) -> AsyncStream<Incident> {
        let facts = followers.stream { [state] in state.withLock { $0.facts } }
        if state.withLock({ $0.isClosed }) { followers.finish() }
        return AsyncStream { [self] in
            for await facts in facts { return Incident(id: id, facts: facts, feed: self) }
            return nil
        }
    }
}
