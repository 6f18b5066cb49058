public import ErrandRuntime

/// Whether an app shows its login or its content.
public enum SessionScreen: Sendable, Hashable {
    /// The store has not said yet what it keeps.
    case undecided
    /// No user is logged in.
    case login
    /// The content of a user. The value is the user's identity, if the contract names its `identity`.
    case content(identity: String?)

    /// The screen for a phase of the session.
    ///
    /// A renewal changes nothing on the screen. Neither does a session that is over: the user is asked, and the content stays below the
    /// login screen, with everything that was entered.
    public func following(_ phase: SessionPhase) -> SessionScreen {
        switch phase {
        case .loggedOut: .login
        case .loggedIn(let identity): .content(identity: identity)
        case .renewing(let identity), .expired(let identity):
            switch self {
            case .content: .content(identity: identity)
            case .login: .login
            case .undecided: .content(identity: identity)
            }
        }
    }
}
