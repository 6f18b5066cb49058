extension Session {
    /// The name of the login that a command belongs to. It is the same in every process that shares the store. Nil for a command
    /// that belongs to none.
    func login(of membership: SessionMembership) -> String? {
        guard case .epoch(let number) = membership else { return nil }
        return state.withLock { $0.epoch?.number == number ? $0.epoch?.lineage.epoch : nil }
    }

    /// To which epoch a command belongs that an earlier process has sent in a login: to one that is over where it is another one by
    /// now, or there is none.
    func membership(inLogin name: String?) async -> SessionMembership {
        guard let name else { return .none }
        await loadOnce()
        // Epochs are numbered from 1.
        let number = state.withLock { state in state.epoch?.lineage.epoch == name ? state.epoch?.number : nil }
        return .epoch(number ?? 0)
    }
}
