/// How many repetitions a host is spared: in a total outage, one for ten commands, so that an app does
/// not keep down what is down.
final class RetryBudget: Sendable {
    /// What a first attempt pays in, and what a repetition costs, in tenths.
    private static let deposit = 1
    private static let price = 10
    /// What a host starts with, and the most that it can have: ten repetitions.
    private static let most = 100

    private let balances = LockedState<[Origin: Int]> { [:] }

    /// Notes the first attempt of a command.
    func deposit(for host: Origin) {
        balances.withLock { balances in
            guard let balance = balances[host] else { return }
            balances[host] = balance + Self.deposit < Self.most ? balance + Self.deposit : nil
        }
    }

    /// Takes the price of a repetition; false where there is not enough.
    func withdraw(for host: Origin) -> Bool {
        balances.withLock { balances in
            let balance = balances[host] ?? Self.most
            guard balance >= Self.price else { return false }
            balances[host] = balance - Self.price
            return true
        }
    }

    /// Gives the price back of a repetition that was not made.
    func restore(for host: Origin) {
        balances.withLock { balances in
            guard let balance = balances[host] else { return }
            balances[host] = balance + Self.price < Self.most ? balance + Self.price : nil
        }
    }
}
