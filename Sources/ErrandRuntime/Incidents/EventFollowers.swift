/// Those who follow something, each with a stream of its own. A stream keeps what its follower has not taken yet.
final class EventFollowers<Event: Sendable>: Sendable {
    private struct State {
        var followers: [Int: AsyncStream<Event>.Continuation] = [:]
        var nextID = 0
    }

    private let state = Guarded<State> { State() }

    /// What happens from now on, until the task that follows is cancelled or lets go of it.
    func stream() -> AsyncStream<Event> {
        AsyncStream { continuation in
            let id = state.withLock { state in
                state.nextID += 1
                state.followers[state.nextID] = continuation
                return state.nextID
            }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.followers.removeValue(forKey: id) }
            }
        }
    }

    func tell(_ event: Event) {
        // In the order in which they came: a run that is repeated with the same seed must not depend on hashing.
        for follower in state.withLock({ $0.followers }).sorted(by: { $0.key < $1.key }) { follower.value.yield(event) }
    }
}
