/// The endpoints of a host that have succeeded last. They show whether a host that fails one endpoint responds to others.
struct HostEvidence: Sendable {
    private struct Success: Sendable {
        var endpoint: ObjectIdentifier
        var moment: Duration
    }

    /// The latest successes of two endpoints of a host. Whichever endpoint fails, one of them is another one.
    private var hosts: [Origin: (last: Success, other: Success?)] = [:]
    /// More hosts than an app talks to; beyond that, all are forgotten.
    private static let maximumHosts = 256

    mutating func noteSuccess(_ host: Origin, _ endpoint: ObjectIdentifier, at moment: Duration) {
        let success = Success(endpoint: endpoint, moment: moment)
        guard let known = hosts[host] else {
            if hosts.count >= Self.maximumHosts { hosts = [:] }
            hosts[host] = (success, nil)
            return
        }
        hosts[host] = (success, known.last.endpoint == endpoint ? known.other : known.last)
    }

    /// Whether another endpoint of the host has succeeded since a moment.
    func hasSucceeded(_ host: Origin, besides endpoint: ObjectIdentifier, since moment: Duration) -> Bool {
        guard let known = hosts[host] else { return false }
        let other = known.last.endpoint == endpoint ? known.other : known.last
        return other.map { $0.moment >= moment } ?? false
    }
}
