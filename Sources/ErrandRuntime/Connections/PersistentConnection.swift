/// One persistent connection: does what each step of its state says, and tells the state what came of it.
///
/// It belongs to a service at a URL, and to one login of one session, so that no request ever travels over a connection with another
/// login's token. Any number of clients and commands share it. `ConnectionState` decides; effects are carried out outside of the lock
/// and in their order, by one task at a time.
final class PersistentConnection: ConnectionHandle {
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
        var effects: [ConnectionEffect] = []
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
        /// The token with which the server has refused a handshake, so that a login can be made without it.
        var refusedToken: String?
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
        _ server: ServerAddress, _ route: ServiceRoute, _ description: ConnectionDescription, _ session: Session,
        epoch: Int?, _ surroundings: Surroundings
    ) {
        service = route.service
        rules = description
        url = server.base
        origin = server.origin
        self.epoch = epoch
        self.surroundings = surroundings
        listener = surroundings.transport as? any CommandListener
        format = FrameFormat(description)
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
        case append(FrameBuffer, ArraySlice<UInt8>, size: Int)
        case finish(FrameBuffer)
        case publish(any EventChannel, ArraySlice<UInt8>)
        case gap([any EventChannel])
        case drop(ConnectionReport.Reason, Frame?, ArraySlice<UInt8>)
        case admit
        case refuse(TransportFault)
        case ping(ConnectionLink)
        case pause(ConnectionLink)
        case resume(ConnectionLink)
        case close(ConnectionLink, CloseCode)
        case abandon(Task<Void, Never>)
        case endChannels([any EventChannel])
    }

    /// A frame that has just arrived.
    struct Arrival: Sendable {
        let frame: Frame
        let payload: ArraySlice<UInt8>
        let size: Int
    }

    /// Brings an event, and does what follows from it.
    func handle(_ event: ConnectionEvent, _ arrival: Arrival? = nil) {
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

    /// Does what is to be done, until nothing is left.
    func carryOut(_ work: Work) {
        var actions = work.actions
        while !actions.isEmpty {
            for action in actions { take(action) }
            actions = core.withLock { core in
                defer { core.actions = [] }
                if core.actions.isEmpty { core.isPumping = false }
                return core.actions
            }
        }
        if let limit = work.limit { setTimer(limit) }
    }

    private func take(_ action: Action) {
        switch action {
        case .write(let link, let outgoing):
            if link.push(outgoing), let correlation = outgoing.correlation {
                handle(.written(correlation, link.number))
            }
        case .answer(let pending, let outcome): pending.place.end(outcome)
        case .fail(let pending, let fault): pending.fail(fault)
        case .append(let buffer, let element, let size): buffer.append(element, size: size)
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
            link.keep(environment.startDetached { try? await link.connection.ping() })
        case .pause(let link): link.pauseReading()
        case .resume(let link): link.resumeReading()
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

extension PersistentConnection.Core {
    /// Whether a command may send its request now.
    func isAdmitting(at now: Duration) -> Bool { machine.isAdmitting(at: max(now, latest)) }

    /// What the caller is to do. Only one task does what has an order.
    mutating func takeWork() -> PersistentConnection.Work {
        var work = PersistentConnection.Work(limit: changeTimer())
        guard !isPumping, !actions.isEmpty else { return work }
        isPumping = true
        swap(&work.actions, &actions)
        return work
    }

    /// Brings an event to the state, and notes what is to be done.
    mutating func handle(
        _ event: ConnectionEvent, _ arrival: PersistentConnection.Arrival?, at now: Duration,
        _ connection: PersistentConnection
    ) {
        latest = max(latest, now)
        machine.handle(event, at: latest, jitter: jitter, into: &effects)
        for effect in effects { note(effect, arrival, connection) }
        effects.removeAll(keepingCapacity: true)
    }

    private mutating func note(
        _ effect: ConnectionEffect, _ arrival: PersistentConnection.Arrival?, _ connection: PersistentConnection
    ) {
        switch effect {
        case .open(let number, let isRepetition):
            // Each pause comes after an opening, so that each has a number of its own.
            jitter = connection.environment.chance.fraction()
            actions.append(.open(number, isRepetition: isRepetition))
        case .present(let number):
            guard let link, link.number == number else { return }
            if login == number { isPresentationDue = true } else { actions.append(.present(link)) }
        case .write(let correlation, let number): write(correlation, number)
        case .deliver(let correlation, let isLast):
            if let arrival { deliver(arrival, to: correlation, isLast: isLast, connection) }
        case .publish:
            guard let arrival else { return }
            if let channel = channels[arrival.frame.kind] {
                actions.append(.publish(channel, arrival.payload))
            } else {
                actions.append(.drop(.unfollowed, nil, []))
            }
        case .drop(let stray): actions.append(.drop(stray.reason, arrival?.frame, arrival?.payload ?? []))
        case .end(let correlation, let end): finish(correlation, end, connection)
        case .admit:
            actions.append(.admit)
            if case .finished = machine.phase, !channels.isEmpty {
                actions.append(.endChannels(Array(channels.values)))
                channels = [:]
            }
        case .refuse(let failure):
            actions.append(.refuse(TransportFault(failure, evidence: .notSent, last: lastFault)))
        case .ping(let number): if let link, link.number == number { actions.append(.ping(link)) }
        case .pauseReading(let number): if let link, link.number == number { actions.append(.pause(link)) }
        case .resumeReading(let number): if let link, link.number == number { actions.append(.resume(link)) }
        case .close(let number, let code):
            if let opener, opener.number == number {
                actions.append(.abandon(opener.task))
                self.opener = nil
            }
            guard let link, link.number == number else { return }
            noteGone()
            actions.append(.close(link, code))
        }
    }

    /// Notes that the connection is gone.
    mutating func noteGone() {
        link = nil
        login = nil
        isPresentationDue = false
        drops = DropCounts()
        if !channels.isEmpty { actions.append(.gap(Array(channels.values))) }
    }

    private mutating func write(_ correlation: UInt64, _ number: Int) {
        guard let link, link.number == number, let entry = requests[correlation], let message = entry.message else {
            return
        }
        // It isn't kept: a command that is sent again is written anew.
        requests[correlation]?.message = nil
        actions.append(.write(link, ConnectionLink.Outgoing(correlation: correlation, message: message)))
        if entry.pending.replies == .many { actions.append(.answer(entry.pending, .subscribed)) }
    }

    private mutating func deliver(
        _ arrival: PersistentConnection.Arrival, to correlation: UInt64, isLast: Bool,
        _ connection: PersistentConnection
    ) {
        guard let pending = requests[correlation]?.pending else { return }
        if isLast { requests[correlation] = nil }
        var response = TransportResponse(status: 200)
        switch (pending.meaning(of: arrival.frame.kind, failure: connection.rules.failure), pending.elements) {
        case (.reply, let elements?):
            actions.append(.append(elements, arrival.payload, size: arrival.size))
        case (.reply, nil):
            response.body = Array(arrival.payload)
            let number = link?.number ?? 0
            response.frame = .reply(on: number)
            if pending.isLogin { login = number }
            actions.append(.answer(pending, .response(response)))
        case (.end, let elements?): actions.append(.finish(elements))
        case (.failure, let elements):
            response.body = Array(arrival.payload)
            response.frame = .failure
            guard elements != nil else { return actions.append(.answer(pending, .response(response))) }
            let end = ConnectionEnd(isLoss: false, failure: response.body)
            actions.append(.fail(pending, TransportFault(.lost, evidence: .responded, end)))
        case (.wrong, _), (.end, nil):
            let end = ConnectionEnd(isLoss: false)
            actions.append(.fail(pending, TransportFault(.unreadable, evidence: .sent, end)))
            if pending.replies == .many { cancelOnServer(pending, correlation, connection) }
        }
    }

    private mutating func finish(
        _ correlation: UInt64, _ end: RequestEnd, _ connection: PersistentConnection
    ) {
        guard let pending = requests.removeValue(forKey: correlation)?.pending else { return }
        switch end {
        case .written:
            var response = TransportResponse(status: 200)
            response.frame = .written
            actions.append(.answer(pending, .response(response)))
        case .failed(.refused, _) where refusal != nil:
            guard var response = refusal else { return }
            response.frame = .handshake
            actions.append(.answer(pending, .response(response)))
        case .failed(.unpresented, let evidence):
            let fault = unpresented ?? TransportFault(.unpresented, evidence: evidence, last: nil)
            actions.append(.fail(pending, fault))
        case .failed(let failure, let evidence):
            actions.append(.fail(pending, TransportFault(failure, evidence: evidence, last: lastFault)))
        case .detached:
            actions.append(.fail(pending, TransportFault(.lost, evidence: .sent, ConnectionEnd())))
            cancelOnServer(pending, correlation, connection)
        }
    }

    /// Tells the server that nothing more of a subscription is wanted, if the contract has a frame for that.
    mutating func cancelOnServer(
        _ pending: PendingFrame, _ correlation: UInt64, _ connection: PersistentConnection
    ) {
        guard let link, let kind = pending.endpoint.stream?.cancel,
            let message = connection.format.message(kind, correlation: correlation, payload: nil)
        else { return }
        actions.append(.write(link, ConnectionLink.Outgoing(correlation: nil, message: message)))
    }
}

extension StrayFrame {
    var reason: ConnectionReport.Reason {
        switch self {
        case .late: .late
        case .unknown: .unknown
        case .unreadable: .unreadable
        }
    }
}
