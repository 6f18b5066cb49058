/// An event in the life of a command. It may be logged: it carries no input, no header, no body and no token, and its URL is
/// redacted.
public struct CommandEvent: Sendable {
    /// Which command.
    public let command: CommandIdentity
    /// When, on the clock of the dispatcher, counted from its making.
    public let moment: Duration
    public let kind: Kind

    /// The kinds of events. Each command is queued once and settled once. Every other event may occur any number of
    /// times in between, first `waiting` and then `resumed`, first `attemptStarted` and then `attemptEnded`.
    public enum Kind: Sendable {
        /// It was handed to the dispatcher.
        case queued
        /// It does nothing until something else has happened.
        case waiting(Wait)
        /// The command continues, after this duration.
        case resumed(Wait, after: Duration)
        /// A request is handed to the transport.
        case attemptStarted(Attempt)
        /// A response arrived and was classified, or no response arrived.
        case attemptEnded(Attempt, AttemptResult)
        /// Its caller has the result.
        case settled(Settlement)
    }

    /// A wait of a command.
    public struct Wait: Sendable, Hashable {
        public let place: WaitReason
        /// The reason, for people who develop the app: `no path to the network`, or the error's name.
        public let reason: String
    }

    /// One request.
    public struct Attempt: Sendable {
        /// The first is 1; replays after a login count.
        public let number: Int
        public let method: HTTPMethod
        /// The kind of the frame that it travels in; nil for a request over HTTP.
        public let frame: String?
        /// Where it goes; nil if that isn't an http or https URL.
        public let origin: Origin?
        /// The whole URL, redacted.
        public let url: String
        /// The size of the body in bytes; nil for none.
        public let bodySize: Int?
        /// Whether the attempt before is sent once more at once, on a new connection, because the server has not processed it:
        /// a transparent retry. It counts neither against the attempts of the retry rule nor against the host's retry budget.
        public let isTransparentRetry: Bool
        /// Whether the command sends no request, because it waits for the response to an equal one that another command has sent
        /// (`EndpointDescription.isShared`).
        public let isShared: Bool

        public var identity: AttemptIdentity { AttemptIdentity(command: command, number: number) }
        let command: CommandIdentity
    }

    /// The result of a request.
    public struct AttemptResult: Sendable {
        public let duration: Duration
        /// Nil without a response.
        public let status: Int?
        /// Why none came.
        public let fault: TransportFault.Kind?
        /// How far it got.
        public let evidence: Evidence
        /// The name of the error that it is, in the contract or of a built-in one; nil for a success or an outcome.
        public let error: String?
        /// The size of the response's body in bytes.
        public let bodySize: Int?
        /// Whether the server says that it repeats its response to an earlier request with the same idempotency key.
        public let isReplayed: Bool
    }

    /// How a command ended.
    public struct Settlement: Sendable {
        public let result: Result
        /// How many attempts were made, replays after a login included.
        public let attempts: Int
        /// From being queued to the end.
        public let duration: Duration
        /// The name of the error that said that an earlier attempt was carried out, so that the command has succeeded
        /// (``ErrorDescription/settles``); nil for any other end.
        public let doneAlready: String?
        /// How old the response is and why the cache has given it; nil for a response of the server, and for a failure.
        public let cached: CacheHit?

        public enum Result: Sendable {
            case success
            /// One of the contract's outcomes.
            case outcome
            /// The error's own facts, redacted. `unconfirmed` is a failure of that name.
            case failure(FailureContext)
        }
    }
}
