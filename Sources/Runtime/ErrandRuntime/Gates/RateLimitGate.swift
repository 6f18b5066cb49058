/// Lets commands wait for a rate limit that responses announce, so that they are not refused with 429 first; and for one that has refused
/// another command.
///
/// A service may count the requests of each endpoint, of each user, or all together, and no header says which. A window is
/// therefore that of one endpoint, at one host, for one login. It may let a request go that the service refuses, and never holds a
/// request because of another endpoint's limit.
final class RateLimitGate: Sendable {
    typealias Waiter = GateWaiter<Void>

    private let windows = LockedState<RateLimitWindows<Waiter>> { RateLimitWindows() }

    /// Whether no limit is known, so that no request has to wait.
    var isEmpty: Bool { windows.withLock { $0.isEmpty } }

    /// How long a request has to wait; nil if it may go, and counts from now on.
    ///
    /// - Parameter others: how many other requests are under way, which may use up the next window, too.
    func pause(_ key: RateLimitKey, others: Int, at now: Duration) -> Duration? {
        windows.withLock { $0.pause(key, others: others, at: now) }
    }

    /// Notes what a response says of the limit.
    ///
    /// - Parameter others: how many other requests are under way, which the service may not have counted yet.
    func note(_ announced: [RateLimitWindow], _ key: RateLimitKey, others: Int, at now: Duration) {
        for waiter in windows.withLock({ $0.note(announced, key, others: others, at: now) }) {
            waiter.end(.granted(()))
        }
    }

    /// Notes that a request was refused, and how long the service asks to wait.
    func noteRefusal(_ pause: Duration, _ key: RateLimitKey, at now: Duration) {
        windows.withLock { $0.noteRefusal(pause, key, at: now) }
    }

    /// Notes a response that says nothing of a limit, and is no refusal by one.
    func noteNoLimit(_ key: RateLimitKey, isSuccess: Bool) {
        for waiter in windows.withLock({ $0.noteNoLimit(key, isSuccess: isSuccess) }) { waiter.end(.granted(())) }
    }

    /// Notes an attempt that has shown nothing of the limit. If it was the one that went first after a refusal, the next one does.
    func noteNothing(_ key: RateLimitKey) {
        windows.withLock { $0.noteNothing(key) }?.end(.granted(()))
    }

    /// Queues a waiter until a response announces that more requests are left.
    ///
    /// - Returns: what to leave the queue with; nil if requests are left.
    func join(_ key: RateLimitKey, _ order: WaitingOrder, _ waiter: Waiter) -> Int? {
        windows.withLock { $0.join(key, order, waiter) }
    }

    func leave(_ key: RateLimitKey, _ ticket: Int) { windows.withLock { $0.leave(key, ticket) } }
}

/// The requests that a window counts together.
struct RateLimitKey: Hashable, Sendable {
    private let host: Origin
    private let service: String
    private let endpoint: String
    private let session: ObjectIdentifier
    private let epoch: CommandEpoch

    init(_ endpoint: EndpointDescription, at host: Origin, session: SessionIdentity, _ epoch: CommandEpoch) {
        self.host = host
        service = endpoint.service.name
        self.endpoint = endpoint.name
        self.session = ObjectIdentifier(session)
        self.epoch = epoch
    }
}

/// What is known of the windows of rate limits. A value without a clock or a task.
struct RateLimitWindows<Waiter: Sendable>: Sendable {
    private struct Window: Sendable {
        /// How many more requests may go until the end.
        var left: Int64
        /// Whether no response has said how many are left since the window began.
        var isGuessed = false
        /// Whether the last that is known of the window is a refusal.
        var isRefused = false
        /// How long the last refusal has held the requests; zero if the wait for its end was much longer.
        var held = Duration.zero
        /// The most requests that a window is known to take.
        var quota: Int64
        var end: Duration
        /// How long a window is, as far as is known.
        var length: Duration
        var queue = OrderedQueue<Waiter>()
    }

    /// How many windows are remembered. A service cannot fill the memory with them.
    static var most: Int { 256 }

    private var windows: [RateLimitKey: Window] = [:]

    var isEmpty: Bool { windows.isEmpty }
    var count: Int { windows.count }

    /// How long a request has to wait; nil if it may go, and counts from now on.
    mutating func pause(_ key: RateLimitKey, others: Int, at now: Duration) -> Duration? {
        guard var window = windows[key] else { return nil }
        if now >= window.end {
            // The next window has begun. Until a response says how many it takes, it is taken to be like the last ones. One request
            // may go in any case: its response says more. After a refusal it goes first, since the limiter may let one through at a time.
            window.left = window.isRefused ? 1 : max(1, window.quota - Int64(others))
            if now - window.end > window.held { window.held = .zero }
            window.end = now + window.length
            window.isGuessed = true
        }
        defer { windows[key] = window }
        guard window.left > 0 else { return window.end - now }
        window.left -= 1
        return nil
    }

    /// Notes what a response says. Returns the waiters that may ask again.
    mutating func note(_ announced: [RateLimitWindow], _ key: RateLimitKey, others: Int, at now: Duration) -> [Waiter] {
        let known = announced.compactMap { window in
            window.remaining.flatMap { left in window.reset.map { (left: left, reset: $0) } }
        }
        guard let least = known.map(\.left).min(), let reset = known.filter({ $0.left == least }).map(\.reset).max()
        else { return [] }
        guard hasRoom(for: key, at: now) else { return [] }
        var window = windows[key] ?? Window(left: 0, quota: 0, end: now, length: .zero)
        // This response has used one up.
        window.quota = max(window.quota, least == .max ? least : least + 1)
        window.length = max(window.length, reset)
        if window.isRefused, !window.isGuessed, now < window.end {
            // The response to an earlier request does not shorten what a refusal asks for.
            windows[key] = window
            return []
        }
        window.isRefused = false
        let left = max(0, least - Int64(max(0, others)))
        // Responses may come in another order than that in which the service has counted them.
        window.left = window.isGuessed || now >= window.end ? left : min(window.left, left)
        window.end = now + reset
        window.isGuessed = false
        var woken: [Waiter] = []
        while woken.count < window.left, let waiter = window.queue.popFirst() { woken.append(waiter) }
        windows[key] = window
        return woken
    }

    /// Notes a refusal, which holds all requests for as long as it asks for.
    ///
    /// If it meets the one that went first after the time that an earlier refusal asked for, that time was too short, and at least
    /// twice as long a one follows. A limiter that counts by another window than it says asks for too little each time, and one that
    /// counts refused requests never lets a client through that comes as often as it says (django-smart-ratelimit 4.12).
    mutating func noteRefusal(_ pause: Duration, _ key: RateLimitKey, at now: Duration) {
        guard hasRoom(for: key, at: now) else { return }
        var window = windows[key] ?? Window(left: 0, quota: 1, end: now, length: pause)
        window.left = 0
        let isInVain = window.isRefused && window.isGuessed
        let pause = isInVain ? max(pause, min(window.held * 2, RetryBounds.retryAfter)) : pause
        window.end = window.isRefused && !isInVain ? max(window.end, now + pause) : now + pause
        window.held = window.end - now
        window.length = max(window.length, pause)
        window.isGuessed = false
        window.isRefused = true
        windows[key] = window
    }

    /// Notes an attempt that has shown nothing of the limit. Returns the waiter that may go in its place.
    mutating func noteNothing(_ key: RateLimitKey) -> Waiter? {
        guard var window = windows[key], window.isRefused, window.isGuessed, window.left == 0 else { return nil }
        window.left = 1
        let next = window.queue.popFirst()
        windows[key] = window
        return next
    }

    /// Notes a response that says nothing of a limit, and is no refusal by one. Returns the waiters that may go.
    ///
    /// While a refusal holds, such responses are to requests that were let through before. The first one afterwards shows that the limit
    /// is over, whatever it is.
    mutating func noteNoLimit(_ key: RateLimitKey, isSuccess: Bool) -> [Waiter] {
        guard var window = windows[key], window.isRefused ? window.isGuessed : isSuccess else { return [] }
        windows[key] = nil
        var woken: [Waiter] = []
        while let waiter = window.queue.popFirst() { woken.append(waiter) }
        return woken
    }

    mutating func join(_ key: RateLimitKey, _ order: WaitingOrder, _ waiter: Waiter) -> Int? {
        // A response may have come since the request was told to wait.
        guard let window = windows[key], window.left == 0 else { return nil }
        return windows[key]?.queue.insert(waiter, order)
    }

    mutating func leave(_ key: RateLimitKey, _ ticket: Int) { windows[key]?.queue.remove(ticket) }

    /// Whether a window can be remembered. Those that are over make room.
    private mutating func hasRoom(for key: RateLimitKey, at now: Duration) -> Bool {
        if windows[key] != nil || windows.count < Self.most { return true }
        windows = windows.filter { now < $0.value.end || !$0.value.queue.isEmpty }
        return windows.count < Self.most
    }
}
