public import ErrandRuntime
import ErrandService

/// A server for any contract, without code of its own for the contract. It responds to each command with a made-up payload that
/// the generated reader accepts. It gives tokens to logins and accepts them afterwards, refuses requests without a session with
/// the contract's own error, recognizes requests by their idempotency key, and keeps a ledger of the commands that it has
/// carried out.
///
/// A test sets its other behavior: `next`, `on`, `fail`, `expireSessions`, `isDown`, `faults`.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
public final class SimulatedServer: Transport {
    /// A test's response to a command.
    public typealias Handler = @Sendable (SimulatedCall) throws -> TransportResponse

    struct State: Sendable {
        var chance: SeededGenerator
        var faults = FaultPlan.none
        var latency = Duration.milliseconds(5)...Duration.milliseconds(50)
        var isDown = false
        var desk = TokenIssuer()
        var handlers: [ObjectIdentifier: Handler] = [:]
        /// Errors and outcomes to respond with, by command: the verdict, and how often, nil for always.
        var refusals: [ObjectIdentifier: (verdict: Verdict, times: Int?)] = [:]
        /// The scripts for the next requests, by command.
        var script: [ObjectIdentifier: [ServerTurn]] = [:]
        var received: [LedgerEntry] = []
        var carriedOut: [LedgerEntry] = []
        var counts: [String: Int] = [:]
        /// The responses to idempotency keys, by endpoint and key.
        var settled = KeyLedger<String, TransportResponse>()
        /// How many elements the list of a paged command has.
        var listLengths: [ObjectIdentifier: Int] = [:]
        /// The reads that find out whether a command was carried out, and the endpoint of that command.
        var confirmations: [ObjectIdentifier: String] = [:]
        var hub = ConnectionHub()
    }

    let state: LockedState<State>
    let time: ServerTime
    let events: EventLog
    let network: ScriptedPathMonitor

    /// A server outside of a simulation: its time is that of the system, and requests and responses arrive at once. `SimulatedHost` puts it
    /// on a socket.
    ///
    /// - Parameter seed: determines the faults and the latency; nil for the one in the environment variable `ERRAND_SEED`, or a new
    ///   one. It is printed.
    public convenience init(seed: UInt64? = nil) {
        let seeds = seed.map { [$0] } ?? SimulationSeeds.pick(1)
        print(SimulationSeeds.announcement(seeds))
        let time = ServerTime()
        self.init(seed: seeds.first ?? 0, time, EventLog(time), ScriptedPathMonitor())
        latency = .zero ... .zero
    }

    init(seed: UInt64, _ time: ServerTime, _ events: EventLog, _ network: ScriptedPathMonitor) {
        self.time = time
        self.events = events
        self.network = network
        state = LockedState { State(chance: SeededGenerator(seed: seed ^ 0x5E4E_11AA)) }
    }

    /// There is no TLS, so no server has another key.
    public var enforcesPins: Bool { true }

    /// The connections of contracts with frames. It is never nil.
    public var messageTransport: (any MessageTransport)? { SimulatedMessageTransport(server: self) }

    // MARK: What goes wrong

    /// The faults of the network from now on. The default has no faults.
    public var faults: FaultPlan {
        get { state.withLock { $0.faults } }
        set { state.withLock { $0.faults = newValue } }
    }

    /// Whether the server is down: connections are refused, and those that are open end.
    public var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set {
            state.withLock { $0.isDown = newValue }
            if newValue { endConnections(.lost) }
        }
    }

    /// How long a request takes to reach the server, and its response to reach the client. The seed chooses both.
    public var latency: ClosedRange<Duration> {
        get { state.withLock { $0.latency } }
        set { state.withLock { $0.latency = newValue } }
    }

    // MARK: Sessions

    /// Forgets all sessions. The server then refuses requests with their tokens.
    ///
    /// - Parameter refreshTokens: whether they cannot be renewed either.
    public func expireSessions(refreshTokens: Bool = false) {
        events.note("sessions expire")
        state.withLock { $0.desk.revokeAll(refreshTokens: refreshTokens) }
    }

    /// Forgets all sessions after a while, in virtual time.
    public func expireSessions(after pause: Duration, refreshTokens: Bool = false) {
        time.start { [weak self] in
            guard let moment = self.map({ $0.time.now + pause }) else { return }
            try? await self?.time.sleep(until: moment)
            self?.expireSessions(refreshTokens: refreshTokens)
        }
    }

    /// Accepts a token from now on that it has not given out itself.
    public func accept(token: String) {
        state.withLock { $0.desk.accept(token) }
    }

    /// How long tokens last if the contract tells the client, an hour at first.
    public var tokenLifetime: Duration {
        get { state.withLock { $0.desk.lifetime } }
        set { state.withLock { $0.desk.lifetime = newValue } }
    }

    /// The user of the logins from now on, 1 at first, if the contract tells the client who logs in. Logins of one user
    /// continue a session, and a login of another user starts a new one.
    public var user: Int {
        get { state.withLock { $0.desk.user } }
        set { state.withLock { $0.desk.user = newValue } }
    }

    // MARK: Answers

    /// Responds to a command's requests with a closure from now on. The server still manages sessions and keys.
    public func on<C: Command>(_ type: C.Type, _ handler: @escaping Handler) {
        state.withLock { $0.handlers[ObjectIdentifier(type)] = handler }
    }

    /// Gives the list of a paged command this number of elements. The server responds with pages that fit together, with as
    /// many elements as the request asks for, or 10.
    public func list<C: PagedCommand>(of type: C.Type, hasElements count: Int) {
        state.withLock { $0.listLengths[ObjectIdentifier(type)] = max(0, count) }
    }

    /// How many elements such a list has at first.
    static let usualListLength = 25

    /// Responds to a command with an error of its contract.
    ///
    /// - Parameters:
    ///   - error: the error's name in the contract.
    ///   - times: how often; nil for always.
    /// - Throws: `UnknownContractError` if the command has no response with such an error.
    public func fail<C: Command>(_ type: C.Type, with error: String, times: Int? = nil) throws {
        let name = C.endpoint.service.errors.first { $0.name == error }?.declaredName
        let isKnown =
            name.map { name in ResponseCatalog.shared.withLock { $0.refusal(.error(name), of: type) != nil } } ?? false
        guard let name, isKnown else {
            throw UnknownContractError(endpoint: C.endpoint.fullName, error: error, known: errors(of: type))
        }
        state.withLock { $0.refusals[ObjectIdentifier(type)] = (.error(name), times) }
    }

    /// Responds to a command with an outcome of its contract.
    ///
    /// - Parameters:
    ///   - outcome: the outcome's name in the contract.
    ///   - times: how often; nil for always.
    /// - Throws: `UnknownContractError` if the command has no response with such an outcome.
    public func answer<C: Command>(_ type: C.Type, withOutcome outcome: DeclaredName, times: Int? = nil) throws {
        guard ResponseCatalog.shared.withLock({ $0.refusal(.outcome(outcome), of: type) != nil }) else {
            throw UnknownContractError(
                endpoint: C.endpoint.fullName, error: outcome.description, known: C.endpoint.table.outcomes)
        }
        state.withLock { $0.refusals[ObjectIdentifier(type)] = (.outcome(outcome), times) }
    }

    /// Answers a command by itself again.
    public func reset<C: Command>(_ type: C.Type) {
        state.withLock { state in
            state.handlers[ObjectIdentifier(type)] = nil
            state.refusals[ObjectIdentifier(type)] = nil
            state.script[ObjectIdentifier(type)] = nil
        }
    }

    /// Lets go of all closures.
    func forgetHandlers() {
        state.withLock { state in
            state.handlers = [:]
            state.hub = ConnectionHub()
        }
    }

    /// The server's own response to a command.
    ///
    /// - Throws: if no payload is found that the command's reader accepts.
    public func answer<C: Command>(to type: C.Type) throws -> TransportResponse {
        try ResponseCatalog.shared.withLock { book in Result { try book.success(of: type) } }.get()
    }

    /// The server's response to a command with an error of its contract, by the error's name; nil if no response can express
    /// it.
    public func answer<C: Command>(to type: C.Type, error: String) -> TransportResponse? {
        guard let name = C.endpoint.service.errors.first(where: { $0.name == error })?.declaredName else { return nil }
        return ResponseCatalog.shared.withLock { $0.refusal(.error(name), of: type) }
    }

    /// The names of the contract's errors that a response to a command can express.
    public func errors<C: Command>(of type: C.Type) -> [String] {
        ResponseCatalog.shared.withLock { $0.errors(of: type) }.map(\.description)
    }

    // MARK: The ledger

    /// All requests that have reached the server, regardless of their results.
    public var received: [LedgerEntry] { state.withLock { $0.received } }

    /// Everything that the server has carried out. A request known by its key appears once.
    public var carriedOut: [LedgerEntry] { state.withLock { $0.carriedOut } }

    /// The requests of one command that have reached the server, regardless of their results.
    public func received<C: Command>(_ type: C.Type) -> [LedgerEntry] {
        received.filter { $0.endpoint == C.endpoint.fullName }
    }

    /// The requests of one command that the server has carried out.
    public func carriedOut<C: Command>(_ type: C.Type) -> [LedgerEntry] {
        carriedOut.filter { $0.endpoint == C.endpoint.fullName }
    }
}

extension DecisionTable {
    /// The names of the outcomes.
    fileprivate var outcomes: [String] {
        rows.compactMap { if case .outcome(let name) = $0.verdict { name.description } else { nil } }
    }
}

extension EndpointDescription {
    /// Service and endpoint, as `TransportRequest.endpoint` and the ledger have them.
    var fullName: String { "\(service.name).\(name)" }
}
