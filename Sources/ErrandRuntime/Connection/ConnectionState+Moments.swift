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

    /// When the connection counts as lost if nothing more is heard.
    var silenceEnd: Duration {
        min(max(lastHeard, progress.moment) + rules.silence, lastHeard + rules.silence * rules.maximumSlowness)
    }

    /// Whether a command that wants to send a request may do so now. Otherwise it waits at the gate until `admit`.
    package func isAdmitting(at now: Duration) -> Bool {
        switch phase {
        // Nothing wanted the connection when its pause began.
        case .idle: now >= earliest
        case .waiting: false
        case .opening, .presenting, .open, .draining, .finished: true
        }
    }

    /// Whether a new state does what this one would do.
    package func isForgettable(at now: Duration) -> Bool {
        phase == .finished || (phase == .idle && !isWanted && now >= earliest)
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
            moment = min(max(lastHeard, lastPing) + interval, silenceEnd)
        }
        if let unusedSince, let unused = rules.unused {
            moment = min(moment ?? .seconds(1 << 40), unusedSince + unused)
        }
        return moment
    }
}
