/// The responses that the commands of a dispatcher have in common: a private cache (RFC 9111), in memory.
///
/// Each of its methods is called between the waits of a command, so a store that takes time can take the place of the state.
final class HTTPCache: Sendable {
    private let state: LockedState<HTTPCacheState>

    /// - Parameter limit: the greatest size of all stored responses, in bytes; 0 for none.
    init(limit: Int) { state = LockedState { HTTPCacheState(limit: limit) } }

    /// Whether nothing is stored, and nothing is about to be.
    var isIdle: Bool { state.withLock { $0.isIdle } }
    /// How many responses are stored, and their size in bytes.
    var contents: (count: Int, size: Int) { state.withLock { ($0.count, $0.size) } }
    /// How many requests and revalidations are under way.
    var counts: (underWay: Int, revalidated: Int) { state.withLock { $0.counts } }

    /// Looks for a response. A caller that is told to revalidate it has to call `endRevalidation`.
    func look(_ lookup: CacheLookup, at now: Duration) -> HTTPCacheState.Answer {
        state.withLock { $0.look(lookup, at: now) }
    }

    /// The response that a request selects, fresh or not.
    func find(_ lookup: CacheLookup) -> StoredResponse? { state.withLock { $0.find(lookup) } }

    func holds(_ response: StoredResponse, of key: CacheKey) -> Bool { state.withLock { $0.holds(response, of: key) } }

    func endRevalidation(of key: CacheKey) { state.withLock { $0.endRevalidation(of: key) } }

    /// Notes a request that is sent now, until the exchange is let go of.
    func begin(_ lookup: CacheLookup, validating stored: StoredResponse?, at now: Duration) -> CacheExchange {
        CacheExchange(lookup, validating: stored, sent: now, state.withLock { $0.begin(lookup.key) }, self)
    }

    /// Stores the response of an exchange; nil for one that must not be stored.
    ///
    /// - Parameter watch: begins the watch for the end of the owner's login, and returns how to end it; nil if there is nothing to
    ///   watch. Called for the first response of an owner.
    func store(
        _ response: StoredResponse?, of exchange: CacheExchange, watch: () -> (@Sendable () -> Void)?
    ) {
        let isFirst = change { $0.store(response, exchange.lookup, of: exchange.number) }
        guard isFirst, let unwatch = watch() else { return }
        if !change({ $0.note(unwatch, of: exchange.lookup.key.owner) }) { unwatch() }
    }

    func remove(_ lookup: CacheLookup) { change { $0.remove(lookup) } }
    func remove(_ owner: CacheOwner) { change { $0.remove(owner) } }
    func removeAll() { change { $0.removeAll() } }

    /// Removes what a write may have changed.
    func invalidate(targets: [String], endpoints: [String]) {
        change { $0.invalidate(targets: targets, endpoints: endpoints) }
    }

    fileprivate func end(_ number: Int) { state.withLock { $0.end(number) } }

    /// Changes the state, and ends the watches that nothing needs any more once the lock is free.
    @discardableResult
    private func change<Value: Sendable>(_ step: (inout HTTPCacheState) -> Value) -> Value {
        let (value, ended) = state.withLock { state in
            let value = step(&state)
            return (value, state.takeEnded())
        }
        for end in ended { end() }
        return value
    }
}

/// A request whose response may be stored. Commands that share the request share the exchange.
final class CacheExchange: Sendable {
    let lookup: CacheLookup
    /// The stored response that the server is asked to confirm; nil to ask for any.
    let validated: StoredResponse?
    /// When the request was sent.
    let sent: Duration
    fileprivate let number: Int
    private let cache: HTTPCache

    fileprivate init(
        _ lookup: CacheLookup, validating stored: StoredResponse?, sent: Duration, _ number: Int, _ cache: HTTPCache
    ) {
        self.lookup = lookup
        validated = stored
        self.sent = sent
        self.number = number
        self.cache = cache
    }

    deinit { cache.end(number) }
}
