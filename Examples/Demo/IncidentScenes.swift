import BankClient
import TestServices

/// What goes wrong for many commands at once, and is one thing nevertheless.
extension BankDemo {
    /// All sessions end while fifty commands are under way.
    func loseEverySession() async {
        narrator.step(
            "try await bank.listAccounts()   // 50 at once, and every session expires while they are under way")
        let commands = 50
        await service.forgetRequests()
        let logins = await service.logins
        // Long enough that all commands have been sent before the bank responds.
        await service.script(.delay(.milliseconds(400), then: nil), times: commands, on: "GET /accounts")
        let pending = Task {
            await successes(of: commands, isCounted: true) { await bank.result(of: Bank.ListAccounts()) }
        }
        let isUnderWay = await comesTrue { await !service.requests(on: "GET /accounts").isEmpty }
        await service.expireSessions()
        let answered = await pending.value

        let requests = await service.requests(on: "GET /accounts")
        let current = requests.last?.header("Authorization")
        let refused = requests.filter { $0.header("Authorization") != current }.count
        let asked = await service.requests(on: "POST /sessions").count
        let begun = await service.logins - logins
        narrator.claim(
            isUnderWay && refused > 0 && requests.count == refused + commands,
            "\(refused) requests were refused, and \(requests.count - refused) sent again with the new session")
        narrator.claim(asked == 1 && begun == 1, "\(asked) login for all of them")
        narrator.claim(answered == commands, "\(answered) of \(commands) commands have their accounts")
    }

    /// The server's port is closed while twenty transfers are asked for.
    func loseTheServer() async throws {
        narrator.step(
            "try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 1)   // 20 at once, and the server is down"
        )
        let commands = 20
        await service.stop()
        await service.forgetRequests()
        terminal.forget()
        let bookings = await service.bookings.count
        let pending = Task {
            await successes(of: commands) {
                await bank.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 1))
            }
        }
        let isShown = await comesTrue { terminal.asks(about: "The server cannot be reached.") }
        narrator.claim(isShown, "the retries help nothing, and the app says so")
        try await Task.sleep(for: .seconds(1))
        try await service.restart()
        narrator.remark("the server is back, and the user tries again")
        terminal.type("t")
        let answered = await pending.value

        let requests = await service.requests(on: "POST /transfers")
        let keys = Set(requests.map { $0.header("Idempotency-Key") })
        let booked = await service.bookings.count - bookings
        let notices = terminal.messages
        narrator.claim(notices == 1, "\(notices) notice for \(commands) commands")
        narrator.claim(
            booked == commands && keys.count == commands,
            "\(booked) bookings, from \(requests.count) requests with \(keys.count) idempotency keys")
        narrator.claim(answered == commands, "\(answered) of \(commands) commands have their confirmation")
    }

    /// The network goes, and what was read before is still there.
    func readWithoutTheNetwork() async throws {
        narrator.step(
            "try await bank.reply(to: Bank.GetAccount(accountID: 1))   // read before, and there is no network")
        do {
            let before = try await bank.getAccount(accountID: 1).balance
            network.goAway()
            // The news takes a moment, as the system's does.
            try await Task.sleep(for: .milliseconds(300))
            await service.forgetRequests()
            let reply = try await bank.reply(to: Bank.GetAccount(accountID: 1))
            let requests = await service.requests().count
            let age = reply.cached.map { seconds($0.age) } ?? "no time"
            narrator.claim(
                reply.cached?.basis == .offline && reply.value.balance == before,
                "account 1: \(reply.value.balance), from \(age) ago, as a screen can say")
            narrator.claim(requests == 0, "\(requests) requests, and no question to the user")
        } catch {
            narrator.contradict("\(error)")
        }
    }

    /// The network is gone before twelve commands, and comes back.
    func loseTheNetwork() async throws {
        narrator.step("try await bank.listAccounts()   // 12 at once, and there is no network")
        let commands = 12
        terminal.forget()
        let dispatcher = bank.binding.dispatcher
        let pending = Task {
            await successes(of: commands) { await bank.result(of: Bank.ListAccounts()) }
        }
        let wait = await comesTrue { dispatcher.waitingCount == commands }
        let isShown = await comesTrue { terminal.asks(about: "There is no connection to the network.") }
        let early = await service.requests().count
        narrator.claim(
            wait && isShown && early == 0,
            "\(dispatcher.waitingCount) commands wait, \(early) requests are sent, the app says so once")

        // Long enough that a second request would be seen before the response.
        let pause = Duration.milliseconds(600)
        await service.script(.delay(pause, then: nil), on: "GET /accounts")
        network.comeBack()
        narrator.remark("the network is back")
        let answered = await pending.value
        let arrivals = await service.requests().map(\.receivedAt)
        let notices = terminal.messages
        guard arrivals.count > 1 else { return narrator.contradict("\(arrivals.count) requests") }
        let lead = arrivals[1] - arrivals[0]
        narrator.claim(
            lead >= pause && arrivals.count == commands,
            "1 request went first, alone for the \(seconds(lead)) until its answer; \(arrivals.count - 1) followed")
        let isClosed = await comesTrue { !terminal.isAsking }
        narrator.claim(notices == 1 && isClosed, "\(notices) notice, which went away by itself")
        narrator.claim(answered == commands, "\(answered) of \(commands) commands have their accounts")
    }

    /// How many of so many commands end well that are sent at the same time.
    ///
    /// - Parameter isCounted: whether a bar shows how many have ended.
    private func successes<Response: Sendable, Failure: Error>(
        of count: Int, isCounted: Bool = false, _ send: @escaping @Sendable () async -> Result<Response, Failure>
    ) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask {
                    guard case .success = await send() else { return false }
                    return true
                }
            }
            var progress = isCounted ? narrator.progress("commands", total: count) : nil
            var (ended, succeeded) = (0, 0)
            for await isDone in group {
                ended += 1
                progress?.update(to: ended)
                succeeded += isDone ? 1 : 0
            }
            progress?.finish()
            return succeeded
        }
    }
}
