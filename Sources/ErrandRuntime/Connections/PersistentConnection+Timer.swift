extension PersistentConnection {
    /// Sets the limit at which the state wants to hear of the time.
    func setTimer() {
        let next = core.withLock { core -> (moment: Duration, replaced: Int?)? in
            guard let moment = core.machine.nextMoment, core.timer.map({ moment < $0.moment }) ?? true else {
                return nil
            }
            defer { core.timer = (moment, nil) }
            return (moment, core.timer?.id)
        }
        guard let next else { return }
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
        core.withLock { core in
            core.latest = max(core.latest, moment)
            if core.timer?.moment == moment { core.timer = nil }
        }
        handle(.time)
    }
}
