/// The circuit breaker of what is sent again at once because a kept connection has ended before a response.
///
/// A server closes idle connections, and the request that meets such a connection has most likely not arrived. A gateway does the same
/// to a request that it has passed on to a server which then failed. Where sending it again on a new connection fails too, the second
/// reason is the likely one, and each further command would reach the failing server twice.
final class StaleRetryBreaker: Sendable {
    /// More hosts than an app talks to; beyond that, all are forgotten.
    private static let maximumHosts = 256

    private let hosts = LockedState<Set<Origin>> { [] }

    /// Whether sending again has failed at a host, and no kept connection has carried a response since.
    func isOpen(for host: Origin) -> Bool { hosts.withLock { $0.contains(host) } }

    /// Notes that a request on a new connection has failed, which was sent because of a kept one.
    func open(for host: Origin) {
        hosts.withLock { hosts in
            if hosts.count >= Self.maximumHosts { hosts = [] }
            hosts.insert(host)
        }
    }

    /// Notes that a kept connection has carried a response.
    func close(for host: Origin) {
        hosts.withLock { hosts in
            if !hosts.isEmpty { hosts.remove(host) }
        }
    }
}
