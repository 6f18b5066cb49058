package import ErrandRuntime

/// Where the connection is. The number tells it from earlier connections.
package enum ConnectionPhase: Sendable, Hashable {
    /// There is none, and none is wanted.
    case idle
    /// A pause is over at this time. Then the connection is opened.
    case waiting(until: Duration)
    /// It fails if it is not open at this time.
    case opening(Int, until: Duration)
    /// It is open, and the token is being presented.
    case presenting(Int)
    case open(Int)
    /// It is to end. The replies that are under way may still arrive until this time.
    case draining(Int, until: Duration)
    /// The session is over. It is never opened again.
    case finished
}

/// A request that travels as a frame.
package struct FrameRequest: Sendable, Hashable {
    package typealias Replies = FrameDescription.Replies

    /// The id that its replies carry. `ConnectionState.makeCorrelation` makes them.
    package let correlation: UInt64
    package let replies: Replies
    /// Whether it must not be sent before the session's token was presented.
    package let waitsForSession: Bool
    /// Whether its command has seen the connection fail before, and opens no stream again.
    package let isRepetition: Bool
    /// Whether it is a login, after which the server takes the connection for that of another user.
    package let isLogin: Bool
    /// The size of its frame, in bytes.
    package let size: Int

    package init(
        correlation: UInt64, replies: Replies, waitsForSession: Bool, isRepetition: Bool = false,
        isLogin: Bool = false, size: Int
    ) {
        self.isLogin = isLogin
        self.correlation = correlation
        self.replies = replies
        self.waitsForSession = waitsForSession
        self.isRepetition = isRepetition
        self.size = size
    }
}

/// What a new connection has of the session.
package enum ConnectionAccess: Sendable, Hashable {
    /// The handshake has presented the token, or the service knows no session.
    case complete
    /// A token is to be presented in a frame before the commands of the session are sent.
    case pending
    /// There is no token yet. One is presented when a command needs it, unless a login over this connection comes first.
    case anonymous
}

/// Something that happens to a connection. Those that a transport reports name the connection by its number, so that a report
/// about an earlier connection changes nothing.
package enum ConnectionEvent: Sendable {
    /// A command came to wait at the gate.
    case joined(isRepetition: Bool)
    /// A command left the gate: it was let through, or does not want to wait any more.
    case left
    /// The first follower of the server's events came.
    case followed
    /// The last one left.
    case unfollowed
    case request(FrameRequest)
    /// The caller of a request wants no reply any more.
    case cancel(UInt64)
    /// A request got no reply in its time. Its caller wants none any more.
    case timedOut(UInt64)
    /// A connection is open.
    case opened(Int, ConnectionAccess)
    /// A connection could not be opened.
    ///
    /// - Parameter retryAfter: how long the server asked to wait.
    case openingFailed(Int, ConnectionFailure, retryAfter: Duration?)
    /// The server has accepted the token.
    case presented(Int)
    /// The server has accepted a login over this connection, whose token is the session's now. The word about the token before it,
    /// which may come later, says nothing.
    case loggedIn(Int)
    /// The server has refused the token. The connection stays open, because a login may go over it.
    case presentationRefused(Int)
    /// The session has another token than the one that the server has refused.
    case renewed
    /// A command comes with a newer token than the one that was presented: it was renewed over something else, or the person has logged in
    /// there.
    case outdated
    /// The session could not be renewed after the server has refused its token, and may be later. What is under way may end, and the next
    /// connection presents the token again.
    case unrenewed(Int)
    /// The transport has taken a request's frame.
    case written(UInt64, Int)
    /// The connection has ended, and nothing of a request's frame was sent. Then `closed` follows.
    case unwritten(UInt64, Int)
    /// A frame with a correlation arrived.
    ///
    /// - Parameter isLast: whether it ends the replies of a subscription.
    case reply(UInt64, isLast: Bool, size: Int, Int)
    /// A frame arrived that the server sends unasked.
    case notice(Int)
    /// A frame arrived that belongs to nothing.
    case stray(Int)
    case pong(Int)
    /// So many bytes have arrived over a connection since it was opened, those of messages that are not complete included.
    case received(Int, bytes: Int)
    /// The reader of a subscription has taken bytes.
    case consumed(UInt64, size: Int)
    case closed(Int, ConnectionFailure)
    /// The network has changed: the connection moves, after the replies that are under way.
    case networkChanged
    /// The session of the connection is over. It isn't opened again.
    case finish
    /// The time may have come that `ConnectionState.nextMoment` named.
    case time
}

/// Something to do for a connection.
package enum ConnectionEffect: Sendable, Hashable {
    /// Open a connection, which has this number.
    ///
    /// - Parameter isRepetition: whether all commands that want it have seen the connection fail, so that it takes a token of
    ///   the host's budget.
    case open(Int, isRepetition: Bool)
    /// Present the session's token: a request that does not wait for the session.
    case present(Int)
    /// Hand the frame of a request to the transport.
    case write(UInt64, Int)
    /// Hand the frame that has just arrived to its request, which is over if it is the last one.
    case deliver(UInt64, isLast: Bool)
    /// Hand the frame that has just arrived to the followers of events.
    case publish
    /// Report that the frame that has just arrived belongs to nothing.
    case drop(StrayFrame)
    /// End a request.
    case end(UInt64, RequestEnd)
    /// Let the commands go that wait at the gate.
    case admit
    /// End the waiting of the commands at the gate.
    case refuse(ConnectionFailure)
    case ping(Int)
    case pauseReading(Int)
    case resumeReading(Int)
    /// Close a connection. Nothing more is expected of it.
    case close(Int, CloseCode)
}

/// The end of a request without a last reply.
package enum RequestEnd: Sendable, Hashable {
    /// It was written, and expects no reply.
    case written
    /// It failed, with the evidence of how far it got.
    case failed(ConnectionFailure, Evidence)
    /// Its reader was too slow. A subscription may continue from its last position.
    case detached
}

/// Why a connection is not there.
package enum ConnectionFailure: Sendable, Hashable {
    /// The transport failed.
    case fault(TransportFault.Kind)
    /// The server closed it.
    case closed(CloseCode)
    /// The server refused the handshake. The opener has the response.
    case refused
    /// The server refused the session's token.
    case unpresented
    /// The host's budget has no token to open it again.
    case overBudget
    /// There are too many requests.
    case full
    /// The session of the connection is over.
    case finished
}

/// Why a frame belongs to nothing.
package enum StrayFrame: Sendable, Hashable {
    /// Its request is over: it was answered, canceled or lost.
    case late
    /// No request had its correlation.
    case unknown
    /// It could not be read.
    case unreadable
}
