/// How long a response may be used, by its headers and the contract.
struct Freshness: Sendable {
    /// How old the response was when it came.
    let initialAge: Duration
    /// The age at which it becomes stale.
    let lifetime: Duration
    /// Whether the server has to be asked each time.
    let isNoCache: Bool
    /// Whether the server has to be asked once the response is stale, whatever else is allowed.
    let mustRevalidate: Bool
    let staleWhileRevalidate: Duration?
    let staleIfError: Duration?
    let offline: Duration?

    init(
        initialAge: Duration, lifetime: Duration, isNoCache: Bool, mustRevalidate: Bool,
        staleWhileRevalidate: Duration?, staleIfError: Duration?, offline: Duration?
    ) {
        self.initialAge = initialAge
        self.lifetime = lifetime
        self.isNoCache = isNoCache
        self.mustRevalidate = mustRevalidate
        self.staleWhileRevalidate = staleWhileRevalidate
        self.staleIfError = staleIfError
        self.offline = offline
    }

    init(_ control: CacheControl, _ headers: HTTPHeaders, _ rule: CacheRule, delay: Duration, date: Int64) {
        let now = date
        let date = headers["Date"].flatMap { HTTPDate.seconds($0, now: now) } ?? now
        let given = headers["Age"].map { HTTPHeaders.trimmed(String($0.prefix { $0 != "," })) }
        // Without `apparent_age`, which section 4.2.3 has for caches that know no `Age`: the date of this device may be wrong.
        initialAge = .seconds(given.flatMap(DeltaSeconds.parse) ?? 0) + delay
        lifetime = Self.lifetime(control, headers, date: date, now: now)
        isNoCache = control.has("no-cache")
        mustRevalidate = control.has("must-revalidate")
        staleWhileRevalidate = control.seconds("stale-while-revalidate").duration
        staleIfError = control.seconds("stale-if-error").duration
        offline = rule.offline
    }

    /// Section 4.2.1. What is said in an invalid way, or in two ways, counts as over.
    private static func lifetime(
        _ control: CacheControl, _ headers: HTTPHeaders, date: Int64, now: Int64
    ) -> Duration {
        switch control.seconds("max-age") {
        case .value(let seconds): return seconds
        case .invalid: return .zero
        case .absent: break
        }
        let dates = headers.fields.filter { HTTPHeaders.isEqual($0.name, "Expires") }.map(\.value)
        if let expires = dates.first {
            guard dates.allSatisfy({ $0 == expires }), let end = HTTPDate.seconds(expires, now: now) else {
                return .zero
            }
            return .seconds(min(max(0, end - date), DeltaSeconds.greatest))
        }
        // Nothing is said: a tenth of the time since the last change, as section 4.2.2 suggests, and no longer than a day.
        guard let changed = headers["Last-Modified"].flatMap({ HTTPDate.seconds($0, now: now) }), changed < date else {
            return .zero
        }
        return .seconds(min((date - changed) / 10, 86_400))
    }

    /// Whether a response without a validator can ever be used.
    var isUseful: Bool {
        if isNoCache { return false }
        if lifetime > initialAge { return true }
        return !mustRevalidate
            && [staleWhileRevalidate, staleIfError, offline].contains { $0.map { $0 > .zero } ?? false }
    }
}
