/// One place among the requests to a host. Its last reference gives it back.
final class ConnectionPermit: Sendable {
    private let host: Origin
    private let limiter: ConcurrencyLimiter

    init(_ host: Origin, _ limiter: ConcurrencyLimiter) {
        self.host = host
        self.limiter = limiter
    }

    deinit { limiter.leave(host) }
}
