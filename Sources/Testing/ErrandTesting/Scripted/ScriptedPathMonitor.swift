public import ErrandRuntime

/// A network that a test turns on and off.
public final class ScriptedPathMonitor: PathMonitor {
    private struct State {
        var path: NetworkPath
        /// In the order in which they came.
        var followers: [(id: Int, stream: AsyncStream<NetworkPath>.Continuation)] = []
        var nextID = 0
        var isClosed = false
    }

    private let state: LockedState<State>

    /// - Parameter path: what the network is like at first.
    public init(_ path: NetworkPath = .satisfied) {
        state = LockedState { State(path: path) }
    }

    deinit { close() }

    public var current: NetworkPath { state.withLock { $0.path } }

    /// Changes the network, and tells all followers.
    public func change(to path: NetworkPath) {
        let followers = state.withLock { state in
            state.path = path
            return state.followers.map(\.stream)
        }
        for follower in followers { follower.yield(path) }
    }

    /// The network goes.
    public func goAway() { change(to: .unsatisfied) }

    /// The network is back.
    public func comeBack() { change(to: .satisfied) }

    public func paths() -> AsyncStream<NetworkPath> {
        AsyncStream { continuation in
            let (id, path, isClosed) = state.withLock { state in
                state.nextID += 1
                if !state.isClosed { state.followers.append((state.nextID, continuation)) }
                return (state.nextID, state.path, state.isClosed)
            }
            continuation.yield(path)
            if isClosed { continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.followers.removeAll { $0.id == id } }
            }
        }
    }

    /// Ends the sequences of all followers: nothing will change any more.
    public func close() {
        let followers = state.withLock { state in
            state.isClosed = true
            defer { state.followers = [] }
            return state.followers.map(\.stream)
        }
        for follower in followers { follower.finish() }
    }
}
