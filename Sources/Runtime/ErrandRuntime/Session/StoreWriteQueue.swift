/// Which write to the store is under way, and what the store was told last. Writes go one after the other and end with the
/// session there is: two at once could leave the older one in the store.
struct StoreWriteQueue: Sendable {
    private var keptGeneration = 0
    private var isWriting = false
    private var waiters: [(place: Suspension<Void>, generation: Int)] = []

    /// Ends the wait when the store has this generation, or a later one.
    ///
    /// - Returns: whether the caller has to write.
    mutating func join(_ place: Suspension<Void>, _ generation: Int) -> Bool {
        if keptGeneration >= generation, !isWriting {
            _ = place.end(())
            return false
        }
        waiters.append((place, generation))
        defer { isWriting = true }
        return !isWriting
    }

    /// Removes a cancelled caller's wait. The session that it wanted to store is stored nevertheless.
    mutating func leave(_ place: Suspension<Void>) { waiters.removeAll { $0.place === place } }

    /// Whether the store has it.
    func isKept(_ generation: Int) -> Bool { !isWriting && keptGeneration == generation }

    mutating func noteKept(_ generation: Int) { keptGeneration = generation }

    /// Ends a write, and gives whom to wake.
    ///
    /// - Parameter latest: the current generation. If it is another one, it is written next.
    mutating func finish(_ generation: Int, latest: Int) -> [Suspension<Void>] {
        keptGeneration = generation
        isWriting = generation != latest
        defer { waiters.removeAll { $0.generation <= generation } }
        return waiters.filter { $0.generation <= generation }.map(\.place)
    }
}

extension Session {
    /// Comes back when the store has the session there is, or a later one, or the caller is cancelled. The store is told by
    /// a task of its own: a slow store does not hold up a cancelled caller.
    ///
    /// - Parameter dispatcher: whose command waits. It waits as long as for a person, and goes on with the session in memory.
    func persist(for dispatcher: Dispatcher? = nil) async {
        guard isKept else {
            return state.withLock { $0.ledger.noteKept($0.basis.generation) }
        }
        let place = Suspension<Void>()
        if state.withLock({ $0.ledger.join(place, $0.basis.generation) }) {
            _ = starter { await self.write() }
        }
        let timer = dispatcher.map { dispatcher in
            let end = dispatcher.environment.time.now + dispatcher.settings.patience
            return dispatcher.timeLimits.set(at: end) { place.end(()) }
        }
        await place.value(ifCancelled: ())
        if let timer { dispatcher?.timeLimits.drop(timer) }
        // Nothing is left to remove, unless the caller comes back early.
        state.withLock { $0.ledger.leave(place) }
    }

    private func write() async {
        var isBehind = true
        while isBehind {
            let grant = state.withLock { $0.grant }
            await store.save(grant.tokens)
            let (woken, isStillBehind) = state.withLock { state in
                let woken = state.ledger.finish(grant.generation, latest: state.basis.generation)
                return (woken, state.basis.generation != grant.generation)
            }
            isBehind = isStillBehind
            for place in woken { _ = place.end(()) }
        }
    }
}
