/// Whether a request may be sent twice.
public enum Effect: String, Sendable, CaseIterable {
    /// It changes nothing.
    case read
    /// Twice is the same as once.
    case idempotent
    /// It carries an idempotency key, the same one over all attempts, by which the server knows it.
    case keyed
    /// It must take effect at most once.
    case once

    /// Whether carrying the request out twice does harm, unless the server knows it by its key.
    package var isUnsafe: Bool { self == .keyed || self == .once }
}
