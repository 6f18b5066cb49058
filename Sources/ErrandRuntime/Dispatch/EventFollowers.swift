/// Those who follow something, each with a stream of its own.
final class EventFollowers<Event: Sendable>: Sendable {
    private struct State {
        /// In the order in which they came: a run that is repeated with the same seed must not depend on hashing.
        var followers: [(id: Int, stream: AsyncStream<Event>.Continuation)] = []
        var nextID = 0
    }

    private let state = LockedState<State> { State() }

    /// What happens from now on, until the task that follows is cancelled or lets go of it.
    ///
    /// - Parameters:
    ///   - keeping: how much of it a stream keeps that its follower has not taken yet.
    ///   - first: what the stream begins with. Asked for when nothing that is told from then on can be missed or come
    ///     before it.
    func stream(
        keeping: AsyncStream<Event>.Continuation.BufferingPolicy = .unbounded,
        startingWith first: (@Sendable () -> Event)? = nil
    ) -> AsyncStream<Event> {
        AsyncStream(bufferingPolicy: keeping) { continuation in
            let id = state.withLock { state in
                state.nextID += 1
                state.followers.append((state.nextID, continuation))
                if let first { continuation.yield(first()) }
                return state.nextID
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.followers.removeAll { $0.id == id } }
            }
        }
    }

    func tell(_ event: Event) {
        state.withLock { state in
            for follower in state.followers { follower.stream.yield(event) }
        }
    }
}
