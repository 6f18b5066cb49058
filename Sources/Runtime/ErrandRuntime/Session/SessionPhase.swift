/// The state of a session, for an app that wants to show the right screen.
public enum SessionPhase: Sendable, Hashable {
    /// No user is logged in.
    case loggedOut
    /// A user is logged in. The value is the user's identity, if the contract names its `identity`. It comes again, even with the
    /// same value, if another login takes the place of this one.
    case loggedIn(identity: String?)
    /// The session is being renewed, or the app is being asked for a login to go on with it.
    case renewing(identity: String?)
    /// The session is over and not yet renewed. Commands that wait for a login go on with the next one.
    case expired(identity: String?)
}

extension Session {
    /// The state of the session: as it is now, and then every change, until the task that follows is cancelled. Any
    /// number of tasks may follow. One that is slow to take what happened misses the oldest of it, never the newest.
    ///
    /// If a store keeps the session, the first value comes when the store has been read.
    public var states: AsyncStream<SessionPhase> {
        AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
            let id = change { $0.follow(continuation) }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.unfollow(id) }
            }
            load()
        }
    }
}

extension Session {
    /// The generation of the session: as it is now, and then each later one, also when new tokens change no state. While the session is
    /// being renewed, none comes. A reader that is slow misses all but the newest.
    package var generations: AsyncStream<Int> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = change { $0.followGenerations(continuation) }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.unfollow(id) }
            }
            load()
        }
    }

    package var isBeingRenewed: Bool { state.withLock { $0.renewal != nil } }

    /// The number of the login that there is, from 1, in this process; nil without one. A renewal keeps it.
    package var loginNumber: Int? { state.withLock { $0.epoch?.number } }
}

/// The readers of a session's phases and generations. All of it happens under the session's lock, so that no reader is told of two phases in
/// the wrong order.
struct PhaseFollowers: Sendable {
    private var streams: [(id: Int, stream: AsyncStream<SessionPhase>.Continuation)] = []
    private var generations: [(id: Int, stream: AsyncStream<Int>.Continuation)] = []
    private var nextID = 0
    private var last: (phase: SessionPhase, epoch: Int?)?
    private var lastGeneration: Int?

    mutating func add(_ stream: AsyncStream<SessionPhase>.Continuation) -> Int {
        nextID += 1
        streams.append((nextID, stream))
        if let last { stream.yield(last.phase) }
        return nextID
    }

    mutating func add(_ stream: AsyncStream<Int>.Continuation) -> Int {
        nextID += 1
        generations.append((nextID, stream))
        if let lastGeneration { stream.yield(lastGeneration) }
        return nextID
    }

    mutating func remove(_ id: Int) {
        streams.removeAll { $0.id == id }
        generations.removeAll { $0.id == id }
    }

    /// - Parameters:
    ///   - epoch: the login that the phase is of; nil without one.
    ///   - generation: nil while the session is being renewed.
    mutating func tell(_ phase: SessionPhase, of epoch: Int?, _ generation: Int?) {
        if let generation, generation != lastGeneration {
            lastGeneration = generation
            for follower in generations { follower.stream.yield(generation) }
        }
        if let last, last.phase == phase, last.epoch == epoch { return }
        last = (phase, epoch)
        for follower in streams { follower.stream.yield(phase) }
    }

    /// Ends all streams.
    func finish() {
        for follower in streams { follower.stream.finish() }
        for follower in generations { follower.stream.finish() }
    }
}
