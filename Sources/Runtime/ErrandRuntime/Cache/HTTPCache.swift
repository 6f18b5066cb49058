/// The responses that the commands of a dispatcher have in common: a private cache (RFC 9111), in memory, and on the disk if the app
/// names a folder.
///
/// Each of its methods is called between the waits of a command.
final class HTTPCache: Sendable {
    /// Begins the watch for the end of an owner's login, and returns how to end it; nil if there is nothing to watch. Called for the
    /// first response of an owner.
    typealias Watch = () -> (@Sendable () -> Void)?

    private let state: LockedState<HTTPCacheState>
    let files: CacheFiles?

    /// - Parameters:
    ///   - limit: the greatest size of all stored responses in memory, in bytes; 0 for none.
    ///   - files: those that are also on the disk; nil for none.
    init(limit: Int, files: CacheFiles? = nil) {
        state = LockedState { HTTPCacheState(limit: limit) }
        self.files = limit > 0 ? files : nil
    }

    /// Whether nothing is stored, and nothing is about to be.
    var isIdle: Bool { files == nil && state.withLock { $0.isIdle } }
    /// How many responses are stored in memory, and their size in bytes.
    var contents: (count: Int, size: Int) { state.withLock { ($0.count, $0.size) } }
    /// How many requests and revalidations are under way.
    var counts: (underWay: Int, revalidated: Int) { state.withLock { $0.counts } }

    /// Looks for a response. A caller that is told to revalidate it has to call `endRevalidation`.
    func look(_ lookup: CacheLookup, at now: Duration, watch: Watch = { nil }) -> HTTPCacheState.Answer {
        fetch(lookup, at: now, watch)
        return state.withLock { $0.look(lookup, at: now) }
    }

    /// The response that a request selects, fresh or not.
    func find(_ lookup: CacheLookup, at now: Duration, watch: Watch = { nil }) -> StoredResponse? {
        fetch(lookup, at: now, watch)
        return state.withLock { $0.find(lookup) }
    }

    func holds(_ response: StoredResponse, of key: CacheKey) -> Bool { state.withLock { $0.holds(response, of: key) } }

    func endRevalidation(of key: CacheKey) { state.withLock { $0.endRevalidation(of: key) } }

    /// Notes a request that is sent now, until the exchange is let go of.
    func begin(_ lookup: CacheLookup, validating stored: StoredResponse?, at now: Duration) -> CacheExchange {
        // The marks come first: a write between the two makes both out of date.
        let marks = lookup.place == nil ? nil : files?.currentMarks(lookup.key)
        return CacheExchange(
            lookup, validating: stored, sent: now, marks, state.withLock { $0.begin(lookup.key) }, self)
    }

    /// Stores the response of an exchange; nil for one that must not be stored.
    func store(_ response: StoredResponse?, of exchange: CacheExchange, watch: Watch) {
        let (outcome, changes) = change { ($0.store(response, exchange.lookup, of: exchange.number), $0.changes) }
        if case .stored(isFirst: true) = outcome { self.watch(exchange.lookup.key.owner, watch) }
        guard let files, outcome != .ignored else { return }
        guard case .stored = outcome, let response, isUnchanged(since: changes) else {
            return files.remove(exchange.lookup)
        }
        files.keep(response, exchange.lookup, exchange.marks)
        // The login may have ended meanwhile.
        if !isUnchanged(since: changes) { files.remove(exchange.lookup) }
    }

    func remove(_ lookup: CacheLookup) {
        files?.remove(lookup)
        change { $0.remove(lookup) }
    }

    func remove(_ owner: CacheOwner) { change { $0.remove(owner) } }

    /// Removes what is on the disk of a login that has ended.
    func remove(login: String) { files?.remove(login: login) }

    func removeAll() {
        files?.removeAll()
        change { $0.removeAll() }
    }

    /// Removes what a write may have changed.
    func invalidate(targets: [String], endpoints: [String]) {
        // The disk comes first: a response that is read from it after the change in memory is one from after the write.
        files?.invalidate(targets: targets, endpoints: endpoints)
        change { $0.invalidate(targets: targets, endpoints: endpoints) }
    }

    fileprivate func end(_ number: Int) { state.withLock { $0.end(number) } }

    /// Brings a response from the disk into memory, if memory has none for the request.
    private func fetch(_ lookup: CacheLookup, at now: Duration, _ watch: Watch) {
        guard let files, lookup.place != nil else { return }
        let (use, changes) = state.withLock { ($0.use(of: lookup, at: now), $0.changes) }
        switch use {
        case .known: return
        case .due: return files.touch(lookup)
        case .unknown: break
        }
        guard let response = files.response(lookup, at: now) else { return }
        let isFirst = change { $0.changes == changes && $0.insert(response, lookup) }
        if isFirst { self.watch(lookup.key.owner, watch) }
    }

    private func watch(_ owner: CacheOwner, _ watch: Watch) {
        guard let unwatch = watch() else { return }
        if !change({ $0.note(unwatch, of: owner) }) { unwatch() }
    }

    private func isUnchanged(since changes: Int) -> Bool { state.withLock { $0.changes } == changes }

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
    /// What makes files out of date, as it was when the request was sent; nil for a response that the disk does not keep.
    fileprivate let marks: CacheMarks.Snapshot?
    fileprivate let number: Int
    private let cache: HTTPCache

    fileprivate init(
        _ lookup: CacheLookup, validating stored: StoredResponse?, sent: Duration, _ marks: CacheMarks.Snapshot?,
        _ number: Int, _ cache: HTTPCache
    ) {
        self.lookup = lookup
        validated = stored
        self.sent = sent
        self.marks = marks
        self.number = number
        self.cache = cache
    }

    deinit { cache.end(number) }
}
