/// Whether a request carries the session's token.
public enum SessionUse: String, Sendable, CaseIterable {
    /// The endpoint requires a session. If none exists, one is started first, provided that the app can do so. Otherwise nothing is sent.
    case required
    /// The endpoint sends the token if a session exists.
    case optional
    /// The endpoint never sends the token.
    case none
}
