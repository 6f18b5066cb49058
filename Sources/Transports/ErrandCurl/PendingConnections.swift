#if os(Linux)
import ErrandRuntime

/// The connections that are being opened to servers that may support HTTP/2. Used on the transport's thread only.
///
/// Requests over HTTP/2 share a connection, but libcurl knows only after the TLS handshake that they can. Until then it would open
/// a connection for each of them. Here, the first request to an origin opens one, and the others wait until it is open: they then
/// share it, or open their own if the server supports only HTTP/1.1. libcurl's own wait (CURLOPT_PIPEWAIT) has no end other than that
/// of the first connection, and is not limited by the time limits of the requests that wait.
///
/// libcurl asks before it opens a socket. A request that must not open one ends, and begins again after its wait.
final class PendingConnections {
    /// How long requests wait for connections that are being opened, before one more request opens one. Each further wait ends for
    /// twice as many, so that a server without an answer to the first connection delays the others briefly.
    static let patience = Duration.milliseconds(250)
    /// How many origins are remembered of each kind.
    private static let maximumOrigins = 1_024

    private struct Opening {
        var openers: Set<ObjectIdentifier>
        /// The requests that wait, in the order in which they came.
        var waiting: [ObjectIdentifier] = []
        var turn = ContinuousClock.now + PendingConnections.patience
        /// How many requests open a connection at the next turn.
        var next = 1
    }

    private var openings: [Origin: Opening] = [:]
    /// The origins that support only HTTP/1.1. Their requests never wait.
    private var singleOrigins: Set<Origin> = []
    private var originsOfLostResponses: Set<Origin> = []
    private var released: [ObjectIdentifier] = []

    /// Whether a request may open a connection. If not, it waits for another one's.
    func mayOpen(_ id: ObjectIdentifier, to origin: Origin, mustWait: Bool) -> Bool {
        if singleOrigins.contains(origin) { return true }
        guard let opening = openings[origin] else {
            openings[origin] = Opening(openers: [id])
            return true
        }
        // A request opens several sockets if its host has several addresses.
        if mustWait, !opening.openers.contains(id) { return false }
        openings[origin]?.openers.insert(id)
        return true
    }

    /// Lets a request wait. It goes on at once if the connection has been opened since.
    func wait(_ id: ObjectIdentifier, for origin: Origin) {
        if openings[origin] == nil { released.append(id) } else { openings[origin]?.waiting.append(id) }
    }

    /// Notes that a request has a connection, which it has opened or found.
    func isOpen(_ id: ObjectIdentifier, to origin: Origin) {
        guard openings[origin]?.openers.contains(id) == true, let opening = openings.removeValue(forKey: origin) else {
            return
        }
        released += opening.waiting
    }

    /// Notes whether the server supports HTTP/2 on a new connection.
    func learn(_ origin: Origin, sharesConnections: Bool) {
        if sharesConnections { singleOrigins.remove(origin) } else { Self.insert(origin, into: &singleOrigins) }
    }

    private static func insert(_ origin: Origin, into origins: inout Set<Origin>) {
        if origins.count >= maximumOrigins { origins.removeFirst() }
        origins.insert(origin)
    }

    // MARK: Responses that libcurl loses

    /// Notes that an upload over HTTP/2 has ended without a response that libcurl may have lost.
    func noteLostResponse(of origin: Origin) { Self.insert(origin, into: &originsOfLostResponses) }

    /// Whether the last upload to an origin ended so. The next one uses HTTP/1.1, by which its response arrives.
    func takeLostResponse(of origin: Origin) -> Bool { originsOfLostResponses.remove(origin) != nil }

    // MARK: Ends

    /// Notes the end of a request that may wait or have a connection under way. Without any other connection under way, those that
    /// wait open their own. After a cancellation, which says nothing of the server, only the next one does.
    func end(_ id: ObjectIdentifier, to origin: Origin, isCancelled: Bool) {
        guard var opening = openings[origin] else { return }
        opening.waiting.removeAll { $0 == id }
        if opening.openers.remove(id) != nil, opening.openers.isEmpty {
            guard isCancelled, opening.waiting.count > 1 else {
                openings[origin] = nil
                released += opening.waiting
                return
            }
            let next = opening.waiting.removeFirst()
            opening = Opening(openers: [next], waiting: opening.waiting)
            released.append(next)
        }
        openings[origin] = opening
    }

    /// The requests whose wait is over, since the last call.
    func takeReleased() -> [ObjectIdentifier] {
        if openings.isEmpty, released.isEmpty { return [] }
        let now = ContinuousClock.now
        for (origin, opening) in openings where opening.turn <= now && !opening.waiting.isEmpty {
            var opening = opening
            let ids = opening.waiting.prefix(opening.next)
            opening.waiting.removeFirst(ids.count)
            opening.openers.formUnion(ids)
            (opening.turn, opening.next) = (now + Self.patience, 2 * opening.next)
            openings[origin] = opening
            released += ids
        }
        defer { released = [] }
        return released
    }

    /// When the next wait is over, unless a connection is open before.
    var nextTurn: ContinuousClock.Instant? {
        openings.isEmpty ? nil : openings.values.lazy.filter { !$0.waiting.isEmpty }.map(\.turn).min()
    }
}
#endif
