import ErrandRuntime

/// One persistent connection: does what each step of its state says, and tells the state what came of it.
///
/// It belongs to a service at a URL, and to one login of one session, so that no request ever travels over a connection with another
/// login's token. Any number of clients and commands share it. `ConnectionState` decides; effects are carried out outside of the lock
/// and in their order, by one task at a time.
final class PersistentConnection: CommandConnection {
    typealias Waiter = GateWaiter<ConnectionPass>

    /// What every connection of a dispatcher needs. It doesn't retain the dispatcher.
    struct Surroundings: Sendable {
        let transport: any MessageTransport
        let environment: DispatcherEnvironment
        let timeLimits: TimeLimits
        let budget: RetryTokens
        let observers: ObserverList?
        /// The longest message, in bytes.
        let maximumMessageSize: Int
    }

    let service: ServiceDescription
    let rules: ConnectionDescription
    let format: FrameFormat
    let url: String
    let origin: Origin
    /// The keys that the server may have; nil for any.
    let pins: PublicKeyPins?
    /// The number of the login that it belongs to; nil for a service without sessions.
    let epoch: Int?
    let surroundings: Surroundings
    /// A transport of tests, which learns what it carries.
    let listener: (any CommandListener)?
    /// The places of commands, and those of subscriptions, which are open for long and must leave room for commands.
    let places: ConcurrencyLimiter
    let subscriptionPlaces: ConcurrencyLimiter
    let core: LockedState<Core>

    /// How many subscriptions may be open.
    private static let maximumSubscriptions = 256

    struct Core {
        var machine: ConnectionState
        /// What is to be done, in this order.
        var actions: [Action] = []
        var isPumping = false
        /// What has arrived and led to actions that no one has taken yet: elements that arrive together become one action.
        var backlog = (count: 0, size: 0)
        /// Reads on, once what was read before is being done.
        var reader: (@Sendable () -> Void)?
        var effects: [ConnectionEffect] = []
        /// The requests of the step under way whose frames were taken back from the connection that it closes.
        var unsent: Set<UInt64> = []
        /// The random number of the next pause.
        var jitter = 0.0
        /// The latest time that the state has heard of. It never goes back, also under a clock whose sleeps take no time.
        var latest = Duration.zero
        var requests: [UInt64: Entry] = [:]
        var link: ConnectionLink?
        var opener: (number: Int, task: Task<Void, Never>)?
        /// The fault, and the refusal, of the last opening that has failed.
        var lastFault: TransportFault?
        var refusal: TransportResponse?
        /// The token that the server has refused, in a handshake or in a frame. A login is made without it, and followers need another.
        var refusedToken: String?
        /// The generation of the session whose token the server has accepted on the connection that there is; nil without one.
        var presented: Int?
        /// How often followers have asked for another token since the server has accepted one.
        var renewals = 0
        /// The generation of the session after which they have asked for another one, and when.
        var asked: (generation: Int, moment: Duration)?
        /// Waits for what they have asked for.
        var asking: Task<Void, Never>?
        /// Follows the session while there are followers of events, which send nothing that would ask for its token.
        var watcher: Task<Void, Never>?
        /// Why the server has refused the token.
        var unpresented: TransportFault?
        var gate = ConnectionGateQueue()
        /// The limit that is set; its id is not known yet while it is being set.
        var timer: (moment: Duration, id: Int?)?
        var channels: [String: any EventChannel] = [:]
        var followers = 0
        var drops = DropCounts()
        /// The connection on which a login has succeeded whose token isn't the session's yet. Nothing is presented meanwhile.
        var login: Int?
        var isPresentationDue = false
        var late = LateReplies()
        weak var session: Session?
        weak var route: ServiceRoute?
    }

    /// A request that isn't over.
    struct Entry: Sendable {
        let pending: PendingFrame
        /// Its frame, until the transport has it.
        var message: [UInt8]?
    }

    init(
        to server: ServerAddress, _ route: ServiceRoute, _ description: ConnectionDescription, _ format: FrameFormat,
        of session: Session, epoch: Int?, _ surroundings: Surroundings
    ) {
        service = route.service
        rules = description
        url = server.base
        origin = server.origin
        pins = server.pins
        self.epoch = epoch
        self.surroundings = surroundings
        listener = surroundings.transport as? any CommandListener
        self.format = format
        places = ConcurrencyLimiter(limit: description.maximumPending)
        subscriptionPlaces = ConcurrencyLimiter(limit: Self.maximumSubscriptions)
        let bounds = ConnectionRules(
            pingInterval: description.ping, silence: description.silence, unused: description.unused,
            reconnect: description.reconnect,
            // Its places bound it; logins and presentations take none.
            maximumPending: description.maximumPending + 2 * Self.maximumSubscriptions,
            maximumBuffered: description.maximumBuffer)
        core = LockedState {
            var core = Core(machine: ConnectionState(bounds))
            core.session = session
            core.route = route
            return core
        }
    }

    var environment: DispatcherEnvironment { surroundings.environment }
    var presented: Int? { core.withLock { $0.presented } }

    /// The places of requests with so many replies.
    func places(for replies: FrameDescription.Replies) -> ConcurrencyLimiter {
        replies == .many ? subscriptionPlaces : places
    }

    // MARK: Steps

    /// A step that an effect asks for, with all that it needs.
    enum Action: Sendable {
        case open(Int, isRepetition: Bool)
        case present(ConnectionLink)
        case write(ConnectionLink, ConnectionLink.Outgoing)
        case answer(PendingFrame, PendingFrame.Outcome)
        case fail(PendingFrame, TransportFault)
        /// Hands elements over that have arrived together.
        case append(FrameBuffer, [ArraySlice<UInt8>], size: Int)
        case finish(FrameBuffer)
        case publish(any EventChannel, ArraySlice<UInt8>)
        case gap([any EventChannel])
        case drop(ConnectionReport.Reason, Frame?, ArraySlice<UInt8>)
        case admit
        case refuse(TransportFault)
        case ping(ConnectionLink)
        case readOn(@Sendable () -> Void)
        case close(ConnectionLink, CloseCode)
        case abandon(Task<Void, Never>)
        case endChannels([any EventChannel])
    }

    /// Something that has just arrived.
    enum Arrival: Sendable {
        case frame(ArrivedFrame)
        /// No frame of the contract.
        case stray
        case pong
    }

    /// A frame that has just arrived.
    struct ArrivedFrame: Sendable {
        let frame: Frame
        let payload: ArraySlice<UInt8>
        let size: Int
    }

    /// Brings an event, and does what follows from it.
    func handle(_ event: ConnectionEvent, _ arrival: ArrivedFrame? = nil) {
        step { core, now in core.handle(event, arrival, at: now, self) }
    }

    /// Takes steps under the lock, and does what follows from them.
    @discardableResult
    func step<Value: Sendable>(_ body: (inout Core, _ now: Duration) -> Value) -> Value {
        let now = environment.time.now
        let (value, work) = core.withLock { core -> (Value, Work) in
            let value = body(&core, now)
            return (value, core.takeWork())
        }
        carryOut(work)
        return value
    }

    /// What a step leaves to be done without the lock.
    struct Work: Sendable {
        /// What is to be done in its order; none while another task does so.
        var actions: [Action] = []
        var limit: TimerChange?
    }

    /// How often a task looks for more to do before another one goes on. A task of a command, or a thread of a transport, must not be
    /// kept by a server that sends more all the time.
    private static let maximumRounds = 16

    /// Does what is to be done. Others add to it meanwhile.
    func carryOut(_ work: Work) {
        if let limit = work.limit { setTimer(limit) }
        let rest = pump(work.actions)
        if rest.isEmpty { return }
        _ = environment.startDetached {
            var rest = rest
            while !rest.isEmpty {
                rest = self.pump(rest)
                await Task.yield()
            }
        }
    }

    /// Does what is to be done, for a bounded time.
    ///
    /// - Returns: what the caller has to see done before anything else; nothing if there is no more.
    private func pump(_ first: [Action]) -> [Action] {
        var actions = first
        for _ in 0..<Self.maximumRounds where !actions.isEmpty {
            for action in actions { take(action) }
            let (next, reader) = core.withLock { core -> ([Action], (@Sendable () -> Void)?) in
                defer {
                    (core.actions, core.reader) = ([], nil)
                    core.backlog = (count: 0, size: 0)
                }
                if core.actions.isEmpty { core.isPumping = false }
                return (core.actions, core.reader)
            }
            reader?()
            actions = next
        }
        return actions
    }

    private func take(_ action: Action) {
        switch action {
        case .write(let link, let outgoing):
            if link.push(outgoing), let correlation = outgoing.correlation {
                handle(.written(correlation, link.number))
            }
        case .answer(let pending, let outcome): pending.place.end(outcome)
        case .fail(let pending, let fault): pending.fail(fault)
        case .append(let buffer, let elements, let size): buffer.append(elements, size: size)
        case .finish(let buffer): buffer.finish()
        case .publish(let channel, let payload):
            if !channel.publish(Array(payload)) { reportDrop(.malformed) }
        case .gap(let channels): for channel in channels { channel.publishGap() }
        case .drop(let reason, let frame, let payload):
            if reason != .late || !deliverLate(frame, payload) { reportDrop(reason) }
        case .open(let number, let isRepetition): open(number, isRepetition: isRepetition)
        case .present(let link): present(on: link)
        case .admit: release()
        case .refuse(let fault): refuseWaiters(fault)
        case .ping(let link):
            link.keep(environment.startDetached { try? await link.connection.ping() }, for: .ping)
        case .readOn(let reader): reader()
        case .close(let link, let code): close(link, code)
        case .abandon(let task): task.cancel()
        case .endChannels(let channels): for channel in channels { channel.finish() }
        }
    }

    // MARK: Reports

    func report(_ kind: ConnectionReport.Kind) {
        surroundings.observers?.tell(
            ConnectionReport(service: service.name, origin: origin, moment: environment.time.now, kind: kind))
    }

    func reportDrop(_ reason: ConnectionReport.Reason) {
        guard surroundings.observers != nil else { return }
        if let count = core.withLock({ $0.drops.note(reason) }) { report(.dropped(reason, count: count)) }
    }
}

/// How often messages were dropped over one connection, so that a server that sends many makes few reports.
struct DropCounts: Sendable {
    private var counts: [ConnectionReport.Reason: Int] = [:]

    /// Counts one more. Nil if it isn't reported.
    mutating func note(_ reason: ConnectionReport.Reason) -> Int? {
        let count = counts[reason, default: 0] + 1
        counts[reason] = count
        return count <= 8 || count & (count - 1) == 0 ? count : nil
    }
}
