/// The attempts under way that equal reads may share (`EndpointDescription.isShared`).
///
/// Only the attempt is shared. Each command passes its own gates, waits within its own limits, classifies the response and decides
/// about a failure itself.
final class SharedAttempts: Sendable {
    typealias Waiter = Suspension<AttemptResult?>
    private typealias State = SharedAttemptState<SharedAttemptKey, Waiter>

    private let state = LockedState<State> { State() }

    /// A command's place at an attempt.
    final class Place: Sendable {
        let attempt: SharedAttempt
        fileprivate let number: Int
        fileprivate let waiter: Waiter
        /// Whether another command has begun the attempt.
        let isJoined: Bool

        fileprivate init(_ attempt: SharedAttempt, _ number: Int, _ waiter: Waiter, isJoined: Bool) {
            self.attempt = attempt
            self.number = number
            self.waiter = waiter
            self.isJoined = isJoined
        }
    }

    /// How many attempts are under way, and how many commands wait for them.
    var counts: (attempts: Int, waiters: Int) { state.withLock { $0.counts } }

    /// Takes a place at an attempt that is under way; nil without a suitable attempt.
    func join(_ key: SharedAttemptKey, limit: Duration, at now: Duration) -> Place? {
        let waiter = Waiter()
        let place = state.withLock { state in state.join(key, waiter, limit: limit, at: now) }
        return place.map { Place($0.attempt, $0.number, waiter, isJoined: true) }
    }

    /// Takes a place at an attempt that is under way, or at a new one, which the caller has to begin.
    func joinOrBegin(_ key: SharedAttemptKey, limit: Duration, at now: Duration) -> Place {
        let waiter = Waiter()
        let attempt = SharedAttempt()
        let place = state.withLock { state in
            state.join(key, waiter, limit: limit, at: now) ?? state.begin(attempt, key, waiter, limit: limit, at: now)
        }
        return Place(place.attempt, place.number, waiter, isJoined: place.attempt !== attempt)
    }

    /// Waits for the attempt's result. If the task is cancelled, it leaves the attempt. The last one to leave cancels the attempt, and
    /// then waits for it, since only the transport knows how far it got.
    func result(at place: Place) async -> AttemptResult {
        if let result = await place.waiter.value(ifCancelled: nil) { return result }
        if let left = leave(place) { await left.value }
        return place.attempt.result ?? .failure(TransportFault(.cancelled, evidence: .sent))
    }

    /// Gives up a place, if it is not given up yet.
    ///
    /// - Returns: the task of the attempt if no other command waits for it. It is cancelled then.
    @discardableResult
    func leave(_ place: Place) -> Task<Void, Never>? {
        let isLast = state.withLock { $0.leave(place.attempt, place.number) }
        guard isLast else { return nil }
        return place.attempt.cancel()
    }

    /// Gives the result of an attempt to all who wait for it.
    func end(_ attempt: SharedAttempt, _ result: AttemptResult) {
        attempt.note(result)
        for waiter in state.withLock({ $0.end(attempt) }) { waiter.end(result) }
    }

    /// A write has ended. A read that comes later may have to see its effect, so it joins none of the attempts that were begun
    /// before.
    func noteWrite() { state.withLock { $0.close() } }
}

/// An attempt that commands share.
final class SharedAttempt: Sendable {
    private struct State: Sendable {
        var task: Task<Void, Never>?
        var result: AttemptResult?
        var sent: SentRequest?
        var exchange: CacheExchange?
    }

    private let state = LockedState { State() }

    /// The result; nil until it has ended.
    var result: AttemptResult? { state.withLock { $0.result } }
    /// The request that interceptors have made of it; nil without interceptors.
    var sent: SentRequest? {
        get { state.withLock { $0.sent } }
        set { state.withLock { $0.sent = newValue } }
    }

    /// The cache's part of the request; nil if the cache has none.
    var exchange: CacheExchange? {
        get { state.withLock { $0.exchange } }
        set { state.withLock { $0.exchange = newValue } }
    }

    /// Notes the task that makes the attempt. The command that begins the attempt does so before it waits.
    func note(_ task: Task<Void, Never>) { state.withLock { $0.task = task } }

    fileprivate func note(_ result: AttemptResult) { state.withLock { $0.result = result } }

    fileprivate func cancel() -> Task<Void, Never>? {
        let task = state.withLock { $0.task }
        task?.cancel()
        return task
    }
}

/// What makes two reads equal: everything of the request that can change the response, and the login that the command belongs to.
struct SharedAttemptKey: Hashable, Sendable {
    private struct Header: Hashable {
        let name: String
        let value: String
    }

    private let session: ObjectIdentifier
    private let epoch: CommandEpoch
    private let endpoint: String
    private let method: String
    private let url: String
    private let headers: [Header]
    private let body: [UInt8]?
    private let reloads: Bool

    /// Nil for a body that is read while it is sent.
    ///
    /// - Parameter reloads: whether its response must not be one that the server has only confirmed.
    init?(_ request: TransportRequest, session: SessionIdentity, _ epoch: CommandEpoch, reloads: Bool) {
        self.reloads = reloads
        guard request.streamedBody == nil else { return nil }
        self.session = ObjectIdentifier(session)
        self.epoch = epoch
        endpoint = request.endpoint
        method = request.method.rawValue
        url = request.url
        headers = request.headers.fields.map { Header(name: $0.name, value: $0.value) }
        body = request.body
    }
}

/// Which attempts are under way, and who waits for each. A value without a clock or a task.
struct SharedAttemptState<Key: Hashable & Sendable, Waiter: Sendable>: Sendable {
    private struct UnderWay: Sendable {
        let attempt: SharedAttempt
        let key: Key
        let begun: Duration
        /// The limit of the command that has begun it.
        let limit: Duration
        var waiters: [Int: Waiter]

        /// Whether a command may join it with its own limit. After the time of the first command is over, the server may be about to
        /// answer no more, and a new request is the better one. The transport has twice the first command's limit, so the time of no
        /// command that joins is cut.
        func admits(_ other: Duration, at now: Duration) -> Bool {
            let age = now - begun
            return age < limit && age + other <= SharedAttemptState.longest(limit)
        }
    }

    private var underWay: [ObjectIdentifier: UnderWay] = [:]
    /// The attempts that a further command may join.
    private var open: [Key: ObjectIdentifier] = [:]
    private var lastNumber = 0

    /// How long an attempt may take whose first command waits no longer than its limit.
    static func longest(_ limit: Duration) -> Duration { limit * 2 }

    var counts: (attempts: Int, waiters: Int) {
        (underWay.count, underWay.values.reduce(0) { $0 + $1.waiters.count })
    }

    mutating func join(
        _ key: Key, _ waiter: Waiter, limit: Duration, at now: Duration
    ) -> (attempt: SharedAttempt, number: Int)? {
        guard let id = open[key], let found = underWay[id], found.admits(limit, at: now) else { return nil }
        lastNumber += 1
        underWay[id]?.waiters[lastNumber] = waiter
        return (found.attempt, lastNumber)
    }

    /// Begins an attempt, which equal reads join from now on.
    mutating func begin(
        _ attempt: SharedAttempt, _ key: Key, _ waiter: Waiter, limit: Duration, at now: Duration
    ) -> (attempt: SharedAttempt, number: Int) {
        lastNumber += 1
        let id = ObjectIdentifier(attempt)
        underWay[id] = UnderWay(
            attempt: attempt, key: key, begun: now, limit: limit, waiters: [lastNumber: waiter])
        open[key] = id
        return (attempt, lastNumber)
    }

    /// Gives up a place.
    ///
    /// - Returns: whether no command waits for the attempt any more. It is not under way then.
    mutating func leave(_ attempt: SharedAttempt, _ number: Int) -> Bool {
        let id = ObjectIdentifier(attempt)
        guard underWay[id]?.waiters.removeValue(forKey: number) != nil, underWay[id]?.waiters.isEmpty == true else {
            return false
        }
        remove(id)
        return true
    }

    /// Ends an attempt. Returns those who wait for it, in the order in which they came.
    mutating func end(_ attempt: SharedAttempt) -> [Waiter] {
        guard let ended = remove(ObjectIdentifier(attempt)) else { return [] }
        return ended.waiters.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Lets no further command join any of the attempts.
    mutating func close() {
        if !open.isEmpty { open = [:] }
    }

    @discardableResult
    private mutating func remove(_ id: ObjectIdentifier) -> UnderWay? {
        guard let removed = underWay.removeValue(forKey: id) else { return nil }
        if open[removed.key] == id { open[removed.key] = nil }
        return removed
    }
}
