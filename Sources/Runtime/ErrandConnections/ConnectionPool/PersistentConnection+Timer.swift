import ErrandRuntime

extension PersistentConnection {
    /// A limit to be set, in place of another one.
    struct TimerChange: Sendable {
        let moment: Duration
        let replaced: Int?
    }

    /// Sets the limit at which the state wants to hear of the time.
    func setTimer(_ next: TimerChange) {
        let id = surroundings.timeLimits.set(at: next.moment) { [weak self] in self?.pass(next.moment) }
        let isWanted = core.withLock { core in
            // It may have passed already, and another task may have set an earlier one.
            guard let timer = core.timer, timer.moment == next.moment, timer.id == nil else { return false }
            core.timer = (next.moment, id)
            return true
        }
        for id in [next.replaced, isWanted ? nil : id] { if let id { surroundings.timeLimits.drop(id) } }
    }

    private func pass(_ moment: Duration) {
        let link = core.withLock { core in
            core.latest = max(core.latest, moment)
            if core.timer?.moment == moment { core.timer = nil }
            return core.link
        }
        let bytes = link?.connection.receivedByteCount ?? 0
        step { core, now in
            if let link { core.handle(.received(link.number, bytes: bytes), nil, at: now, self) }
            core.handle(.time, nil, at: now, self)
        }
    }
}

extension PersistentConnection.Core {
    /// The limit to be set; nil if the one that is set passes early enough.
    mutating func changeTimer() -> PersistentConnection.TimerChange? {
        guard let moment = machine.nextMoment, timer.map({ moment < $0.moment }) ?? true else { return nil }
        defer { timer = (moment, nil) }
        return PersistentConnection.TimerChange(moment: moment, replaced: timer?.id)
    }
}
