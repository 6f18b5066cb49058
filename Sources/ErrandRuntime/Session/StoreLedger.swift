/// Who writes to the store, and what it was told last. Writes go one after the other and end with the
/// session there is: two at once could leave the older one in the store.
struct StoreLedger: Sendable {
    typealias Waiter = CheckedContinuation<Void, Never>

    private var keptGeneration = 0
    private var isWriting = false
    private var waiters: [Waiter] = []

    enum Turn {
        case write
        /// Somebody else does.
        case wait
        /// The store has what there is.
        case done
    }

    mutating func turn(_ generation: Int) -> Turn {
        if isWriting { return .wait }
        if keptGeneration == generation { return .done }
        isWriting = true
        return .write
    }

    /// False where there is nothing to wait for any more.
    mutating func join(_ waiter: Waiter) -> Bool {
        guard isWriting else { return false }
        waiters.append(waiter)
        return true
    }

    /// Whether the store has it.
    func isKept(_ generation: Int) -> Bool { !isWriting && keptGeneration == generation }

    mutating func noteKept(_ generation: Int) { keptGeneration = generation }

    /// Ends a write, and gives whom to wake.
    mutating func finish(_ generation: Int) -> [Waiter] {
        keptGeneration = generation
        isWriting = false
        defer { waiters = [] }
        return waiters
    }
}

extension Session {
    /// Comes back when the store has the session there is, or a later one.
    func persist() async {
        while true {
            let (turn, grant) = state.withLock { ($0.ledger.turn($0.basis.generation), $0.grant) }
            switch turn {
            case .done: return
            case .write:
                await store.save(grant.tokens)
                for waiter in state.withLock({ $0.ledger.finish(grant.generation) }) { waiter.resume() }
            case .wait:
                await withCheckedContinuation { waiter in
                    if !state.withLock({ $0.ledger.join(waiter) }) { waiter.resume() }
                }
            }
        }
    }
}
