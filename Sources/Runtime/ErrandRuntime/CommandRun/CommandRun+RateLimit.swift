extension CommandRun {
    /// How long the request has to wait for the end of a rate limit; nil if it may go, and counts from now on. One that would
    /// have less than its timeout afterwards goes, since the service says best why it refuses it. A renewal goes, since other commands
    /// wait for it.
    @inline(never)
    func rateLimitPause() -> Duration? {
        guard !dispatcher.rateLimits.isEmpty, let host = state.host, isHeldByRateLimits else { return nil }
        let pause = dispatcher.rateLimits.pause(
            rateLimitKey(host), others: limiter.underWay(at: host) - 1, at: environment.time.now)
        return pause.flatMap { pause in
            timeLeft.map { pause + limits.timeout(isConstrained: false) <= $0 } ?? true ? pause : nil
        }
    }

    /// Waits until the limit is over, or a response announces that more requests are left. Nil if the command may ask again.
    @inline(never)
    func passRateLimit(_ pause: Duration) async -> FailedAttempt? {
        guard let host = state.host else { return nil }
        let (gate, key) = (dispatcher.rateLimits, rateLimitKey(host))
        var ticket: Int?
        let result: WaitResult<Void> = await wait(
            at: .host, "the rate limit of \(host) takes no more requests", limit: pause,
            join: {
                ticket = gate.join(key, order, $0)
                if ticket == nil { $0.end(.granted(())) }
            },
            leave: { _ in if let ticket { gate.leave(key, ticket) } })
        switch result {
        case .granted, .timeOver: return nil
        case .cancelled: return cancelled()
        case .sessionEnded: return sessionEnded()
        }
    }

    /// Notes what a response says of the rate limit.
    @inline(never)
    func noteRateLimit(_ response: TransportResponse) {
        // Most services announce none, and their commands pay for no more than this.
        let rule = endpoint.service.rateLimit
        let isRefused = response.status == 429
        let mayAnnounce = rule != nil || response.headers.mayHaveRateLimit
        guard mayAnnounce || isRefused || !dispatcher.rateLimits.isEmpty, let host = state.host, isHeldByRateLimits
        else { return }
        let (gate, key, now) = (dispatcher.rateLimits, rateLimitKey(host), environment.time.now)
        if isRefused,
            let pause = RequestedPause.duration(status: 429, response.headers, rule, now: environment.wallTime),
            // One that asks for more makes its command fail at once, and so will the others.
            pause > .zero, pause <= RetryBounds.retryAfter
        {
            return gate.noteRefusal(pause, key, at: now)
        }
        let announced = mayAnnounce ? RateLimitWindow.all(in: response.headers, rule, now: environment.wallTime) : []
        if announced.contains(where: { $0.remaining != nil && $0.reset != nil }) {
            gate.note(announced, key, others: limiter.underWay(at: host) - 1, at: now)
        } else if isRefused || response.status >= 500 {
            // A response of 500 and more may be a gateway's.
            gate.noteNothing(key)
        } else {
            gate.noteNoLimit(key, isSuccess: response.status < 300)
        }
    }

    /// Notes that an attempt has ended without a response.
    func noteNoResponse() {
        guard !dispatcher.rateLimits.isEmpty, let host = state.host, isHeldByRateLimits else { return }
        dispatcher.rateLimits.noteNothing(rateLimitKey(host))
    }

    private var isHeldByRateLimits: Bool {
        dispatcher.settings.waitsForRateLimits && endpoint.frame == nil && !role.isRenewal && !hasNoPlace
    }

    private func rateLimitKey(_ host: Origin) -> RateLimitKey {
        RateLimitKey(endpoint, at: host, session: session.identity, membership)
    }
}

extension HTTPHeaders {
    /// Whether to look for a rate limit: by the beginnings of the names, since every response is asked.
    fileprivate var mayHaveRateLimit: Bool {
        fields.contains { Self.isRateLimit($0.name.utf8) }
    }

    private static func isRateLimit(_ name: String.UTF8View) -> Bool {
        switch name.first {
        case UInt8(ascii: "R"), UInt8(ascii: "r"): begins(name, with: "ratelimit")
        case UInt8(ascii: "X"), UInt8(ascii: "x"): begins(name, with: "x-rate")
        default: false
        }
    }
}
