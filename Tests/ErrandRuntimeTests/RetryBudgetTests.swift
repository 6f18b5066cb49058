import Testing

@testable import ErrandRuntime

/// Commands with a whole URL can go to any number of hosts.
@Suite struct RetryBudgetTests {
    private func host(_ number: Int) throws -> Origin { try #require(Origin("https://h\(number).example")) }

    @Test func manyHostsTakeBoundedMemory() throws {
        let budget = RetryBudget()
        for number in 0..<5_000 { #expect(budget.withdraw(for: try host(number))) }
        #expect(budget.hosts <= 1_024)
    }

    @Test func aHostInDebtIsNotForgotten() throws {
        let budget = RetryBudget()
        let poor = try host(-1)
        while budget.withdraw(for: poor) {}
        for number in 0..<5_000 { _ = budget.withdraw(for: try host(number)) }
        #expect(!budget.withdraw(for: poor))
    }

    @Test func amongEqualsTheLastUsedStay() throws {
        let budget = RetryBudget()
        for number in 0..<5_000 {
            let host = try host(number)
            while budget.withdraw(for: host) {}
        }
        #expect(!budget.withdraw(for: try host(4_999)))
        #expect(budget.hosts <= 1_024)
    }
}
