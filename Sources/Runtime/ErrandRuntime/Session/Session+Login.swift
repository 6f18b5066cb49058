extension Session {
    /// The name of the login that a command belongs to; nil without a login. The name is the same in every process that shares
    /// the store.
    func login(of membership: CommandEpoch) -> String? {
        guard case .epoch(let number) = membership else { return nil }
        return state.withLock { $0.epoch?.number == number ? $0.epoch?.lineage.epoch : nil }
    }

    /// The membership of a command that an earlier process has sent in a login. If this login isn't the current one, the command
    /// belongs to an epoch that is over.
    func membership(inLogin name: String?) async -> CommandEpoch {
        guard let name else { return .none }
        await loadOnce()
        return state.withLock { state in
            guard let epoch = state.epoch, epoch.lineage.epoch == name else { return .over }
            return .epoch(epoch.number)
        }
    }
}
