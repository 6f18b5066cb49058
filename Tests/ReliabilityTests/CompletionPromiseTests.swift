import BankClient
import ErrandTesting
import TestSeeds
import Testing

/// Promises 1 and 7: every command ends, once, and at once if it is cancelled.
@Suite(.serialized) struct CompletionPromiseTests {
    @Test func everyCommandCompletesExactlyOnce() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("1  every command completes exactly once") { simulation in
            let bank = simulation.makeBank()
            simulation.server.faults = FaultPlan(rate: 0.3)
            simulation.server.expireSessions(after: .milliseconds(300))
            let told = Tally()
            let watch = simulation.task { [dispatcher = simulation.dispatcher] in
                for await _ in dispatcher.completions(of: Bank.TransferFunds.self) { await told.add() }
            }
            // A follower must follow before anything is told.
            await simulation.sleep(for: .milliseconds(1))
            let ended = await simulation.concurrently(100) { number -> Int in
                await simulation.sleep(for: .milliseconds(number * 7 % 500))
                switch number % 5 {
                case 0: _ = await bank.result(of: Bank.GetAccount(accountID: number))
                case 1: _ = await bank.result(of: Bank.OrderCard(accountID: number))
                case 2: _ = await bank.result(of: Bank.RenameAccount(accountID: number, nickname: "n"))
                case 3: _ = await bank.result(of: Bank.ListAccounts())
                default: _ = await bank.result(of: Bank.TransferFunds(fromAccount: number, toAccount: 0, amount: 1))
                }
                return 1
            }
            await simulation.sleep(for: .milliseconds(1))
            watch.cancel()
            var finding = PromiseRun.Finding(cases: ended.count)
            let count = await told.count
            finding.expect(count == 20, "\(count) of 20 endings were told")
            // A login belongs to no single command: it may outlive the one that asked for it, but not for long.
            let waiting = simulation.dispatcher.waiting.filter { $0.endpoint != "logIn" }
            finding.expect(waiting.isEmpty, "\(waiting.count) commands wait still: \(waiting.prefix(3))")
            await simulation.sleep(for: .seconds(600))
            let late = simulation.dispatcher.waiting
            finding.expect(late.isEmpty, "\(late.count) commands wait after ten minutes: \(late.prefix(3))")
            return finding
        }
    }

    @Test func aCancelledCommandReturnsAtOnce() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("7  a cancelled command returns at once, its place is free") { simulation in
            let bank = try await simulation.makeLoggedInBank()
            let clock = simulation.clock
            simulation.server.faults = FaultPlan(rate: 0.5)
            simulation.server.expireSessions(after: .milliseconds(60))
            let late = await simulation.concurrently(60) { number -> Duration in
                let call = simulation.task {
                    _ =
                        number % 2 == 0
                        ? (try? await bank.getAccount(accountID: number)) == nil
                        : (try? await bank.transferFunds(fromAccount: number, toAccount: 0, amount: 1)) == nil
                }
                await simulation.sleep(for: .milliseconds(number * 17 % 1_000))
                let start = clock.now
                call.cancel()
                await call.value
                return start.duration(to: clock.now)
            }
            var finding = PromiseRun.Finding(cases: late.count)
            finding.expect(late.allSatisfy { $0 == .zero }, "returned after \(late.max() ?? .zero)")
            // The login belongs to no single command, and continues.
            let waiting = simulation.dispatcher.waiting.filter { $0.endpoint != "logIn" }
            finding.expect(waiting.isEmpty, "\(waiting.count) wait still")

            // All places of the host are free again: as many as there are go in the same moment.
            simulation.server.faults = .none
            simulation.network.comeBack()
            await simulation.sleep(for: .seconds(60))
            simulation.server.latency = .seconds(1)...(.seconds(1))
            _ = try await bank.getAccount(accountID: 0)
            let before = simulation.server.received.count
            _ = await simulation.concurrently(32) { _ = await bank.result(of: Bank.GetAccount(accountID: $0)) }
            let moments = Set(simulation.server.received.dropFirst(before).map(\.moment))
            finding.expect(moments.count == 1, "of 32 requests some had to wait: \(moments.count) moments")
            return finding
        }
    }
}
