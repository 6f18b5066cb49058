import AuthClient
import BankClient
import ErrandRuntime
import ErrandTesting
import EverythingClient
import Foundation
import FriendsClient
import LiveClient
import Testing

/// The server's own behavior, and its behavior by a test's settings.
@Suite struct SimulatedServerTests {
    @Test func aRefreshTokenRenewsTheSessionOfTwoContracts() async throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try await Simulation.run(seeds: 20) { simulation in
            let session = Session()
            let auth = Auth(
                on: simulation.dispatcher, session: session, common: .init(clientID: "app"), clientSecret: "secret")
            let friends = Friends(on: simulation.dispatcher, session: session, common: .init(deviceID: "d"))
            _ = try await auth.logIn(user: "ada", password: "lovelace")
            _ = try await auth.whoAmI()
            simulation.server.expireSessions()
            async let me = auth.whoAmI()
            async let others = friends.listUsers()
            _ = try await (me, others)
            #expect(simulation.server.carriedOut(Auth.LogIn.self).count == 1, "\(simulation)")
            #expect(simulation.server.carriedOut(Auth.RefreshSession.self).count == 1, "\(simulation)")
            simulation.server.expireSessions(refreshTokens: true)
            let result = await auth.result(of: Auth.WhoAmI())
            guard case .failure(.sessionExpired) = result else { throw Unexpected() }
        }
    }

    /// A token ends by itself when the contract says how long it lasts, and the client knows before it asks.
    @Test func tokensEndWhenTheirTimeIsOver() async throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try await Simulation.run { simulation in
            let auth = Auth(on: simulation.dispatcher, common: .init(clientID: "app"), clientSecret: "secret")
            simulation.server.tokenLifetime = .seconds(100)
            _ = try await auth.logIn(user: "ada", password: "lovelace")
            await simulation.sleep(for: .seconds(101))
            _ = try await auth.whoAmI()
            #expect(simulation.server.received(Auth.WhoAmI.self).count == 1)
            #expect(simulation.server.received(Auth.RefreshSession.self).count == 1)
        }
    }

    @Test func aTokenInAParameterIsFound() async throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try await Simulation.run { simulation in
            let session = Session { Live.LogIn(phone: "+49301234567", code: "1234") }
            let live = Live(
                on: simulation.dispatcher, session: session, common: .init(appVersion: "1"), privateKey: "secret")
            let rooms = try await live.listRooms()
            #expect(!rooms.isEmpty)
            _ = try await live.followHost(hostID: 1)
            simulation.server.expireSessions()
            _ = try await live.followHost(hostID: 2)
            #expect(simulation.server.carriedOut(Live.LogIn.self).count == 2)
        }
    }

    /// The key is found in the header and in the field that the contract names.
    @Test func aKeyIsKnownWhereverItTravels() async throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try await Simulation.run(seeds: 20) { simulation in
            let client = Everything(
                .fixed, on: simulation.dispatcher, common: .init(xDevice: UUID(), apiKey: "k"), secretKey: "s")
            try simulation.server.next(Everything.PayByHeader.self, .carriedOutThenCut)
            try simulation.server.next(Everything.PayByField.self, .carriedOutThenCut)
            try simulation.server.next(Everything.PayWhole.self, .carriedOutThenCut)
            _ = try await client.payByHeader(amount: 5)
            _ = try await client.payByField(amount: 5)
            _ = try await client.payWhole(body: Everything.Ping(name: "n", pong: nil))
            #expect(simulation.server.carriedOut.count == 3, "\(simulation)")
            #expect(simulation.server.received.count == 6, "\(simulation)")
            #expect(Set(simulation.server.received.map(\.idempotencyKey)).count == 3, "\(simulation)")
            // The read finds it by the same key.
            try simulation.server.next(Everything.PayByField.self, .carriedOutThenCut)
            try simulation.server.next(Everything.PayByField.self, .cut, times: 5)
            _ = try await client.payByField(amount: 6)
            #expect(simulation.server.received(Everything.FindPayment.self).count == 1, "\(simulation)")
        }
    }

    /// The contract says `lifetime: 6h`.
    @Test func aKeyIsForgottenAfterItsLifetime() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try Simulation.run(seed: 1) { simulation in
            var request = TransportRequest(
                method: .post, url: "https://everything.example/pay/header", headers: ["X-Request-Id": "one"],
                body: Array(#"{"amount": 5}"#.utf8), endpoint: "Everything.payByHeader")
            request.command = Everything.PayByHeader.self
            for (pause, count) in [(0, 1), (5 * 3600, 1), (3600, 2), (5 * 3600, 2)] {
                await simulation.sleep(for: .seconds(pause))
                _ = try await simulation.server.send(request)
                #expect(simulation.server.carriedOut.count == count, "after \(pause) s")
            }
        }
    }

    /// A response is complete, also where the optional member is the last one, and a test says who logs in.
    @Test func aResponseHasItsOptionalMembers() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try Simulation.run(seed: 1) { simulation in
            let bank = Bank(on: simulation.dispatcher)
            let first = try await bank.logIn(user: "ada", password: "lovelace")
            #expect(first.customer == 1)
            simulation.server.user = 2
            let second = try await bank.logIn(user: "eve", password: "harrington")
            #expect(second.customer == 2)
            let accounts = try await bank.listAccounts()
            #expect(accounts.allSatisfy { $0.nickname != nil })
        }
    }

    @Test func anErrorIsAnsweredAsOftenAsWanted() async throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try await Simulation.run { simulation in
            let bank = Bank(on: simulation.dispatcher)
            simulation.server.accept(token: "mine")
            await bank.binding.session.begin(SessionTokens(access: "mine"))
            try simulation.server.fail(Bank.TransferFunds.self, with: "insufficientFunds", times: 1)
            let command = Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 500)
            guard case .failure(.insufficientFunds(let details)) = await bank.result(of: command) else {
                throw Unexpected()
            }
            #expect(details.data != nil)
            _ = try await bank.send(command)
            #expect(simulation.server.carriedOut(Bank.TransferFunds.self).count == 1)
            #expect(throws: UnknownContractError.self) {
                try simulation.server.fail(Bank.LogIn.self, with: "insufficientFunds")
            }
        }
    }

    @Test func anOutcomeIsAnswered() async throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try await Simulation.run { simulation in
            let bank = Bank(
                on: simulation.dispatcher, session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
            try simulation.server.answer(Bank.TransferFunds.self, withOutcome: "needsApproval", times: 1)
            let command = Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 500)
            guard case .needsApproval(let approval) = try await bank.send(command) else { throw Unexpected() }
            #expect(approval?.approver.isEmpty == false)
            guard case .completed = try await bank.send(command) else { throw Unexpected() }
            #expect(throws: UnknownContractError.self) {
                try simulation.server.answer(Bank.TransferFunds.self, withOutcome: "isUnknown")
            }
        }
    }

    @Test func aClosureAnswers() async throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try await Simulation.run { simulation in
            let bank = Bank(on: simulation.dispatcher)
            simulation.server.on(Bank.LogIn.self) { call in
                .json(#"{"data": {"token": "\#(call.json?["user"]?.string ?? "") \#(call.number)"}}"#)
            }
            let first = try await bank.logIn(user: "ada", password: "lovelace").token
            #expect(first == "ada 1")
            let second = try await bank.logIn(user: "eve", password: "lovelace").token
            #expect(second == "eve 2")
            simulation.server.reset(Bank.LogIn.self)
            let third = try await bank.logIn(user: "eve", password: "lovelace").token
            #expect(third.hasPrefix("simulated"))
        }
    }

    /// A new login is by the same user, so the commands of the session continue.
    @Test func everyLoginIsOneUser() async throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try await Simulation.run(seeds: 20) { simulation in
            let live = Live(on: simulation.dispatcher, common: .init(appVersion: "1"), privateKey: "secret")
            for _ in 1...3 {
                let login = try await live.logIn(phone: "+49301234567", code: "1234")
                #expect(Live.LogIn.tokens(from: login).identity == "1", "\(simulation)")
            }
        }
    }

    /// An order that was cut off in the end is found by the read that the contract names, one that never came is not.
    @Test func anOpenOutcomeIsSettledByTheTruth() async throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        for fault in [FaultPlan.Fault.cutAfter, .cutBefore] {
            try await Simulation.run(seeds: 10) { simulation in
                let bank = Bank(
                    on: simulation.dispatcher, session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
                _ = try await bank.logIn(user: "ada", password: "lovelace")
                simulation.server.faults = FaultPlan([fault: 1])
                let order = simulation.task {
                    await bank.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 500))
                }
                // Two attempts fail, within seconds. Then the read finds out, and where it finds nothing, the order is sent once more.
                while simulation.log.filter({ $0.contains("transferFunds ✗") }).count < 2 {
                    await simulation.sleep(for: .milliseconds(1))
                }
                simulation.server.faults = .none
                switch await order.value {
                case .success:
                    #expect(simulation.server.carriedOut(Bank.TransferFunds.self).count == 1, "\(fault), \(simulation)")
                // The read was under way already when the faults ended.
                case .failure(.unconfirmed):
                    #expect(simulation.log.contains { $0.contains("findTransfer ✗") }, "\(fault), \(simulation)")
                case .failure(let failure): throw failure
                }
            }
        }
    }

    /// A server with an error for what was done already says it to each further request, and the client knows when that is a success.
    @Test func whatWasDoneAlreadyIsSaid() async throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try await Simulation.run(seeds: 5) { simulation in
            let bank = Bank(
                on: simulation.dispatcher, session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
            _ = try await bank.logIn(user: "ada", password: "lovelace")
            try await bank.closeAccount(accountID: 1)
            guard case .failure(.accountClosed) = await bank.result(of: Bank.CloseAccount(accountID: 1)) else {
                throw Unexpected()
            }
            simulation.server.faults = FaultPlan([.cutAfter: 1])
            let closing = simulation.task { await bank.result(of: Bank.CloseAccount(accountID: 2)) }
            while simulation.server.carriedOut(Bank.CloseAccount.self).count < 2 {
                await simulation.sleep(for: .milliseconds(1))
            }
            simulation.server.faults = .none
            try await closing.value.get()
            #expect(simulation.server.carriedOut(Bank.CloseAccount.self).count == 2)
        }
    }

    private struct Unexpected: Error {}
}
