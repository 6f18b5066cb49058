/// The persistent connection of a service, as its contract declares it (`connection`). All commands of the service travel over it
/// as frames: JSON objects, one in each message.
public struct ConnectionDescription: Sendable, Hashable {
    /// What keeps the connection open.
    public let provider: ConnectionProvider
    /// The member of a frame with the name of its kind.
    public let kind: String
    /// The member with the id of the request that the frame belongs to.
    public let correlation: String
    /// Whether the id is written as a number. Both forms are read.
    public let numericCorrelation: Bool
    /// The member with the payload; nil if the payload's members are beside the two others.
    public let payload: String?
    /// The kind of a reply that says what went wrong; nil if the envelope of a reply says that.
    public let failure: String?
    /// The subprotocol that the server must agree to (RFC 6455 section 1.9); nil for none.
    public let subprotocol: String?
    /// How long the server may be silent before it is asked for a sign of life (RFC 6455 section 5.5.2); nil for never.
    public let ping: Duration?
    /// How long the server may be silent, pongs included, before the connection counts as lost. It counts only with `ping`.
    public let silence: Duration
    /// How long the connection is kept that nothing uses; nil for as long as the server keeps it.
    public let unused: Duration?
    /// The pauses before a lost connection is opened again, with full jitter. Its attempts are not used, because each command counts
    /// its own.
    public let reconnect: RetryRule
    /// How many commands may be on the connection at once; others wait. Subscriptions are counted apart from them.
    public let maximumPending: Int
    /// How many bytes of a subscription may wait for a slow reader before the server is held back.
    public let maximumBuffer: Int

    public init(
        _ provider: ConnectionProvider, kind: String = "type", correlation: String = "id",
        numericCorrelation: Bool = false, payload: String? = nil,
        failure: String? = nil, subprotocol: String? = nil, ping: Duration? = .seconds(20),
        silence: Duration = .seconds(45), unused: Duration? = .seconds(300),
        reconnect: RetryRule = RetryRule(base: .seconds(1), cap: .seconds(30)), maximumPending: Int = 256,
        maximumBuffer: Int = 1 << 20
    ) {
        self.provider = provider
        self.kind = kind
        self.correlation = correlation
        self.numericCorrelation = numericCorrelation
        self.payload = payload
        self.failure = failure
        self.subprotocol = subprotocol
        self.ping = ping
        self.silence = silence
        self.unused = unused
        self.reconnect = reconnect
        self.maximumPending = max(1, maximumPending)
        self.maximumBuffer = max(1, maximumBuffer)
    }
}

/// What keeps the connections of services open. The module `ErrandConnections` has one: `persistent`.
public struct ConnectionProvider: Sendable, Hashable {
    package let maker: any ConnectionMaker.Type

    package init(_ maker: any ConnectionMaker.Type) { self.maker = maker }

    public static func == (one: Self, other: Self) -> Bool { one.maker == other.maker }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(maker)) }
}

/// The connections of a dispatcher, for code that passes their type on: `CommandRun/`, in a folder above, knows what they do.
package protocol ConnectionMaker: Sendable {}

/// The frames of one endpoint, as its contract declares them (`frame`, `delivery`).
public struct FrameDescription: Sendable, Hashable {
    /// How many frames answer a request.
    public enum Replies: String, Sendable, CaseIterable {
        /// None: the command succeeds when its frame was sent.
        case none
        case one
        /// Any number, up to one that ends them: a subscription.
        case many
    }

    /// The kind of a request.
    public let kind: String
    public let replies: Replies
    /// The kind of a reply, or of an element.
    public let reply: String

    /// - Parameter reply: the kind of a reply, or of an element; nil for the request's own.
    public init(_ kind: String, replies: Replies = .one, reply: String? = nil) {
        self.kind = kind
        self.replies = replies
        self.reply = reply ?? kind
    }
}
