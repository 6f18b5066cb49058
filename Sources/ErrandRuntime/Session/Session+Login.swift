extension Session {
    /// The name of the login that a command belongs to; nil without a login. The name is the same in every process that shares
    /// the store.
    func login(of membership: SessionMembership) -> String? {
        guard case .epoch(let number) = membership else { return nil }
        return state.withLock { $0.epoch?.number == number ? $0.epoch?.lineage.epoch : nil }
    }

    /// The membership of a command that an earlier process has sent in a login. If this login isn't the current one, the command
    /// belongs to an epoch that is over.
    func membership(inLogin name: String?) async -> SessionMembership {
        guard let name else { return .none }
        await loadOnce()
        // Epochs are numbered from 1, so 0 is an epoch that is over.
        let number = state.withLock { state in state.epoch?.lineage.epoch == name ? state.epoch?.number : nil }
        return .epoch(number ?? 0)
    }
}
