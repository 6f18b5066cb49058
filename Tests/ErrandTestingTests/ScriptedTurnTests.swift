import BankClient
import ErrandRuntime
import ErrandTesting
import Testing

/// The scripts of a test for single requests.
#if !canImport(Darwin)
@Suite struct ScriptedTurnTests {
    private static func bank(_ simulation: Simulation) -> Bank {
        Bank(on: simulation.dispatcher, session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
    }

    private static let transfer = Bank.TransferFunds(fromAccount: 1, toAccount: 2, amount: 5)
    private static let once: @Sendable (inout CommandOptions) -> Void = { $0.attempts = 1 }

    @Test func turnsFollowEachOther() async throws {
        try await Simulation.run(seeds: 20) { simulation in
            let bank = Self.bank(simulation).with(Self.once)
            try simulation.server.next(Bank.ListAccounts.self, .asUsual)
            try simulation.server.next(Bank.ListAccounts.self, .fails("serverFault"))
            try simulation.server.next(Bank.GetAccount.self, .fails(.noSuchAccount(.declared)))
            _ = try await bank.listAccounts()
            #expect(await bank.result(of: Bank.ListAccounts()).failure?.context.name == "serverFault", "\(simulation)")
            #expect(await bank.result(of: Bank.GetAccount(accountID: 1)).failure?.context.name == "noSuchAccount")
            _ = try await bank.listAccounts()
            _ = try await bank.getAccount(accountID: 1)
        }
    }

    /// By its name and by its value, every error that a response can say.
    @Test func everyErrorOfTheContractComes() async throws {
        try await Simulation.run { simulation in
            let bank = Self.bank(simulation).with(Self.once)
            for name in simulation.server.errors(of: Bank.TransferFunds.self) where name != "sessionExpired" {
                try simulation.server.next(Bank.TransferFunds.self, .fails(name))
                let result = await bank.result(of: Self.transfer)
                #expect(result.failure?.context.name == name)
            }
            try simulation.server.next(Bank.TransferFunds.self, .fails(.insufficientFunds(.declared)))
            guard case .insufficientFunds(let details)? = await bank.result(of: Self.transfer).failure else {
                Issue.record("insufficientFunds")
                return
            }
            #expect(details.data != nil, "the server makes it up")
            #expect(simulation.server.carriedOut(Bank.TransferFunds.self).isEmpty)
        }
    }

    @Test(arguments: [
        CommandFault.Kind.unreachable, .insecure, .connectionLost, .timedOut, .throttled, .requestTimeout, .serverFault,
        .rejected, .malformed,
    ])
    func aBuiltInErrorComes(_ kind: CommandFault.Kind) async throws {
        try await Simulation.run(seeds: 5) { simulation in
            let bank = Self.bank(simulation).with(Self.once)
            _ = try await bank.logIn(user: "ada", password: "lovelace")
            try simulation.server.next(Bank.ListAccounts.self, .fails(kind.rawValue))
            try simulation.server.next(Bank.ListAccounts.self, .fails(.fault(CommandFault(kind))))
            for _ in 1...2 {
                let failure = await bank.result(of: Bank.ListAccounts()).failure
                #expect(failure?.context.name == kind.rawValue, "\(simulation)")
            }
        }
    }

    @Test func offlineCommandsWaitForTheNetwork() async throws {
        try await Simulation.run(seeds: 20) { simulation in
            let bank = Self.bank(simulation)
            try simulation.server.next(Bank.ListAccounts.self, .fails("offline"))
            _ = try await bank.listAccounts()
        }
    }

    @Test func aLateResponseIsLost() async throws {
        try await Simulation.run(seeds: 20) { simulation in
            let bank = Self.bank(simulation)
            try simulation.server.next(Bank.TransferFunds.self, .late(by: .seconds(30)))
            _ = try await bank.send(Self.transfer)
            #expect(simulation.server.received(Bank.TransferFunds.self).count == 2, "\(simulation)")
            #expect(simulation.server.carriedOut(Bank.TransferFunds.self).count == 1, "\(simulation)")
        }
    }

    @Test func aCardIsOrderedAndNobodyKnows() async throws {
        try await Simulation.run(seeds: 20) { simulation in
            let bank = Self.bank(simulation)
            try simulation.server.next(Bank.OrderCard.self, .carriedOutThenCut)
            guard case .unconfirmed? = await bank.result(of: Bank.OrderCard(accountID: 1)).failure else {
                Issue.record("unconfirmed, \(simulation)")
                return
            }
            #expect(simulation.server.carriedOut(Bank.OrderCard.self).count == 1, "\(simulation)")
        }
    }

    /// A gateway loses the response. The client sends the request again, and hears that it was done.
    @Test func anAccountIsClosedBeforeA503() async throws {
        try await Simulation.run(seeds: 20) { simulation in
            let bank = Self.bank(simulation)
            try simulation.server.next(Bank.CloseAccount.self, .carriedOutThen(status: 503))
            try await bank.send(Bank.CloseAccount(accountID: 1))
            #expect(simulation.server.received(Bank.CloseAccount.self).count == 2, "\(simulation)")
            #expect(simulation.server.carriedOut(Bank.CloseAccount.self).count == 1, "\(simulation)")
            try simulation.server.next(Bank.OrderCard.self, .carriedOutThen(status: 503))
            guard case .unconfirmed? = await bank.result(of: Bank.OrderCard(accountID: 1)).failure else {
                Issue.record("unconfirmed, \(simulation)")
                return
            }
            #expect(throws: UnknownContractError.self) {
                try simulation.server.next(Bank.CloseAccount.self, .carriedOutThen(status: 429))
            }
        }
    }

    /// A server that knows the key does not say that nothing was carried out.
    @Test func aKnownKeyComesBeforeAnError() async throws {
        try await Simulation.run(seeds: 20) { simulation in
            let bank = Self.bank(simulation)
            try simulation.server.next(Bank.TransferFunds.self, .carriedOutThenCut)
            try simulation.server.next(Bank.TransferFunds.self, .fails("insufficientFunds"))
            _ = try await bank.send(Self.transfer)
            #expect(simulation.server.carriedOut(Bank.TransferFunds.self).count == 1, "\(simulation)")
        }
    }

    @Test func aScriptedRequestMeetsNoOtherFault() async throws {
        try await Simulation.run(seeds: 20) { simulation in
            let bank = Self.bank(simulation).with(Self.once)
            _ = try await bank.logIn(user: "ada", password: "lovelace")
            simulation.server.faults = FaultPlan([.refused: 1])
            try simulation.server.next(Bank.ListAccounts.self, .asUsual)
            _ = try await bank.listAccounts()
        }
    }

    // MARK: What cannot be

    @Test func aMisspeltNameIsSuggested() throws {
        try Simulation.run(seed: 1) { simulation in
            let error = #expect(throws: UnknownContractError.self) {
                try simulation.server.next(Bank.TransferFunds.self, .fails("insufficentFunds"))
            }
            let text = "\(error.map { "\($0)" } ?? "")"
            #expect(
                text.hasPrefix(
                    "no response says 'insufficentFunds' to Bank.transferFunds: did you mean 'insufficientFunds'? there are"
                ),
                "\(text)")
            #expect(text.contains("throttled"), "\(text)")
            let builtIn = #expect(throws: UnknownContractError.self) {
                try simulation.server.next(Bank.TransferFunds.self, .fails("throtled"))
            }
            #expect(builtIn?.description.contains("did you mean 'throttled'?") == true)
            let far = #expect(throws: UnknownContractError.self) {
                try simulation.server.fail(Bank.TransferFunds.self, with: "somethingElse")
            }
            #expect(far?.description.contains("did you mean") == false)
            let outcome = #expect(throws: UnknownContractError.self) {
                try simulation.server.answer(Bank.TransferFunds.self, withOutcome: "needsAproval")
            }
            #expect(outcome?.description.contains("did you mean 'needsApproval'?") == true)
        }
    }

    @Test func whatTheContractRulesOutIsRefused() throws {
        try Simulation.run(seed: 1) { simulation in
            for name in [
                "bodyChanged", "cancelled", "invalidRequest", "localFault", "localStorageFull", "sessionEnded",
                "unconfirmed",
            ] {
                #expect(throws: UnknownContractError.self) {
                    try simulation.server.next(Bank.TransferFunds.self, .fails(name))
                }
            }
            let refused = #expect(throws: UnknownContractError.self) {
                try simulation.server.next(Bank.LogIn.self, .fails("insufficientFunds"))
            }
            #expect(refused?.endpoint == "Bank.logIn")
        }
    }
}
#endif
