/// The last attempts of each request, so that the log says which request is sent again.
struct AttemptHistory: Sendable {
    private struct Attempt: Sendable {
        var moment: Duration
        var isSuccess: Bool
    }

    private var attempts: [String: Attempt] = [:]
    private var order: [String] = []

    static let mostAttempts = 1_000
    /// A request without a key counts as sent again if the one before it failed so recently.
    private static let longestPause = Duration.seconds(60)

    /// What the log says of a request: that it is sent again, and after which time.
    func remark(_ identity: String, hasKey: Bool, at now: Duration) -> String? {
        guard let last = attempts[identity] else { return nil }
        let pause = LogEntry.seconds(now - last.moment)
        if hasKey { return "sent again with the same key after \(pause) s" }
        return last.isSuccess || now - last.moment > Self.longestPause ? nil : "sent again after \(pause) s"
    }

    mutating func note(_ identity: String, isSuccess: Bool, at now: Duration) {
        if attempts[identity] == nil { order.append(identity) }
        attempts[identity] = Attempt(moment: now, isSuccess: isSuccess)
        if order.count > Self.mostAttempts { attempts[order.removeFirst()] = nil }
    }
}
