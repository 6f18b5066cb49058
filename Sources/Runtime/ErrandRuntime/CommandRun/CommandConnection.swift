import ErrandJSON

/// What a command of a service with a connection travels over. The module `ErrandConnections` has it.
package protocol CommandConnection: ConnectionHandle {
    var origin: Origin { get }
    /// The generation of the session whose token the server has accepted on the connection that there is; nil without one.
    var presented: Int? { get }

    /// Whether a command may send its request now.
    ///
    /// - Parameter isInTurn: whether it has waited already, so that those who wait do not go before it.
    func isAdmitting(isInTurn: Bool) -> Bool

    /// Queues a waiter, or lets it through at once.
    ///
    /// - Returns: the ticket to leave with; nil if it was let through.
    func join(_ order: WaitingOrder, isRepetition: Bool, _ waiter: GateWaiter<ConnectionPass>) -> Int?

    /// Takes a waiter out that does not want to pass any more.
    func leave(_ ticket: Int)

    /// The places of requests with so many replies.
    func places(for replies: FrameDescription.Replies) -> ConcurrencyLimiter

    /// Makes one attempt.
    func send(_ request: TransportRequest, _ facts: FrameFacts) async throws(TransportFault) -> TransportResponse

    /// Hands a late reply to a command that has ended to what waits for it, once.
    func awaitLate(_ correlations: [UInt64], _ take: @escaping @Sendable (TransportResponse) -> Void)

    /// A login over this connection has ended.
    ///
    /// - Parameters:
    ///   - number: on which connection the server has replied.
    ///   - access: the login's token; nil if it has failed.
    func finishLogin(on number: Int, _ access: String?)
}

/// All connections of a dispatcher.
package protocol CommandConnections: ConnectionMaker, AnyObject {
    init(of dispatcher: Dispatcher)

    /// The connection of a login; nil without a transport that opens connections.
    ///
    /// - Parameter membership: the login; `none` for the one that there is, or the next one.
    func connection(
        _ server: ServerAddress, _ route: ServiceRoute, _ session: Session, _ membership: CommandEpoch
    ) -> (any CommandConnection)?
}

/// How a command has passed the gate of a connection.
package enum ConnectionPass: Sendable {
    /// It may send its request. The turn is nil if no other waits for its end.
    case passed(GateTurn?)
    /// The connection is not opened for it.
    case refused(TransportFault)
}

/// A command that travels over a connection, as the connection sees it.
package struct FrameFacts: Sendable {
    package let endpoint: EndpointDescription
    package let frame: FrameDescription
    /// The generation of the session whose token must have been presented before; nil for a command that needs none.
    package let grant: Int?
    /// Whether an attempt of the command has failed before.
    package let hasFailedBefore: Bool
    /// Whether the command has seen the connection fail, and opens no stream again.
    package let isRepetition: Bool
    /// When the time of the attempt is over.
    package let end: Duration
    /// Where the reply of a login is noted; nil for other commands.
    package let login: LoginReply?
    /// Is told the number of a request that ended before its reply.
    package let abandoned: AbandonedFrames
}

/// The requests of one command whose replies it has not waited for.
package final class AbandonedFrames: Sendable {
    private let state = LockedState<[UInt64]> { [] }

    package func note(_ correlation: UInt64) { state.withLock { $0.append(correlation) } }
    package var correlations: [UInt64] { state.withLock { $0 } }
}

/// The reply of a login between its arrival and the end of the login: until then, nothing is presented on the connection.
package final class LoginReply: Sendable {
    private enum State {
        case open
        case arrived(Int)
        case over
    }

    private let state = LockedState<State> { .open }

    /// Notes on which connection the reply has arrived.
    ///
    /// - Returns: false if the login has ended before, so that the reply means nothing any more.
    package func arrive(on number: Int) -> Bool {
        state.withLock { state in
            guard case .open = state else { return false }
            state = .arrived(number)
            return true
        }
    }

    /// The login has ended.
    ///
    /// - Returns: the connection that waits for this; nil if none does.
    package func end() -> Int? {
        state.withLock { state in
            defer { state = .over }
            guard case .arrived(let number) = state else { return nil }
            return number
        }
    }
}

/// One attempt of a login, owned by its command. However the command ends, the connection hears of it.
package final class LoginAttempt {
    package let reply = LoginReply()
    private let connection: any CommandConnection

    package init(over connection: any CommandConnection) { self.connection = connection }

    /// Ends the attempt, once.
    ///
    /// - Parameter access: the token that the session has got from it; nil if it has failed.
    package func end(_ access: String?) {
        if let number = reply.end() { connection.finishLogin(on: number, access) }
    }

    deinit { end(nil) }
}
