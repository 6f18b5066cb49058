/// The headers by which a service says when its rate limit ends (`rateLimit` in the contract).
public struct RateLimitRule: Sendable, Hashable {
    /// The unit of a header's number.
    public enum Unit: String, Sendable, CaseIterable {
        /// How many seconds are left.
        case seconds
        /// How many milliseconds are left.
        case milliseconds
        /// A point in time, in seconds since 1970.
        case timestamp
    }

    /// The name of the header that says when the limit ends.
    public let reset: String
    public let unit: Unit
    /// The name of the header that says how many requests are left; nil for the usual names.
    public let remaining: String?

    public init(reset: String, unit: Unit, remaining: String? = nil) {
        self.reset = reset
        self.unit = unit
        self.remaining = remaining
    }

    /// Whether the contract gives this header a meaning of its own.
    func isReset(_ name: String) -> Bool { HTTPHeaders.isEqual(reset, name) }
}
