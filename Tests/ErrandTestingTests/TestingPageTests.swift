import BankClient
import ErrandStubs
import ErrandTesting
import Foundation
import PresenceClient
import Testing

// The examples of docs/testing.md, as they are there (`scripts/check pages`).
#if !canImport(Darwin)
@Test func ordersWhileTheSessionExpires() async throws {
    try await Simulation.run(seeds: 20) { simulation in
        let bank = Bank(on: simulation.dispatcher, session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
        _ = try await bank.logIn(user: "ada", password: "lovelace")
        simulation.server.expireSessions(after: .milliseconds(40))
        await withTaskGroup(of: Void.self) { group in
            for account in 1...100 {
                group.addTask { _ = try? await bank.transferFunds(fromAccount: account, toAccount: 0, amount: 5) }
            }
        }
        #expect(simulation.server.carriedOut(Bank.LogIn.self).count == 2, "\(simulation)")
        #expect(simulation.server.carriedOut(Bank.TransferFunds.self).count == 100, "\(simulation)")
    }
}

@Test func twoOutagesThenAResponse() async throws {
    try await Simulation.run(seeds: 1_000) { simulation in
        let bank = Bank(on: simulation.dispatcher, session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
        try simulation.server.next(Bank.ListAccounts.self, .status(503), times: 2)
        #expect(try await !bank.listAccounts().isEmpty)
        #expect(simulation.server.received(Bank.ListAccounts.self).count == 3, "\(simulation)")
    }
}

@Test func theTokenExpires() async throws {
    try await Simulation.run(seeds: 1_000) { simulation in
        let bank = Bank(on: simulation.dispatcher, session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
        try simulation.server.next(Bank.TransferFunds.self, .sessionExpires)
        _ = try await bank.transferFunds(fromAccount: 1, toAccount: 2, amount: 5)
        #expect(simulation.server.carriedOut(Bank.LogIn.self).count == 2, "\(simulation)")
    }
}

@Test func theOrderIsBookedAndTheResponseIsLost() async throws {
    try await Simulation.run(seeds: 1_000) { simulation in
        let bank = Bank(on: simulation.dispatcher, session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
        try simulation.server.next(Bank.TransferFunds.self, .carriedOutThenCut)
        _ = try await bank.transferFunds(fromAccount: 1, toAccount: 2, amount: 5)
        #expect(simulation.server.carriedOut(Bank.TransferFunds.self).count == 1, "\(simulation)")
    }
}

@Test func theRoomSurvivesARestart() async throws {
    try await Simulation.run(seeds: 100) { simulation in
        let session = Session { Presence.LogIn(user: "ada", password: "lovelace") }
        let presence = Presence(on: simulation.dispatcher, session: session)
        let server = simulation.server
        server.keepOpen(Presence.Follow.self)
        async let seen = presence.follow(room: 1).prefix(2).reduce(into: []) { $0.append($1.seq) }
        await simulation.sleep(for: .seconds(1))
        try server.send(.json(#"{"seq": 1, "user": 7, "kind": "entered"}"#), to: Presence.Follow.self)
        await simulation.sleep(for: .seconds(1))
        try server.next(Presence.SendMessage.self, .carriedOutThenCut)
        _ = try await presence.sendMessage(room: 1, text: "hello")
        server.cut(.restart)
        try server.send(.json(#"{"seq": 2, "user": 7, "kind": "left"}"#), to: Presence.Follow.self)
        #expect(try await seen == [1, 2], "\(simulation)")
        #expect(server.carriedOut(Presence.SendMessage.self).count == 1, "\(simulation)")
        #expect(server.carriedOut(Presence.LogIn.self).count == 1, "\(simulation)")
    }
}
#endif

@Test func aBankWithoutAServer() async throws {
    let bank = Bank().stubbed {
        $0.on(Bank.CloseAccount.self) { command in print("closed \(command.accountID)") }
        $0.on(Bank.GetAccount.self) { command throws(Bank.GetAccountFailure) in
            guard command.accountID == 1 else { throw .noSuchAccount(.declared) }
            return Bank.Account(id: 1, owner: "Ada", balance: 5, status: .active, openedAt: .now)
        }
        $0.fail(Bank.TransferFunds.self, with: .insufficientFunds(.declared(.init(fromAccount: 1, amount: 5))))
        $0.fail(Bank.ListAccounts.self, with: .fault(CommandFault(.offline)))
    }
    #expect(try await bank.getAccount(accountID: 1).balance == 5)
    let failure = await #expect(throws: Bank.GetAccountFailure.self) { try await bank.getAccount(accountID: 2) }
    #expect(failure?.localizedDescription == "This account does not exist.")
}

/// docs/testing.md lists what there is.
@Suite struct TestingPageTests {
    private static func read(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func thePageNamesEveryFault() throws {
        let page = try Self.read("docs/testing.md")
        for word in [
            "refused", "before, during and after", "during the response", "late", "doubled", "429", "500", "502", "503",
            "504",
        ] {
            #expect(page.contains(word), "\(word)")
        }
    }
}
