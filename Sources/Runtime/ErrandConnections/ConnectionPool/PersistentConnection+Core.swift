import ErrandRuntime

// What a connection does with the effects of its state, under its lock.

extension PersistentConnection.Core {
    /// Whether a command may send its request now.
    func isAdmitting(at now: Duration) -> Bool { machine.isAdmitting(at: max(now, latest)) }

    /// The server has accepted the token of a grant.
    mutating func noteAccepted(_ grant: SessionSnapshot?) {
        renewals = 0
        presented = grant?.generation
        if refusedToken == grant?.tokens?.access { refusedToken = nil }
    }

    /// What the caller is to do. Only one task does what has an order.
    mutating func takeWork() -> PersistentConnection.Work {
        var work = PersistentConnection.Work(limit: changeTimer())
        if isPumping { return work }
        backlog = (count: 0, size: 0)
        guard !actions.isEmpty else { return work }
        isPumping = true
        swap(&work.actions, &actions)
        return work
    }

    /// Brings an event to the state, and notes what is to be done.
    mutating func handle(
        _ event: ConnectionEvent, _ arrival: PersistentConnection.ArrivedFrame?, at now: Duration,
        _ connection: PersistentConnection
    ) {
        latest = max(latest, now)
        machine.handle(event, at: latest, jitter: jitter, into: &effects)
        for effect in effects { note(effect, arrival, connection) }
        effects.removeAll(keepingCapacity: true)
        if !unsent.isEmpty { unsent = [] }
    }

    /// Brings something that has arrived to the state.
    mutating func receive(
        _ arrival: PersistentConnection.Arrival, _ number: Int, at now: Duration, _ connection: PersistentConnection
    ) {
        switch arrival {
        case .stray: handle(.stray(number), nil, at: now, connection)
        case .pong: handle(.pong(number), nil, at: now, connection)
        case .frame(let arrived):
            let frame = arrived.frame
            backlog.count += 1
            backlog.size += arrived.size
            guard let correlation = frame.correlation else {
                return handle(.notice(number), arrived, at: now, connection)
            }
            var isLast = true
            if let pending = requests[correlation]?.pending, pending.replies == .many {
                isLast = pending.meaning(of: frame.kind, failure: connection.rules.failure) != .reply
            }
            handle(.reply(correlation, isLast: isLast, size: arrived.size, number), arrived, at: now, connection)
        }
    }

    private mutating func note(
        _ effect: ConnectionEffect, _ arrival: PersistentConnection.ArrivedFrame?, _ connection: PersistentConnection
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
            if case .finished = machine.phase { endChannels() }
        case .refuse(let failure):
            actions.append(.refuse(TransportFault(failure, evidence: .notSent, last: lastFault)))
        case .ping(let number): if let link, link.number == number { actions.append(.ping(link)) }
        // At once: what is to be done may take long, and the server sends meanwhile.
        case .pauseReading(let number): if let link, link.number == number { link.pauseReading() }
        case .resumeReading(let number):
            if let link, link.number == number, let reader = link.resumeReading() { actions.append(.readOn(reader)) }
        case .close(let number, let code):
            if let opener, opener.number == number {
                actions.append(.abandon(opener.task))
                self.opener = nil
            }
            guard let link, link.number == number else { return }
            unsent = Set(takeBack(from: link).compactMap(\.correlation))
            noteGone()
            actions.append(.close(link, code))
        }
    }

    /// Ends the events of all followers.
    mutating func endChannels() {
        guard !channels.isEmpty else { return }
        actions.append(.endChannels(Array(channels.values)))
        channels = [:]
    }

    /// Takes the messages back that no one has begun to send over a connection that ends.
    mutating func takeBack(from link: ConnectionLink) -> [ConnectionLink.Outgoing] {
        var taken = link.takeBack()
        actions.removeAll { action in
            guard case .write(let target, let outgoing) = action, target === link else { return false }
            taken.append(outgoing)
            return true
        }
        return taken
    }

    /// Notes that the connection is gone.
    mutating func noteGone() {
        link = nil
        login = nil
        presented = nil
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
        let outgoing = ConnectionLink.Outgoing(
            correlation: correlation, message: message, endsWhenWritten: entry.pending.replies == .none)
        actions.append(.write(link, outgoing))
        if entry.pending.replies == .many { actions.append(.answer(entry.pending, .subscribed)) }
    }

    private mutating func deliver(
        _ arrival: PersistentConnection.ArrivedFrame, to correlation: UInt64, isLast: Bool,
        _ connection: PersistentConnection
    ) {
        guard let pending = requests[correlation]?.pending else { return }
        if isLast { requests[correlation] = nil }
        var response = TransportResponse(status: 200)
        switch (pending.meaning(of: arrival.frame.kind, failure: connection.rules.failure), pending.elements) {
        case (.reply, let elements?):
            append(arrival, to: elements)
        case (.reply, nil):
            response.body = Array(arrival.payload)
            response.frame = .reply
            if let number = link?.number, pending.login?.arrive(on: number) == true { login = number }
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

    /// Hands an element over, together with those before it of the same subscription.
    private mutating func append(_ arrival: PersistentConnection.ArrivedFrame, to buffer: FrameBuffer) {
        guard case .append(let last, var elements, let size) = actions.last, last === buffer else {
            return actions.append(.append(buffer, [arrival.payload], size: arrival.size))
        }
        // Taken out, so that there is one reference to the elements.
        actions.removeLast()
        elements.append(arrival.payload)
        actions.append(.append(buffer, elements, size: size + arrival.size))
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
        case .failed(let failure, let known):
            let evidence = unsent.contains(correlation) ? .notSent : known
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
