/// The incident that a failure belongs to.
struct IncidentCause: Sendable {
    /// Where the cause is, and what can be done about it.
    enum Place: Sendable {
        /// The network is down. `endsWithSuccess`: no path monitor says when it is back, so a success does.
        case network(endsWithSuccess: Bool)
        /// A host does not do what it should, or some of its endpoints do not: it has to recover.
        case outage(Origin)
        /// An endpoint refuses the user what other users may get: a responder decides.
        case refusal(Origin)
        /// A session is over: the user has to log in.
        case session(ObjectIdentifier)
        /// The app has raised an error.
        case raised
    }

    let place: Place
    /// Nil for an error that the app has raised.
    let endpoint: EndpointDescription?
    /// The category in the contract, which an answer may have changed. A failure that the contract calls `nonRetryable` does
    /// not pass by itself.
    let category: ErrorCategory
    /// Whether the whole host is unresponsive. Any success of the host ends such a cause.
    let isHostCaused: Bool
    /// The login that the command belongs to, if its session is over.
    let login: SessionLogin?

    init(
        _ place: Place, _ endpoint: EndpointDescription?, _ category: ErrorCategory, _ evidence: Evidence,
        login: SessionLogin? = nil
    ) {
        self.place = place
        self.endpoint = endpoint
        self.category = category
        isHostCaused = evidence == .notSent
        self.login = login
    }
}

/// The identity of an incident. Two failures with the same scope and the same remedy are one incident, whatever their
/// errors are.
enum IncidentKey: Sendable, Hashable {
    case network
    /// An outage of the host, or of some of its endpoints.
    case host(Origin)
    case refusal(Origin, ObjectIdentifier)
    case session(ObjectIdentifier)
    case raised(Int)
}

extension FailureContext {
    /// Whether this failure is worse than another one of the same incident: `Incident.context` says how.
    func isWorse(than other: FailureContext) -> Bool {
        (category.severity, evidence.severity) > (other.category.severity, other.evidence.severity)
    }
}

extension ErrorCategory {
    fileprivate var severity: Int {
        switch self {
        case .retryable: 0
        case .requiresLogout: 1
        case .nonRetryable: 2
        }
    }
}

extension Evidence {
    fileprivate var severity: Int {
        switch self {
        case .notSent: 0
        case .unprocessed: 1
        case .sent: 2
        case .responded: 3
        }
    }
}

/// A command's membership of an incident, by which it leaves. An object, since a command keeps it while it waits.
final class IncidentMember: Sendable {
    let key: IncidentKey
    let incident: Int
    let id: Int

    init(key: IncidentKey, incident: Int, id: Int) {
        self.key = key
        self.incident = incident
        self.id = id
    }
}

/// When a command's round began, and when it failed.
struct CommandTime: Sendable {
    var begun: Duration
    var now: Duration
}
