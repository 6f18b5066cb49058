import ErrandRuntime

// What follows from the state, and from the time.

extension ConnectionState {
    /// The number of the connection that is there.
    var current: Int? {
        switch phase {
        case .presenting(let number), .open(let number), .draining(let number, _): number
        case .idle, .waiting, .opening, .finished: nil
        }
    }

    /// Whether a connection has a use.
    var isWanted: Bool { waiting > 0 || isFollowed || requests.count > 0 }

    /// Asks for a sign of life at once. What is to be sent waits for it, or is sent over the next connection.
    mutating func probe(at now: Duration, _ effects: inout [ConnectionEffect]) {
        // What the server says cannot be heard while it is held back, and one without pings need not know them.
        guard rules.pingInterval != nil, pausedSince == nil, !pulse.isProbing else { return }
        switch phase {
        case .presenting(let number), .open(let number):
            pulse.probe(at: now, rules)
            effects.append(.ping(number))
        case .idle, .waiting, .opening, .draining, .finished: break
        }
    }

    /// Whether a command that wants to send a request may do so now. Otherwise it waits at the gate until `admit`.
    package func isAdmitting(at now: Duration) -> Bool {
        switch phase {
        // Nothing wanted the connection when its pause began.
        case .idle: now >= pace.earliest
        case .waiting: false
        // A connection that may be dead costs no attempt.
        case .presenting, .open: !pulse.isProbing
        case .opening, .draining, .finished: true
        }
    }

    /// Whether a new state does what this one would do.
    package func isForgettable(at now: Duration) -> Bool {
        phase == .finished || (phase == .idle && !isWanted && now >= pace.earliest)
    }

    /// When `time` is to be handled next; nil if nothing depends on time.
    package var nextMoment: Duration? {
        switch phase {
        case .idle, .finished: return nil
        case .waiting(let until), .opening(_, let until), .draining(_, let until): return until
        case .presenting, .open: break
        }
        // Without reading, nothing is heard.
        if let pausedSince { return pausedSince + rules.maximumPause }
        var moment: Duration?
        if let interval = rules.pingInterval {
            moment = min(pulse.nextPing(after: interval), pulse.end(rules))
        }
        if let unusedSince, let unused = rules.unused {
            moment = min(moment ?? .seconds(1 << 40), unusedSince + unused)
        }
        return moment
    }
}
