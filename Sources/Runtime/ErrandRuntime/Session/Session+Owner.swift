/// The owner of a durable command.
package enum IntentOwner: Sendable, Equatable {
    /// The command goes without a session.
    case noSession
    /// The name of a user, or of a login whose user the contract doesn't say.
    case user(String)
    /// It needs a session, and no user is logged in.
    case missing
}

extension Session {
    /// The owner of a durable command that is submitted now.
    package func owner(of use: SessionUse) async -> IntentOwner {
        if use == .none { return .noSession }
        await loadOnce()
        return state.withLock { state in
            if let epoch = state.epoch { return .user(epoch.owner) }
            return use == .optional ? .noSession : .missing
        }
    }

    /// Whether a durable command of this owner may be sent now: the owner is logged in, and has tokens. An expired session has none.
    package func hasTokens(ofOwner owner: String?) -> Bool {
        guard let owner else { return true }
        return state.withLock { $0.tokens != nil && $0.epoch?.isOf(owner) == true }
    }

    /// To which login a durable command belongs that is sent now; nil while its owner isn't logged in.
    ///
    /// A command belongs to a login and is never sent in another one. A durable command outlasts logins, so each of its runs belongs to
    /// the login that its owner has at that time.
    package func membership(ofOwner owner: String?) -> CommandEpoch? {
        guard let owner else { return CommandEpoch.none }
        return state.withLock { state in
            guard let epoch = state.epoch, epoch.isOf(owner) else { return nil }
            return .epoch(epoch.number)
        }
    }
}

extension SessionEpoch {
    /// The user, as far as the contract says who that is. It isn't a secret of the server: a token never is a part of it.
    fileprivate var owner: String { identity.map { "user:\($0)" } ?? login }
    /// The login. Its user may have become known since a command was submitted.
    private var login: String { "login:\(lineage.epoch)" }
    fileprivate func isOf(_ owner: String) -> Bool { owner == self.owner || owner == login }
}
