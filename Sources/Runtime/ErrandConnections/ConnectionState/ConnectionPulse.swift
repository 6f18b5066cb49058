import ErrandRuntime

/// What was heard of the server on an open connection, and until when it counts as there.
struct ConnectionPulse: Sendable {
    private var lastHeard = Duration.zero
    private var lastPing = Duration.zero
    /// Until when bytes of a message have arrived fast enough, and how many bytes had arrived then.
    private var progress: (moment: Duration, bytes: Int) = (.zero, 0)
    private var receivedBytes = 0
    /// Until when the server has to give a sign of life that it was asked for at once; nil if it was not.
    private var probeEnd: Duration?

    /// Whether the server was asked for a sign of life at once, because a request got no reply in its time.
    var isProbing: Bool { probeEnd != nil }

    /// A connection is open.
    mutating func begin(at now: Duration) {
        self = ConnectionPulse()
        (lastHeard, lastPing, progress) = (now, now, (now, 0))
    }

    /// A frame or a pong has arrived, or the server was held back until now.
    mutating func hear(at now: Duration) {
        lastHeard = max(lastHeard, now)
        probeEnd = nil
    }

    /// A ping is sent.
    mutating func notePing(at now: Duration) { lastPing = now }

    /// The same, and the pong has little time.
    mutating func probe(at now: Duration, _ rules: ConnectionRules) {
        lastPing = now
        probeEnd = now + rules.probeTime
    }

    /// Bytes of a message that takes long count as a sign of life for the connection, if they come fast enough.
    ///
    /// - Returns: whether any have come.
    mutating func noteBytes(_ bytes: Int, at now: Duration, _ rules: ConnectionRules) -> Bool {
        defer { receivedBytes = bytes }
        if bytes > receivedBytes { probeEnd = nil }
        let time = now - max(progress.moment, lastHeard)
        if time <= .zero || bytes - progress.bytes >= Int(time / .seconds(1) * Double(rules.minimumRate)) {
            progress = (now, bytes)
        }
        return bytes > receivedBytes
    }

    /// When the connection counts as lost if nothing more is heard.
    func end(_ rules: ConnectionRules) -> Duration {
        let end = min(
            max(lastHeard, progress.moment) + rules.silence, lastHeard + rules.silence * rules.maximumSlowness)
        return min(end, probeEnd ?? end)
    }

    /// When the next ping is due, after so long a silence.
    func nextPing(after interval: Duration) -> Duration { max(lastHeard, lastPing) + interval }
}
