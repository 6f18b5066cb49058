/// The tokens of all hosts (`RetryBudget`).
package final class RetryTokens: Sendable {
    /// How many hosts are remembered after hosts were forgotten; up to twice as many are before.
    private static let capacity = 512

    private struct Account: Sendable {
        var balance: Int
        /// When it was last used, counted in uses of all accounts.
        var lastUse: UInt64
    }

    private struct State {
        let most: Int
        /// The hosts that have less than the most.
        var accounts: [Origin: Account] = [:]
        var uses: UInt64 = 0

        func balance(of host: Origin) -> Int { accounts[host]?.balance ?? most }

        mutating func set(_ balance: Int, for host: Origin) {
            guard balance < most else {
                _ = accounts.removeValue(forKey: host)
                return
            }
            uses += 1
            accounts[host] = Account(balance: balance, lastUse: uses)
            if accounts.count > 2 * RetryTokens.capacity { forget() }
        }

        /// Forgets those that lose least by it, since a forgotten host has the full balance again: the highest balances, and
        /// among equals those not used for longest.
        private mutating func forget() {
            let kept = accounts.sorted { first, second in
                (first.value.balance, second.value.lastUse) < (second.value.balance, first.value.lastUse)
            }
            accounts = Dictionary(uniqueKeysWithValues: kept.prefix(RetryTokens.capacity).map { ($0.key, $0.value) })
        }
    }

    private let budget: RetryBudget
    /// What a success gives.
    private let deposit: Int
    private let state: LockedState<State>

    init(_ budget: RetryBudget) {
        self.budget = budget
        deposit = budget.deposit
        let most = budget.fullBalance
        state = LockedState { State(most: most) }
    }

    /// How many hosts are remembered.
    var hosts: Int { state.withLock { $0.accounts.count } }

    /// How many tokens a host has.
    func balance(of host: Origin) -> Double {
        Double(state.withLock { $0.balance(of: host) }) / Double(RetryBudget.token)
    }

    /// Notes a success, or a minute of a stream or a download that has brought something new.
    func deposit(for host: Origin) { add(deposit, for: host) }

    /// Takes the token of a retry; false if there is none.
    package func withdraw(for host: Origin) -> Bool {
        if !budget.isLimited { return true }
        return state.withLock { state in
            guard let balance = budget.withdrawn(from: state.balance(of: host)) else { return false }
            state.set(balance, for: host)
            return true
        }
    }

    /// Gives the tokens back of retries that were not made, or that have brought a transfer forward.
    func restore(for host: Origin, count: Int = 1) { add(count * RetryBudget.token, for: host) }

    private func add(_ amount: Int, for host: Origin) {
        guard budget.isLimited, amount > 0 else { return }
        state.withLock { state in
            guard let account = state.accounts[host] else { return }
            state.set(budget.added(amount, to: account.balance), for: host)
        }
    }
}
