import BankClient
import ErrandRuntime
import ErrandTesting
import TestSeeds
import Testing

/// Promise 2: one login for any number of commands, with any result.
@Suite(.serialized) struct SessionPromiseTests {
    @Test(arguments: [1, 10, 1_000])
    func oneLoginAndAllAreSentAgain(commands: Int) throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("2  \(commands) session failures, one login", weight: commands == 1_000 ? 20 : 1) {
            simulation in
            let bank = try await simulation.makeLoggedInBank()
            simulation.server.expireSessions()
            let results = await simulation.concurrently(commands) { number in
                // At once, or one after the other while the first are renewing.
                if simulation.seed % 2 == 0 { await simulation.sleep(for: .milliseconds(number % 200)) }
                return await bank.result(of: Bank.TransferFunds(fromAccount: number, toAccount: 0, amount: 1))
            }
            var finding = PromiseRun.Finding(cases: commands)
            let server = simulation.server
            finding.expect(results.allSatisfy { (try? $0.get()) != nil }, "some failed")
            finding.expect(
                server.carriedOut(Bank.LogIn.self).count == 2, "\(server.carriedOut(Bank.LogIn.self).count - 1) logins")
            finding.expect(server.carriedOut(Bank.TransferFunds.self).count == commands, "not each once")
            return finding
        }
    }

    /// A command that comes during a login is not sent with the session that is known to be over.
    @Test func newCommandsWaitForTheLogin() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("2  new commands wait for the login") { simulation in
            let bank = Bank(
                on: simulation.dispatcher,
                session: Session { () -> Bank.LogIn in
                    await simulation.sleep(for: .seconds(10))
                    return Bank.LogIn(user: "ada", password: "lovelace")
                })
            _ = try await bank.logIn(user: "ada", password: "lovelace")
            simulation.server.expireSessions()
            let results = await simulation.concurrently(30) { number in
                // The first one finds out, the others come while the form is filled in and sent.
                if number > 1 { await simulation.sleep(for: .seconds(1) + .milliseconds(number * 310)) }
                return await bank.result(of: Bank.GetAccount(accountID: number))
            }
            var finding = PromiseRun.Finding(cases: 30)
            finding.expect(results.allSatisfy { (try? $0.get()) != nil }, "some failed")
            let refused = simulation.log.filter { $0.hasSuffix("← 401") }.count
            finding.expect(refused == 1, "\(refused) were sent with the old session")
            return finding
        }
    }

    /// A user logs in while commands learn that their session is over. Both happen at the same time, in any order. The session
    /// didn't request that login, so it may be another user's. The commands of the previous session end, and none is lost.
    @Test func aLoginByHandWhileCommandsWait() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("2  a login by hand while commands wait") { simulation in
            let bank = try await simulation.makeLoggedInBank()
            simulation.server.expireSessions()
            simulation.server.latency = .milliseconds(10)...(.milliseconds(10))
            async let login = bank.result(of: Bank.LogIn(user: "ada", password: "lovelace"))
            let results = await simulation.concurrently(20) { await bank.result(of: Bank.GetAccount(accountID: $0)) }
            var finding = PromiseRun.Finding(cases: 21)
            finding.expect((try? await login.get()) != nil, "the login failed")
            let isEach = results.allSatisfy { result in
                switch result {
                case .success: true
                case .failure(let failure): failure.context.name == "sessionEnded"
                }
            }
            finding.expect(isEach, "some failed")
            return finding
        }
    }

    @Test func aWrongPasswordAsksAgainOnce() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("2  a wrong password asks again, each once") { simulation in
            let asked = Tally()
            let bank = Bank(
                on: simulation.dispatcher,
                session: Session { (reason: LoginReason) -> Bank.LogIn? in
                    await asked.add()
                    await simulation.sleep(for: .seconds(30))
                    return Bank.LogIn(user: "ada", password: reason.previousFailure == nil ? "wrong" : "lovelace")
                })
            try simulation.server.fail(Bank.LogIn.self, with: "wrongPassword", times: 1)
            let results = await simulation.concurrently(20) { await bank.result(of: Bank.GetAccount(accountID: $0)) }
            var finding = PromiseRun.Finding(cases: 20)
            let asks = await asked.count
            finding.expect(asks == 2, "asked \(asks) times")
            finding.expect(results.allSatisfy { (try? $0.get()) != nil }, "some failed")
            return finding
        }
    }

    @Test func aDeclinedLoginFailsAllAndAsksOnce() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("2  a cancelled login fails all, asked once") { simulation in
            let asked = Tally()
            let isDeclined = Tally()
            let bank = Bank(
                on: simulation.dispatcher,
                session: Session { () -> Bank.LogIn? in
                    await asked.add()
                    await simulation.sleep(for: .seconds(5))
                    return await isDeclined.count > 0 ? nil : Bank.LogIn(user: "ada", password: "lovelace")
                })
            _ = try await bank.logIn(user: "ada", password: "lovelace")
            await isDeclined.add()
            simulation.server.expireSessions()
            let results = await simulation.concurrently(30) { await bank.result(of: Bank.GetAccount(accountID: $0)) }
            var finding = PromiseRun.Finding(cases: 30)
            let asks = await asked.count
            finding.expect(asks == 1, "asked \(asks) times")
            finding.expect(results.allSatisfy { (try? $0.get()) == nil }, "some came through")
            return finding
        }
    }
}
