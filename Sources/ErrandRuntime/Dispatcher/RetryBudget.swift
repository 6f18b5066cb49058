/// Limits the retries to a host. In a total outage, an app makes one retry per ten commands, so that retries don't prolong the
/// outage.
final class RetryBudget: Sendable {
    /// The deposit of a first attempt, or of a minute of a stream that delivers, and the price of a retry, in tenths.
    private static let deposit = 1
    private static let price = 10
    /// The initial and maximum balance of a host: ten retries.
    private static let most = 100
    /// How many hosts are remembered after hosts were forgotten; up to twice as many are before.
    private static let capacity = 512

    private struct Account: Sendable {
        var balance: Int
        /// When it was last used, counted in uses of all accounts.
        var lastUse: UInt64
    }

    private struct State {
        /// The hosts that have less than the most.
        var accounts: [Origin: Account] = [:]
        var uses: UInt64 = 0

        func balance(of host: Origin) -> Int { accounts[host]?.balance ?? RetryBudget.most }

        mutating func set(_ balance: Int, for host: Origin) {
            guard balance < RetryBudget.most else {
                _ = accounts.removeValue(forKey: host)
                return
            }
            uses += 1
            accounts[host] = Account(balance: balance, lastUse: uses)
            if accounts.count > 2 * RetryBudget.capacity { forget() }
        }

        /// Forgets those that lose least by it, since a forgotten host has the full balance again: the highest balances, and
        /// among equals those not used for longest.
        private mutating func forget() {
            let kept = accounts.sorted { first, second in
                (first.value.balance, second.value.lastUse) < (second.value.balance, first.value.lastUse)
            }
            accounts = Dictionary(uniqueKeysWithValues: kept.prefix(RetryBudget.capacity).map { ($0.key, $0.value) })
        }
    }

    private let state = LockedState<State> { State() }

    /// How many hosts are remembered.
    var hosts: Int { state.withLock { $0.accounts.count } }

    /// Notes first attempts of commands, or minutes of streams and transfers that delivered something.
    func deposit(for host: Origin, count: Int = 1) {
        // More than this fills any account.
        let count = min(count, Self.most / Self.deposit)
        guard count > 0 else { return }
        state.withLock { state in
            guard let account = state.accounts[host] else { return }
            state.set(account.balance + count * Self.deposit, for: host)
        }
    }

    /// Takes the price of a repetition; false if there is not enough.
    func withdraw(for host: Origin) -> Bool {
        state.withLock { state in
            let balance = state.balance(of: host)
            guard balance >= Self.price else { return false }
            state.set(balance - Self.price, for: host)
            return true
        }
    }

    /// Gives the price back of a repetition that was not made.
    func restore(for host: Origin) {
        state.withLock { state in
            guard let account = state.accounts[host] else { return }
            state.set(account.balance + Self.price, for: host)
        }
    }
}
