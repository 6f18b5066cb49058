import ErrandRuntime

// What commands and followers ask of a connection.

extension PersistentConnection {
    /// Makes one attempt.
    func send(_ request: TransportRequest, _ facts: FrameFacts) async throws(TransportFault) -> TransportResponse {
        let (pending, correlation) = try begin(request, facts)
        switch await pending.place.value(ifCancelled: .cancelled) {
        case .response(let response): return response
        case .fault(let fault): throw fault
        case .cancelled:
            facts.abandoned.note(correlation)
            throw TransportFault(.cancelled, evidence: cancel(correlation, end: facts.end))
        case .subscribed: return TransportResponse(status: 200, stream: makeBody(pending, correlation))
        }
    }

    /// Brings a request to the connection. Not a part of `send`, which would keep room for all of this while it waits.
    @inline(never)
    private func begin(
        _ request: TransportRequest, _ facts: FrameFacts
    ) throws(TransportFault) -> (PendingFrame, UInt64) {
        let correlation = core.withLock { $0.machine.makeCorrelation() }
        guard
            let message = format.message(
                request.frame ?? facts.frame.kind, correlation: correlation, payload: request.body)
        else { throw TransportFault(.requestBody, evidence: .notSent) }
        listener?.noteCommand(of: request)
        let pending = PendingFrame(facts.endpoint, facts.frame.replies, facts.login)
        let frame = FrameRequest(
            correlation: correlation, replies: facts.frame.replies, waitsForSession: facts.grant != nil,
            isRepetition: facts.isRepetition, isLogin: facts.login != nil, size: message.count)
        step { core, now in
            core.requests[correlation] = Entry(pending: pending, message: message)
            if let grant = facts.grant, let presented = core.presented, presented < grant,
                service.session == nil || facts.hasFailedBefore
            {
                // As over HTTP, a command goes with the newest token. Another handshake takes another connection, so that is worth it only
                // where the server has refused something.
                core.presented = nil
                core.handle(.outdated, nil, at: now, self)
            }
            core.handle(.request(frame), nil, at: now, self)
        }
        return (pending, correlation)
    }

    /// Ends a request that nothing waits for any more.
    ///
    /// - Parameter end: when its time is over; nil for a subscription.
    /// - Returns: how far it got.
    @discardableResult @inline(never)
    private func cancel(_ correlation: UInt64, end: Duration? = nil) -> Evidence {
        let link = core.withLock { $0.link }
        let bytes = link?.connection.receivedByteCount ?? 0
        return step { core, now in
            guard let entry = core.requests.removeValue(forKey: correlation) else { return .sent }
            let isSent = entry.message == nil
            if isSent, entry.pending.replies == .many { core.cancelOnServer(entry.pending, correlation, self) }
            if let end, now >= end {
                // What has come of a long message shows that the server is there.
                if let link { core.handle(.received(link.number, bytes: bytes), nil, at: now, self) }
                core.handle(.timedOut(correlation), nil, at: now, self)
            } else {
                core.handle(.cancel(correlation), nil, at: now, self)
            }
            return isSent ? .sent : .notSent
        }
    }

    @inline(never)
    private func makeBody(_ pending: PendingFrame, _ correlation: UInt64) -> StreamedBody {
        guard let elements = pending.elements else { return StreamedBody([]) }
        return StreamedBody { () async throws(TransportFault) -> [UInt8]? in
            try await elements.next { self.handle(.consumed(correlation, size: $0)) }
        } cancel: {
            elements.cancel()
            self.cancel(correlation)
        }
    }

    // MARK: Late replies

    /// Hands a late reply to a command that has ended to what waits for it, once.
    func awaitLate(_ correlations: [UInt64], _ take: @escaping @Sendable (TransportResponse) -> Void) {
        let now = environment.time.now
        core.withLock { $0.late.add(correlations, take, at: now) }
    }

    /// Whether the reply was waited for.
    func deliverLate(_ frame: Frame?, _ payload: ArraySlice<UInt8>) -> Bool {
        guard let frame, let correlation = frame.correlation else { return false }
        let now = environment.time.now
        guard let take = core.withLock({ $0.late.take(correlation, at: now) }) else { return false }
        var response = TransportResponse(status: 200, body: Array(payload))
        response.frame = frame.kind == rules.failure ? .failure : .reply
        take(response)
        return true
    }

    // MARK: Events

    func follow<Event: ServerEvent>(_ type: Event.Type) -> EventStream<Event> {
        let now = environment.time.now
        let (channel, work, isTokenRefused) = core.withLock { core -> (TypedEventChannel<Event>, Work, Bool) in
            let channel: TypedEventChannel<Event>
            if let known = core.channels[Event.kind] as? TypedEventChannel<Event> {
                channel = known
            } else {
                channel = TypedEventChannel(maximumSize: rules.maximumBuffer)
                core.channels[Event.kind] = channel
            }
            core.followers += 1
            var isTokenRefused = false
            if core.followers == 1 {
                // In one step: what is refused from here on was presented for this follower.
                isTokenRefused = hasRefusedToken(core)
                core.handle(.followed, nil, at: now, self)
                if isTokenRefused, service.session == nil { core.handle(.renewed, nil, at: now, self) }
            }
            if case .finished = core.machine.phase { channel.finish() }
            return (channel, core.takeWork(), isTokenRefused)
        }
        let stream = channel.stream()
        carryOut(work)
        watchSession()
        // A token that is a part of the handshake cannot be presented once more on this connection.
        if isTokenRefused, service.session != nil { askForToken() }
        return EventStream(stream, EventFollowing(self))
    }

    func unfollow() {
        // In one step, or a follower that comes in between would count as none.
        let tasks = step { core, now -> [Task<Void, Never>] in
            core.followers -= 1
            guard core.followers == 0 else { return [] }
            core.channels = [:]
            core.handle(.unfollowed, nil, at: now, self)
            // What was asked for is given up, so that the next follower may ask for it again.
            if core.asking != nil {
                core.asked = nil
                core.renewals = 0
            }
            defer { (core.watcher, core.asking) = (nil, nil) }
            return [core.watcher, core.asking].compactMap { $0 }
        }
        for task in tasks { task.cancel() }
    }

    // MARK: The gate

    /// Whether a command may send its request now.
    func isAdmitting(isInTurn: Bool) -> Bool {
        let now = environment.time.now
        return core.withLock { $0.isAdmitting(at: now) && (isInTurn || $0.gate.isEmpty) }
    }

    /// Queues a waiter, or lets it through at once.
    ///
    /// - Returns: the ticket to leave with; nil if it was let through.
    func join(_ order: WaitingOrder, isRepetition: Bool, _ waiter: Waiter) -> Int? {
        let ticket = step { core, now -> Int? in
            if core.isAdmitting(at: now), core.gate.isEmpty { return nil }
            let ticket = core.gate.queue.insert(waiter, order)
            core.handle(.joined(isRepetition: isRepetition), nil, at: now, self)
            return ticket
        }
        guard let ticket else {
            waiter.end(.granted(.passed(nil)))
            return nil
        }
        // It may have been opened meanwhile.
        release()
        return ticket
    }

    /// Takes a waiter out that does not want to pass any more.
    func leave(_ ticket: Int) { takeOut { $0.gate.queue.remove(ticket) } }

    /// Takes a waiter out of the queue, and tells the state.
    @discardableResult
    private func takeOut(_ take: (inout Core) -> Waiter?) -> Waiter? {
        step { core, now in
            guard let waiter = take(&core) else { return nil }
            core.handle(.left, nil, at: now, self)
            return waiter
        }
    }

    /// Lets the waiters through, one when the one before is on its way.
    func release() {
        while true {
            let now = environment.time.now
            let next = takeOut { core in
                guard core.isAdmitting(at: now), !core.gate.isInTurn, let next = core.gate.queue.popFirst() else {
                    return nil
                }
                core.gate.isInTurn = true
                return next
            }
            guard let next else { return }
            let turn = GateTurn { [weak self] in
                self?.core.withLock { $0.gate.isInTurn = false }
                self?.release()
            }
            if next.end(.granted(.passed(turn))) { return }
            turn.discard()
            core.withLock { $0.gate.isInTurn = false }
        }
    }

    func refuseWaiters(_ fault: TransportFault) {
        while let next = takeOut({ $0.gate.queue.popFirst() }) { next.end(.granted(.refused(fault))) }
    }
}

/// The commands that wait for a connection to be opened again.
struct ConnectionGateQueue: Sendable {
    var queue = OrderedQueue<PersistentConnection.Waiter>()
    /// Whether one was let through whose turn is not over.
    var isInTurn = false

    var isEmpty: Bool { queue.isEmpty && !isInTurn }
}

/// The commands that have ended without a reply that may still come: the newest thousand, for a minute.
struct LateReplies: Sendable {
    typealias Take = @Sendable (TransportResponse) -> Void

    private static let capacity = 1_024
    private static let time = Duration.seconds(60)

    private struct Entry: Sendable {
        let correlations: [UInt64]
        let take: Take
        let until: Duration
    }

    private var entries: [Int: Entry] = [:]
    private var byCorrelation: [UInt64: Int] = [:]
    private var first = 0
    private var next = 0

    mutating func add(_ correlations: [UInt64], _ take: @escaping Take, at now: Duration) {
        entries[next] = Entry(correlations: correlations, take: take, until: now + Self.time)
        for correlation in correlations { byCorrelation[correlation] = next }
        next += 1
        while first < next, entries.count > Self.capacity || entries[first].map({ $0.until <= now }) ?? true {
            remove(first)
            first += 1
        }
    }

    mutating func take(_ correlation: UInt64, at now: Duration) -> Take? {
        guard let number = byCorrelation[correlation], let entry = entries[number] else { return nil }
        remove(number)
        return entry.until > now ? entry.take : nil
    }

    private mutating func remove(_ number: Int) {
        guard let entry = entries.removeValue(forKey: number) else { return }
        for correlation in entry.correlations { byCorrelation[correlation] = nil }
    }
}
