import ErrandRuntime
import ErrandTesting

/// What several simulated processes keep their session in, with a lock that they take in turns.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
final class SharedDrawer: Sendable {
    let simulation: Simulation
    private let state = LockedState<(tokens: SessionTokens?, isLocked: Bool)> { (nil, false) }

    init(_ simulation: Simulation) { self.simulation = simulation }

    var tokens: SessionTokens? {
        get { state.withLock { $0.tokens } }
        set { state.withLock { $0.tokens = newValue } }
    }

    /// False for a task that was canceled while it waited.
    func lock() async -> Bool {
        while !state.withLock({ state in
            defer { state.isLocked = true }
            return !state.isLocked
        }) {
            if Task.isCancelled { return false }
            await simulation.sleep(for: .milliseconds(1))
        }
        return true
    }

    func unlock() { state.withLock { $0.isLocked = false } }
}

/// The store of one such process. Reading and writing take time.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
final class DrawerStore: SessionStore {
    private let drawer: SharedDrawer
    /// Whether there was a session when this process last looked.
    private let wasThere = LockedState<Bool> { false }

    init(_ drawer: SharedDrawer) { self.drawer = drawer }

    var isShared: Bool { true }

    func load() async -> SessionTokens? {
        await drawer.simulation.sleep(for: .milliseconds(5))
        let tokens = drawer.tokens
        wasThere.withLock { $0 = tokens != nil }
        return tokens
    }

    func save(_ tokens: SessionTokens?) async {
        await drawer.simulation.sleep(for: .milliseconds(5))
        drawer.tokens = tokens
        wasThere.withLock { $0 = tokens != nil }
    }

    func exclusively<Value: Sendable>(_ renew: @Sendable (_ latest: KeptSession) async -> Value) async -> Value {
        let isLocked = await drawer.lock()
        defer { if isLocked { drawer.unlock() } }
        let tokens = drawer.tokens
        let wasThere = wasThere.withLock { wasThere in
            defer { wasThere = tokens != nil }
            return wasThere
        }
        return await renew(tokens.map { .tokens($0) } ?? (wasThere ? .ended : .unknown))
    }
}
