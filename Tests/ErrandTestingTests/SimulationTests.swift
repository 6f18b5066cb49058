import BankClient
import ErrandRuntime
import ErrandTesting
import Testing

/// Time, tasks and chance of a simulation.
@Suite struct SimulationTests {
    /// Everything that the seed decides about: faults, pauses, keys, turns.
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private func troubledRun(_ seed: UInt64) throws -> [String] {
        try Simulation.run(seed: seed) { simulation in
            simulation.server.faults = FaultPlan(rate: 0.4)
            let bank = Bank(
                on: simulation.dispatcher, session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
            await withTaskGroup(of: Void.self) { group in
                for account in 1...20 {
                    group.addTask {
                        let result = await bank.result(
                            of: Bank.TransferFunds(fromAccount: account, toAccount: 5, amount: 500))
                        simulation.note("\(account): \(result)")
                    }
                }
            }
            for entry in simulation.server.received {
                simulation.note("\(entry.endpoint) \(entry.idempotencyKey ?? "") \(entry.text)")
            }
            return simulation.log
        }
    }

    @Test func theSameSeedGivesTheSameRun() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        var logs: Set<[String]> = []
        var digest: UInt64 = 14_695_981_039_346_656_037
        for seed in UInt64(1)...50 {
            let log = try troubledRun(seed)
            for byte in log.joined().utf8 { digest = (digest ^ UInt64(byte)) &* 1_099_511_628_211 }
            #expect(log.count > 20, "seed \(seed)")
            #expect(try troubledRun(seed) == log, "seed \(seed)")
            logs.insert(log)
        }
        #expect(logs.count == 50, "a seed that decides nothing")
        // The same in every process, with any hashing seed: compare two runs of the test.
        print("Logs of 50 seeds: \(String(digest, radix: 16))")
    }

    @Test func sleepingTakesVirtualTimeOnly() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        let order = try Simulation.run(seed: 1) { simulation in
            await withTaskGroup(of: Void.self) { group in
                for hours in [3, 1, 2] {
                    group.addTask {
                        await simulation.sleep(for: .seconds(hours * 3600))
                        simulation.note("\(hours)")
                    }
                }
            }
            #expect(simulation.clock.now.offset == .seconds(3 * 3600))
            return simulation.log
        }
        #expect(order == ["3600.000000 1", "7200.000000 2", "10800.000000 3"])
    }

    @Test func tasksTakeTurnsAsTheSeedSays() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        var orders: Set<[String]> = []
        for seed in UInt64(0)..<100 {
            orders.insert(
                try Simulation.run(seed: seed) { simulation in
                    await withTaskGroup(of: Void.self) { group in
                        for name in ["a", "b", "c"] { group.addTask { simulation.note(name) } }
                    }
                    return simulation.log
                })
        }
        #expect(orders.count == 6, "all orders of three: \(orders)")
    }

    @Test func aCancelledSleepEndsAtOnce() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try Simulation.run(seed: 1) { simulation in
            let sleeper = simulation.task { await simulation.sleep(for: .seconds(100)) }
            await simulation.sleep(for: .seconds(1))
            sleeper.cancel()
            await sleeper.value
            #expect(simulation.clock.now.offset == .seconds(1))
        }
    }

    @Test func aCommandThatWaitsForEverIsFound() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        let failure = #expect(throws: SimulationFailure.self) {
            try Simulation.run(seed: 77) { simulation in
                let session = Session(tokens: SessionTokens(access: "token"))
                let bank = Bank(on: simulation.dispatcher, session: session).with { $0.patience = .forever }
                simulation.network.goAway()
                try await bank.logOut()
            }
        }
        guard case .hang? = failure?.reason else { throw try #require(failure) }
        #expect(failure?.waiting.map(\.endpoint) == ["logOut"])
        #expect(failure?.waiting.map(\.place) == [.connectivity])
        #expect(failure?.description.contains("ERRAND_SEED=77") == true)
    }

    /// Thousands of runs in one process must not add up, even if the body's closures retain objects.
    @Test func aRunLeavesNothingBehind() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        let left = try Simulation.run(seed: 80) { simulation -> WeakSimulation in
            simulation.server.on(Bank.LogOut.self) { _ in
                simulation.note("logged out")
                return TransportResponse(status: 200)
            }
            let bank = Bank(
                on: simulation.makeDispatcher(responder: Keeper(simulation: simulation)),
                session: Session(tokens: SessionTokens(access: "token")))
            _ = await bank.result(of: Bank.LogOut())
            return WeakSimulation(simulation)
        }
        #expect(left.simulation == nil)
    }

    @Test func aLoginThatNeverComesIsFound() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        let failure = #expect(throws: SimulationFailure.self) {
            try Simulation.run(seed: 79) { simulation in
                let session = Session { () -> Bank.LogIn? in
                    for await _ in AsyncStream<Never>.makeStream().stream {}
                    // The run is over by then, and has cancelled all tasks.
                    return nil
                }
                let bank = Bank(on: simulation.dispatcher, session: session).with { $0.patience = .forever }
                _ = try await bank.getAccount(accountID: 1)
            }
        }
        print(failure.map { "\($0)" } ?? "")
        #expect(failure?.waiting.map(\.place) == [.session])
        #expect(failure?.waiting.map(\.endpoint) == ["getAccount"])
    }

    @Test func whatTheBodyThrowsComesWithTheSeed() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        let failure = #expect(throws: SimulationFailure.self) {
            try Simulation.run(seed: 78) { simulation in
                simulation.server.isDown = true
                let session = Session(tokens: SessionTokens(access: "token"))
                try await Bank(on: simulation.dispatcher, session: session).logOut()
            }
        }
        #expect(failure?.description.contains("seed 78") == true)
        guard case .failed(let error)? = failure?.reason else { throw try #require(failure) }
        #expect((error as? any CommandFailure)?.context.name == "unreachable")
    }

    /// A responder on the main actor is outside; a run waits for it before it calls anything a hang.
    @Test func workOutsideIsWaitedFor() async throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        struct Screen: Responder {
            @MainActor func respond(to incident: Incident) async -> IncidentAnswer { .fail }
        }
        try await Simulation.run { simulation in
            simulation.server.isDown = true
            let bank = Bank(
                on: simulation.makeDispatcher(responder: Screen()),
                session: Session(tokens: SessionTokens(access: "token")))
            let result = await bank.result(of: Bank.LogOut())
            guard case .failure = result else { throw NothingFailed() }
        }
    }

    private struct NothingFailed: Error {}

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private struct Keeper: Responder {
        let simulation: Simulation
        func respond(to incident: Incident) async -> IncidentAnswer { .fail }
    }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private struct WeakSimulation: Sendable {
        weak var simulation: Simulation?

        init(_ simulation: Simulation) { self.simulation = simulation }
    }
}
