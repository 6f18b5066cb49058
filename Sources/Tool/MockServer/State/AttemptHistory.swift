import ErrandService

/// The last attempts of each request, so that the log says which request is sent again.
struct AttemptHistory: Sendable {
    private struct Attempt: Sendable {
        /// The number of the request in the log.
        var number: Int
        var moment: Duration
        var isSuccess: Bool
    }

    /// What the attempts of one request have in common.
    struct Identity {
        let own: Fingerprint
        /// The same without the user: an attempt before the login was the same request. Nil if there is no user, or if a key says enough.
        var withoutUser: Fingerprint?
        /// Whether it is an idempotency key.
        var isKey = false
    }

    /// What the log says of a request that is sent again.
    struct Repetition {
        /// The number of the attempt before it.
        let number: Int
        let remark: String
    }

    private var attempts = RecentMap<Fingerprint, Attempt>(most: mostAttempts)

    static let mostAttempts = 1_000
    /// A request without a key counts as sent again if the one before it failed so recently.
    private static let longestPause = Duration.seconds(60)

    /// What the log says of a request: that it is sent again, and after which time.
    func repetition(_ identity: Identity, at now: Duration) -> Repetition? {
        guard let last = attempts[identity.own] ?? identity.withoutUser.flatMap({ attempts[$0] }) else { return nil }
        let hasKey = identity.isKey
        let pause = LogEntry.seconds(now - last.moment)
        if hasKey { return Repetition(number: last.number, remark: "sent again with the same key after \(pause) s") }
        if last.isSuccess || now - last.moment > Self.longestPause { return nil }
        return Repetition(number: last.number, remark: "sent again after \(pause) s")
    }

    mutating func note(_ identity: Identity, number: Int, isSuccess: Bool, at now: Duration) {
        attempts[identity.own] = Attempt(number: number, moment: now, isSuccess: isSuccess)
    }
}
