import BankClient
import ErrandRuntime
import ErrandTesting
import Testing

/// What happens to a command, as a console shows it.
#if !canImport(Darwin)
@Suite struct EventLineTests {
    @Test func everyEventIsOneReadableLine() throws {
        let lines = try Simulation.run(seed: 1) { simulation in
            let log = LineLog()
            let bank = Bank(
                on: simulation.makeDispatcher(observers: [ConsoleLog { log.add($0) }]),
                session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
            simulation.server.latency = .milliseconds(10)...(.milliseconds(10))
            try simulation.server.next(Bank.ListAccounts.self, .status(503, headers: ["Retry-After": "2"]))
            _ = try await bank.listAccounts()
            try simulation.server.next(Bank.GetAccount.self, .fails(.noSuchAccount(.declared)))
            _ = await bank.result(of: Bank.GetAccount(accountID: 7))
            return log.lines
        }
        #expect(
            lines == [
                "0.000 #1 Bank.listAccounts: queued",
                "0.000 #1 Bank.listAccounts: waits for the session (the session is being renewed)",
                "0.000 #2 Bank.logIn: queued",
                "0.000 #2 Bank.logIn: attempt 1, POST https://api.bank.example/v1/sessions, 36 bytes",
                "0.030 #2 Bank.logIn: attempt 1, status 200 after 0.030 s, 53 bytes",
                "0.030 #2 Bank.logIn: succeeded after 1 attempt and 0.030 s",
                "0.030 #1 Bank.listAccounts: goes on after 0.030 s of waiting for the session (the session is being renewed)",
                "0.030 #1 Bank.listAccounts: attempt 1, GET https://api.bank.example/v1/accounts?page=1",
                "0.060 #1 Bank.listAccounts: attempt 1, status 503 after 0.030 s, 5 bytes, serviceUnavailable",
                "0.060 #1 Bank.listAccounts: waits for a pause (serviceUnavailable)",
                "2.060 #1 Bank.listAccounts: goes on after 2.000 s of waiting for a pause (serviceUnavailable)",
                "2.060 #1 Bank.listAccounts: attempt 2, GET https://api.bank.example/v1/accounts?page=1",
                "2.090 #1 Bank.listAccounts: attempt 2, status 200 after 0.030 s, 377 bytes",
                "2.090 #1 Bank.listAccounts: succeeded after 2 attempts and 2.090 s",
                "2.090 #3 Bank.getAccount: queued",
                "2.090 #3 Bank.getAccount: attempt 1, GET https://api.bank.example/v1/accounts/7",
                "2.120 #3 Bank.getAccount: attempt 1, status 400 after 0.030 s, 67 bytes, noSuchAccount",
                "2.120 #3 Bank.getAccount: failed as noSuchAccount (nonRetryable) after 1 attempt and 0.030 s",
            ])
    }

    @Test func theWireIsPrintedWithoutSecrets() throws {
        let lines = try Simulation.run(seed: 1) { simulation in
            let log = LineLog()
            let bank = Bank(
                on: simulation.makeDispatcher(observers: [ConsoleLog(wire: true) { log.add($0) }]),
                session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
            _ = try await bank.listAccounts()
            try simulation.server.next(Bank.TransferFunds.self, .cut)
            _ = try await bank.transferFunds(fromAccount: 1, toAccount: 2, amount: 5, reference: "two\nlines")
            return log.lines
        }
        let wire = lines.filter { $0.hasPrefix("#") }
        #expect(wire.contains("#2 > POST https://api.bank.example/v1/sessions"), "\(wire)")
        #expect(wire.contains(#"#2 > {"user":"ada","password":•••}"#), "\(wire)")
        #expect(wire.contains("#1 > Authorization: •••"), "\(wire)")
        #expect(wire.contains("#1 < 200"), "\(wire)")
        #expect(wire.contains("#3 < transport lost, sent"), "\(wire)")
        for line in lines {
            #expect(!line.contains("lovelace") && !line.contains("simulated-access") && !line.contains("\n"), "\(line)")
        }
    }
}

private final class LineLog: Sendable {
    private let state = LockedState<[String]> { [] }
    var lines: [String] { state.withLock { $0 } }
    func add(_ line: String) { state.withLock { $0.append(line) } }
}
#endif
