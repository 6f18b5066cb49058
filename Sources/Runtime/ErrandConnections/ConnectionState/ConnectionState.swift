import ErrandRuntime

/// The state of one persistent connection, and all steps that must be atomic.
///
/// A value without clock, tasks and sockets: an event and the time go in, and what is to be done comes out. Architecture invariant:
/// it never sends a request a second time. A request that was on a lost connection ends with true evidence of how far it got, and
/// its command decides what comes next, as after any other failed attempt. A request that was not sent waits for the next
/// connection.
package struct ConnectionState: Sendable {
    let rules: ConnectionRules
    package private(set) var phase = ConnectionPhase.idle
    /// How many connections were opened, or tried to.
    private var openings = 0
    private(set) var pace: OpeningPace
    private var openedAt: Duration = .zero
    /// Whether the server has accepted the session's token on this connection.
    private var isPresented = false
    /// Whether a login has followed the token that is being presented, so that the server's word about the token says nothing.
    private var isPresentationStale = false
    /// Whether a login was sent since, so that the server may take the connection for that of another user.
    private var isUserUnknown = false
    /// Whether an end of the session waits until the connection is drained.
    private var isFinishing = false
    /// How many commands wait at the gate.
    private(set) var waiting = 0
    /// Whether one of those that want the connection has not seen it fail.
    private var hasNewDemand = false
    private(set) var isFollowed = false
    var requests: RequestBoard
    // MARK: What an open connection does
    var pulse = ConnectionPulse()
    /// Since when the connection has had no use; nil while it has one.
    private(set) var unusedSince: Duration?
    /// Since when the server is held back.
    private(set) var pausedSince: Duration?
    private var strays = 0

    package init(_ rules: ConnectionRules = ConnectionRules()) {
        self.rules = rules
        pace = OpeningPace(rules.reconnect)
        requests = RequestBoard(rules)
    }

    /// A number for the next request. No later request gets the same one, not even on another connection, so that a late reply is
    /// never taken for the reply to another request.
    package mutating func makeCorrelation() -> UInt64 { requests.makeCorrelation() }

    /// How many requests are under way or wait for the connection.
    package var pendingCount: Int { requests.count }

    /// Handles one event.
    ///
    /// - Parameters:
    ///   - jitter: a random number, at least 0 and below 1.
    ///   - effects: gets what is to be done, in this order.
    package mutating func handle(
        _ event: ConnectionEvent, at now: Duration, jitter: Double, into effects: inout [ConnectionEffect]
    ) {
        switch event {
        case .joined(let isRepetition):
            waiting += 1
            if !isRepetition { hasNewDemand = true }
        case .left: waiting = max(0, waiting - 1)
        case .followed:
            isFollowed = true
            hasNewDemand = true
        case .unfollowed: isFollowed = false
        case .request(let request): accept(request, &effects)
        case .cancel(let correlation):
            requests.cancel(correlation)
            resume(at: now, &effects)
        case .timedOut(let correlation):
            if requests.isUnheard(since: correlation) { probe(at: now, &effects) }
            requests.cancel(correlation)
            resume(at: now, &effects)
        case .opened(let number, let access): noteOpened(number, access, at: now, &effects)
        case .openingFailed(let number, let failure, let retryAfter):
            guard case .opening(number, _) = phase else { return }
            failOpening(failure, retryAfter: retryAfter, at: now, jitter, &effects)
        case .presented(let number):
            guard case .presenting(number) = phase else { return }
            isPresented = !isPresentationStale
            isPresentationStale = false
            phase = .open(number)
            write(&effects)
        case .loggedIn(let number):
            guard current == number else { return }
            isPresented = !requests.isLoginUnderWay
            isPresentationStale = requests.isLoginUnderWay
            isUserUnknown = requests.isLoginUnderWay
            if case .presenting = phase { phase = .open(number) }
            write(&effects)
        case .presentationRefused(let number):
            guard case .presenting(number) = phase else { return }
            phase = .open(number)
            requests.failSession(.unpresented, into: &effects)
        case .renewed:
            // Commands present the new token when they come. Followers only wait.
            guard case .open(let number) = phase, isFollowed, !isPresented, !requests.isLoginUnderWay else { break }
            present(on: number, &effects)
        case .outdated: if case .open = phase { isPresented = false }
        case .unrenewed(let number):
            guard case .open(number) = phase, !isPresented else { break }
            drain(at: now, &effects)
            noteEnd(at: now, jitter)
        case .written(let correlation, let number):
            guard current == number else { return }
            requests.noteWritten(correlation, into: &effects)
            write(&effects)
        case .unwritten(let correlation, let number): if current == number { requests.noteUnwritten(correlation) }
        case .reply(let correlation, let isLast, let size, let number):
            guard current == number else { return }
            hear(at: now, &effects)
            receive(correlation, isLast: isLast, size: size, at: now, jitter, &effects)
        case .notice(let number):
            guard current == number else { return }
            hear(at: now, &effects)
            strays = 0
            effects.append(.publish)
        case .stray(let number):
            guard current == number else { return }
            hear(at: now, &effects)
            drop(.unreadable, at: now, jitter, &effects)
        case .pong(let number): if current == number { hear(at: now, &effects) }
        case .received(let number, let bytes): if current == number { noteBytes(bytes, at: now, &effects) }
        case .consumed(let correlation, let size):
            requests.noteConsumed(correlation, size)
            resume(at: now, &effects)
        case .closed(let number, let failure):
            guard current == number else { return }
            lose(failure, at: now, jitter, &effects)
        case .networkChanged: drain(at: now, &effects)
        case .finish:
            isFinishing = true
            if current != nil, requests.isAwaited { drain(at: now, &effects) } else { finish(&effects) }
        case .time: pass(now, jitter, &effects)
        }
        settle(at: now, &effects)
    }

    // MARK: Opening

    /// Opens a connection, or waits for the end of the pause before.
    private mutating func open(at now: Duration, _ effects: inout [ConnectionEffect]) {
        guard now >= pace.earliest else {
            phase = .waiting(until: pace.earliest)
            return
        }
        openings += 1
        phase = .opening(openings, until: now + rules.openingTime)
        // Nothing but its pauses bounds how often a connection is opened for followers, which no failure ends.
        effects.append(.open(openings, isRepetition: !hasNewDemand && !isFollowed))
        hasNewDemand = false
        effects.append(.admit)
    }

    private mutating func noteOpened(
        _ number: Int, _ access: ConnectionAccess, at now: Duration, _ effects: inout [ConnectionEffect]
    ) {
        guard case .opening(number, _) = phase else {
            // It comes too late.
            effects.append(.close(number, .normal))
            return
        }
        openedAt = now
        pulse.begin(at: now)
        strays = 0
        pausedSince = nil
        unusedSince = nil
        isPresented = access == .complete
        isPresentationStale = false
        isUserUnknown = false
        phase = .open(number)
        if access == .pending { present(on: number, &effects) }
        write(&effects)
    }

    private mutating func present(on number: Int, _ effects: inout [ConnectionEffect]) {
        isUserUnknown = false
        phase = .presenting(number)
        effects.append(.present(number))
    }

    /// Ends what waits for the connection: an attempt of each has failed.
    private mutating func failOpening(
        _ failure: ConnectionFailure, retryAfter: Duration?, at now: Duration, _ jitter: Double,
        _ effects: inout [ConnectionEffect]
    ) {
        phase = .idle
        pace.noteFailure(at: now, jitter: jitter)
        // All that want the connection have seen it fail.
        hasNewDemand = false
        if let retryAfter { pace.noteRequest(for: min(max(.zero, retryAfter), rules.maximumRetryAfter)) }
        requests.failAll(failure, into: &effects)
        if failure == .overBudget { effects.append(.refuse(failure)) }
    }

    /// Notes that a connection has ended that was open.
    private mutating func noteEnd(at now: Duration, _ jitter: Double) {
        if now - openedAt >= rules.settled { pace.begin(at: now) }
        pace.noteFailure(at: now, jitter: jitter)
    }

    // MARK: Requests

    private mutating func accept(_ request: FrameRequest, _ effects: inout [ConnectionEffect]) {
        if isFinishing {
            effects.append(.end(request.correlation, .failed(.finished, .notSent)))
            return
        }
        guard requests.insert(request) else {
            effects.append(.end(request.correlation, .failed(.full, .notSent)))
            return
        }
        if !request.isRepetition { hasNewDemand = true }
        write(&effects)
    }

    /// Hands requests to the transport, as many as it may have. None goes over a connection that may be dead.
    private mutating func write(_ effects: inout [ConnectionEffect]) {
        if pulse.isProbing { return }
        switch phase {
        case .presenting(let number):
            requests.write(on: number, withSession: false, into: &effects)
            if requests.isLoginUnderWay { (isPresentationStale, isUserUnknown) = (true, true) }
        case .open(let number):
            requests.write(on: number, withSession: isPresented, into: &effects)
            // Whatever comes of the login, the session's token is presented again, unless it is the login's.
            if requests.isLoginUnderWay { (isPresented, isUserUnknown) = (false, true) }
        case .idle, .waiting, .opening, .draining, .finished: break
        }
    }

    private mutating func receive(
        _ correlation: UInt64, isLast: Bool, size: Int, at now: Duration, _ jitter: Double,
        _ effects: inout [ConnectionEffect]
    ) {
        switch requests.receive(correlation, isLast: isLast, size: size) {
        case .delivered(let isOver):
            strays = 0
            effects.append(.deliver(correlation, isLast: isOver))
            if requests.isOverfull { holdBack(at: now, &effects) }
        case .late: effects.append(.drop(.late))
        case .unknown: drop(.unknown, at: now, jitter, &effects)
        }
    }

    /// Reads no more, until the readers have caught up.
    private mutating func holdBack(at now: Duration, _ effects: inout [ConnectionEffect]) {
        switch phase {
        case .presenting(let number), .open(let number):
            guard pausedSince == nil else { return }
            pausedSince = now
            effects.append(.pauseReading(number))
        // The replies that are under way have little time.
        case .draining: requests.detachSlow(into: &effects)
        case .idle, .waiting, .opening, .finished: break
        }
    }

    private mutating func drop(
        _ stray: StrayFrame, at now: Duration, _ jitter: Double, _ effects: inout [ConnectionEffect]
    ) {
        effects.append(.drop(stray))
        strays += 1
        guard strays >= rules.maximumStrays, let number = current else { return }
        effects.append(.close(number, .protocolError))
        lose(.fault(.unreadable), at: now, jitter, &effects)
    }

    /// Reads on if the readers have caught up.
    private mutating func resume(at now: Duration, _ effects: inout [ConnectionEffect]) {
        guard pausedSince != nil, let number = current, !requests.isOverfull else { return }
        pausedSince = nil
        // Nothing could be heard meanwhile.
        hear(at: now, &effects)
        pulse.notePing(at: now)
        effects.append(.resumeReading(number))
    }

    private mutating func hear(at now: Duration, _ effects: inout [ConnectionEffect]) {
        let wasProbing = pulse.isProbing
        pulse.hear(at: now)
        noteSign(wasProbing, &effects)
    }

    private mutating func noteBytes(_ bytes: Int, at now: Duration, _ effects: inout [ConnectionEffect]) {
        let wasProbing = pulse.isProbing
        if pulse.noteBytes(bytes, at: now, rules) { noteSign(wasProbing, &effects) }
    }

    /// The server is there. What was held back while it was asked goes on.
    private mutating func noteSign(_ wasProbing: Bool, _ effects: inout [ConnectionEffect]) {
        requests.noteSign()
        guard wasProbing else { return }
        write(&effects)
        effects.append(.admit)
    }

    // MARK: The end

    /// The connection is gone. What was sent over it has failed; what was not, waits for the next one.
    private mutating func lose(
        _ failure: ConnectionFailure, at now: Duration, _ jitter: Double, _ effects: inout [ConnectionEffect]
    ) {
        phase = .idle
        requests.failSent(failure, into: &effects)
        if isFinishing { return finish(&effects) }
        noteEnd(at: now, jitter)
    }

    /// Ends a connection that works, and opens another if it is wanted.
    private mutating func drain(at now: Duration, _ effects: inout [ConnectionEffect]) {
        switch phase {
        case .waiting:
            pace.endPause(at: now)
            phase = .idle
        case .opening(let number, _):
            effects.append(.close(number, .goingAway))
            phase = .idle
        case .presenting(let number), .open(let number):
            requests.detachSlow(into: &effects)
            resume(at: now, &effects)
            phase = .draining(number, until: now + rules.drainTime)
        case .idle: pace.endPause(at: now)
        case .draining, .finished: break
        }
    }

    private mutating func finish(_ effects: inout [ConnectionEffect]) {
        if let number = current { effects.append(.close(number, .normal)) }
        if case .opening(let number, _) = phase { effects.append(.close(number, .normal)) }
        requests.failSent(.finished, into: &effects)
        requests.failAll(.finished, into: &effects)
        phase = .finished
        effects.append(.admit)
    }

    // MARK: Time

    private mutating func pass(_ now: Duration, _ jitter: Double, _ effects: inout [ConnectionEffect]) {
        switch phase {
        case .idle, .finished, .draining: break
        case .waiting(let until): if now >= until { phase = .idle }
        case .opening(let number, let until):
            guard now >= until else { return }
            effects.append(.close(number, .goingAway))
            failOpening(.fault(.timeout), retryAfter: nil, at: now, jitter, &effects)
        case .presenting(let number), .open(let number): watch(number, now, jitter, &effects)
        }
    }

    /// Looks after an open connection.
    private mutating func watch(
        _ number: Int, _ now: Duration, _ jitter: Double, _ effects: inout [ConnectionEffect]
    ) {
        if let pausedSince {
            guard now >= pausedSince + rules.maximumPause else { return }
            requests.detachSlow(into: &effects)
            return resume(at: now, &effects)
        }
        if let interval = rules.pingInterval {
            if now >= pulse.end(rules) {
                effects.append(.close(number, .goingAway))
                return lose(.fault(.lost), at: now, jitter, &effects)
            }
            if now >= pulse.nextPing(after: interval) {
                pulse.notePing(at: now)
                effects.append(.ping(number))
            }
        }
        if let unusedSince, let unused = rules.unused, now >= unusedSince + unused {
            effects.append(.close(number, .normal))
            phase = .idle
            pace.begin(at: now)
        }
    }

    /// Takes the steps that follow from a changed state.
    private mutating func settle(at now: Duration, _ effects: inout [ConnectionEffect]) {
        if case .draining(let number, let until) = phase, now >= until || !requests.isAwaited {
            effects.append(.close(number, .goingAway))
            phase = .idle
            requests.failSent(.fault(.lost), into: &effects)
            if isFinishing { finish(&effects) }
        }
        // Followers must not hear another user either.
        if case .open(let number) = phase, !isPresented, !requests.isLoginUnderWay,
            isFollowed && isUserUnknown || requests.isSessionWanted
        {
            present(on: number, &effects)
        }
        if isWanted { unusedSince = nil } else if unusedSince == nil { unusedSince = now }
        if case .idle = phase, isWanted { open(at: now, &effects) }
    }
}
