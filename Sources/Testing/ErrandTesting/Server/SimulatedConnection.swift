import ErrandRuntime

/// A connection to a simulated server, as its client sees it. Messages keep their order in both directions, except the replies to
/// different requests, which the server may give in any order.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
final class SimulatedConnection: MessageConnection {
    /// A message on its way to the client.
    fileprivate struct Departure: Sendable {
        let message: ReceivedMessage
        let moment: Duration
        /// The command that the server has carried out before, if the message is its reply.
        let command: (any Command.Type)?
    }

    struct State: Sendable {
        /// Whether messages can still be sent.
        var isOpen = true
        /// Whether the client has closed it. What it has sent before still arrives.
        var isClosedByClient = false
        /// Whether the server reads what arrives.
        var isReading: Bool { (isOpen || isClosedByClient) && !isSilent }
        /// Whether neither side hears of the other any more, and neither knows.
        var isSilent = false
        /// The token that the client has presented in a frame.
        var token: String?
        var subscriptions: [UInt64: SimulatedSubscription] = [:]
        fileprivate var departures: [Int: Departure] = [:]
        fileprivate var sent = 0
        /// How many bytes have arrived at the client.
        fileprivate var received = 0
        fileprivate var lastArrivals: [Lane: Duration] = [:]
    }

    /// The messages of a lane arrive in the order in which they were sent.
    enum Lane: Hashable, Sendable {
        case toServer
        case reply(UInt64)
        case events
    }

    /// Its place among all connections of the server, from 1.
    let number: Int
    let opening: ConnectionOpening
    let state: LockedState<State>
    private let inbox = MessageInbox()
    let server: SimulatedServer

    init(_ number: Int, _ opening: ConnectionOpening, _ server: SimulatedServer) {
        self.number = number
        self.opening = opening
        self.server = server
        state = LockedState { State() }
    }

    var isOpen: Bool { state.withLock { $0.isOpen } }

    // MARK: The client's side

    func send(_ message: [UInt8]) async throws(TransportFault) {
        if Task.isCancelled { throw TransportFault(.cancelled, evidence: .notSent) }
        guard isOpen, take(message) else { throw TransportFault(.lost, evidence: .notSent) }
    }

    func sendAtOnce(_ message: [UInt8]) -> Bool {
        // Clients meet both kinds of connections: those that take and give messages at once, and those that do not.
        number.isMultiple(of: 2) && isOpen && take(message)
    }

    /// Brings a message on its way.
    ///
    /// - Returns: false if the connection has ended before any of it was sent.
    private func take(_ message: [UInt8]) -> Bool {
        let fault = server.drawFault(for: message, on: self)
        if fault == .refused {
            end(.lost)
            return false
        }
        guard let moment = departure(.toServer, after: server.drawTravel()) else { return true }
        // Held until then, because a client forgets a connection that it has closed.
        server.schedule(at: moment) { self.server.read(message, fault, on: self) }
        return true
    }

    func ping() async throws(TransportFault) {
        guard isOpen else { throw TransportFault(.lost, evidence: .notSent) }
        guard server.isOnline else { return }
        // Requests may take long to answer, and a pong waits for none of them.
        deliver(.pong, in: .events, after: server.drawTravel() + server.drawTravel(), reply: nil)
    }

    func receive() async throws(TransportFault) -> ReceivedMessage { try await inbox.next {}.get() }

    func receiveAtOnce() -> ReceivedMessage? { number.isMultiple(of: 2) ? inbox.nextAtOnce : nil }

    func notify(_ action: @escaping @Sendable () -> Void) -> ArrivalNotice {
        number.isMultiple(of: 4) ? inbox.notify({}, action) : .unavailable
    }

    var receivedByteCount: Int { state.withLock { $0.received } }

    func close(_ code: CloseCode) async {
        guard end(nil) else { return }
        state.withLock { $0.isClosedByClient = true }
        server.note("connection \(number) is closed by the client with \(code.rawValue)")
    }

    // MARK: The server's side

    /// Sends a message to the client.
    ///
    /// - Parameter command: the command that the server has carried out, if the message is its reply.
    func deliver(_ message: ReceivedMessage, in lane: Lane, after delay: Duration, reply command: (any Command.Type)?) {
        guard let moment = departure(lane, after: delay) else { return }
        let number = state.withLock { state in
            state.sent += 1
            state.departures[state.sent] = Departure(message: message, moment: moment, command: command)
            return state.sent
        }
        server.schedule(at: moment) { [weak self] in self?.arrive(number) }
    }

    /// The moment at which a message arrives; nil if it never does.
    private func departure(_ lane: Lane, after delay: Duration) -> Duration? {
        let now = server.time.now
        return state.withLock { state in
            guard state.isOpen, !state.isSilent else { return nil }
            // Moments that differ keep the order.
            let earliest = state.lastArrivals[lane].map { $0 + .nanoseconds(1) } ?? now
            let moment = max(earliest, now + delay)
            state.lastArrivals[lane] = moment
            return moment
        }
    }

    private func arrive(_ number: Int) {
        guard server.isOnline else {
            if isOpen { end(.lost) }
            return
        }
        let departure = state.withLock { state in
            let departure = state.departures.removeValue(forKey: number)
            if case .text(let bytes) = departure?.message { state.received += bytes.count }
            return departure
        }
        if let departure { inbox.put(departure.message) }
    }

    /// How a connection ends.
    enum End: Sendable {
        /// Without a close frame.
        case lost
        /// The server closes it.
        case closed(CloseCode)
        /// The server sends something that no client can read on after.
        case broken(TransportFaultKind)
    }

    /// Ends the connection. Some of the messages on their way still arrive. A reply does so if its command could otherwise take the
    /// end for a proof that it was not carried out.
    ///
    /// - Parameter end: nil if the client ends it.
    /// - Returns: false if it has ended before.
    @discardableResult
    func end(_ end: End?) -> Bool {
        let share = server.isOnline ? server.draw() : 0
        let arriving = state.withLock { state -> [Departure]? in
            guard state.isOpen else { return nil }
            state.isOpen = false
            state.subscriptions = [:]
            defer { state.departures = [:] }
            if state.isSilent { return [] }
            let departures = state.departures.values.sorted { $0.moment < $1.moment }
            let proof = departures.lastIndex { departure in
                departure.command.map { SimulatedServer.isProof(end, $0) } ?? false
            }
            let count = max(Int(share * Double(departures.count + 1)), proof.map { $0 + 1 } ?? 0)
            return Array(departures.prefix(count))
        }
        guard let arriving else { return false }
        server.forget(self)
        for departure in arriving { inbox.put(departure.message) }
        switch end {
        case nil: inbox.end(.success(.closed(.normal)))
        case .lost: inbox.end(.failure(TransportFault(.lost, evidence: .sent)))
        case .closed(let code): inbox.end(.success(.closed(code)))
        case .broken(let kind): inbox.end(.failure(TransportFault(kind, evidence: .sent)))
        }
        if let end { server.note("connection \(number) ends: \(end)") }
        return true
    }

    /// From now on, neither side hears of the other.
    func fallSilent() {
        let proofs = state.withLock { state in
            state.isSilent = true
            defer { state.departures = [:] }
            return state.departures.values.filter { departure in
                departure.command.map { SimulatedServer.isProof(.lost, $0) || SimulatedServer.isProofOfTime($0) }
                    ?? false
            }
        }
        for departure in proofs.sorted(by: { $0.moment < $1.moment }) { inbox.put(departure.message) }
    }
}

/// A subscription that a simulated server gives elements.
struct SimulatedSubscription: Sendable {
    let call: FrameCall
}
