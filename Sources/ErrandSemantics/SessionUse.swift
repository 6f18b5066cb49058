/// Whether a request carries the session's token.
public enum SessionUse: String, Sendable, CaseIterable {
    /// The endpoint requires a session. If none exists, one is started first, provided that the app can do so.
    case required
    /// It does if there is one.
    case optional
    /// It never does.
    case none
}
