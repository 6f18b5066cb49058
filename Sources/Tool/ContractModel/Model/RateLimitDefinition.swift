/// The headers by which a service says when its rate limit ends.
package struct RateLimitDefinition: Sendable {
    /// The unit of a header's number.
    package enum Unit: String, Sendable, CaseIterable {
        /// How much time is left.
        case seconds, milliseconds
        /// A point in time, in seconds since 1970.
        case timestamp
    }

    /// The header that says when the limit ends.
    package var reset: Located<String>
    package var unit: Located<Unit>
    /// The header that says how many requests are left; nil for the usual names.
    package var remaining: Located<String>?

    package init(reset: Located<String>, unit: Located<Unit>, remaining: Located<String>?) {
        self.reset = reset
        self.unit = unit
        self.remaining = remaining
    }
}
