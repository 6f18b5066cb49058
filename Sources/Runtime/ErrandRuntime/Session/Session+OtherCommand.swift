// Overloads that no program can call. They name the mistake where the compiler would otherwise say that a closure is no store, or
// that a command does not conform to `LoginCommand`. An overload that can be called is always preferred to them.
extension Session {
    /// Unavailable: only the command that `session: {login: …}` of the contract names starts a session.
    @available(
        *, unavailable,
        message:
            "the closure returns a command that starts no session. Return the command that `session: {login: …}` of the contract names"
    )
    public convenience init<Other: Command>(
        store: some SessionStore = .memory, asks: Int = 3,
        login: @escaping @Sendable () async -> Other?
    ) {
        self.init(store: store)
    }

    /// Unavailable: only the command that `session: {login: …}` of the contract names starts a session.
    @available(
        *, unavailable,
        message:
            "the closure returns a command that starts no session. Return the command that `session: {login: …}` of the contract names"
    )
    public convenience init<Other: Command>(
        store: some SessionStore = .memory, asks: Int = 3,
        login: @escaping @Sendable (LoginReason) async -> Other?
    ) {
        self.init(store: store)
    }
}
