/// One cause that hit any number of commands: the network is away, a host does not answer, a session is over, a service
/// refuses. It opens once, and is put to whoever responds; the answer is the decision for all the commands it hit.
public struct Incident: Sendable, Identifiable {
    /// Whom a cause concerns.
    public enum Scope: Sendable, Hashable {
        /// Every command: there is no network.
        case network
        /// The commands to one host.
        case host(Origin)
        /// The commands with one session of a service.
        case session(service: String)
        /// The commands of one service that fail alike.
        case service(String)
    }

    /// Tells it from all others of its dispatcher.
    public let id: Int
    public let scope: Scope
    /// The failure that opened it. Those of the commands that joined later differ in the endpoint, if at all.
    public let context: FailureContext

    /// The error's name: as the contract declares it, or that of a built-in one.
    public var name: String { context.name }
    public var category: ErrorCategory { context.category }
    /// The text for people.
    public var message: String { context.message }
}

/// What is to become of the commands that an incident hit.
public enum IncidentAnswer: Sendable, Hashable {
    /// Those that may be sent again are; the others fail.
    case retry
    /// All of them fail, each with its own typed error.
    case fail
    /// Somebody else shall say: the next responder of the chain. After the last one, they fail.
    case pass
    /// They are treated as if the contract had said so: a login screen, for instance, that shows
    /// the message itself instead of logging out answers `nonRetryable`.
    case recategorize(ErrorCategory)
}

/// Answers incidents: tells people, asks them, decides. Asked once for each incident, however many commands it hits.
///
/// Responders form a chain. The one given last to a client (`client.responding(with:)`) is asked first, that of the
/// dispatcher last. A screen answers what it wants to show itself, and passes on the rest.
public protocol Responder: Sendable {
    /// Decides about an incident. It may take its time: that counts against no deadline. The task is cancelled when the
    /// incident ends by itself: the network is back, the host answers, a session has begun, or nobody waits any more.
    func respond(to incident: Incident) async -> IncidentAnswer
}

/// What happens to incidents, for those who only watch.
public enum IncidentEvent: Sendable {
    case opened(Incident)
    /// A responder has decided. Not told for `pass`.
    case answered(Incident, IncidentAnswer)
    /// Its cause has ended, and the commands go on by themselves.
    case withdrawn(Incident)
    /// No command is concerned any more.
    case closed(Incident)
}

/// A responder's place in a chain, which tells two apart that are equal.
final class ResponderLevel: Sendable {
    let responder: any Responder
    init(_ responder: any Responder) { self.responder = responder }
}
