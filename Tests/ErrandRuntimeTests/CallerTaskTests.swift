import BankClient
import ErrandTesting
import Testing

@testable import ErrandRuntime

private enum Caller {
    @TaskLocal static var name: String?
}

/// The properties that a shared task has from the command that started it.
private struct Sighting: Sendable {
    let name: String?
    let priority: TaskPriority

    init() {
        name = Caller.name
        priority = Task.currentPriority
    }
}

/// Keeps what shared tasks saw.
private final class Lookout: Sendable {
    private let sightings = LockedState<[Sighting]> { [] }

    func look() {
        let sighting = Sighting()
        sightings.withLock { $0.append(sighting) }
    }

    /// Runs work as a command of low priority with a task-local value.
    func run(_ work: @escaping @Sendable () async -> Void) async {
        let (ended, end) = AsyncStream<Void>.makeStream()
        // Waiting for the task itself would raise its priority.
        _ = Task(priority: .background) {
            await Caller.$name.withValue("first") { await work() }
            end.finish()
        }
        for await _ in ended {}
    }

    func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) {
        let found = sightings.withLock { $0 }
        #expect(!found.isEmpty, sourceLocation: sourceLocation)
        for sighting in found {
            #expect(sighting.name == nil, sourceLocation: sourceLocation)
            #expect(sighting.priority > .background, sourceLocation: sourceLocation)
        }
    }
}

/// A clock that notes at each sleep which task sleeps.
private struct WatchingClock: Clock {
    let lookout: Lookout
    private let clock = InstantClock()

    init(_ lookout: Lookout) { self.lookout = lookout }

    var now: InstantClock.Instant { clock.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: InstantClock.Instant, tolerance: Duration?) async throws {
        lookout.look()
        try await clock.sleep(until: deadline, tolerance: tolerance)
    }
}

/// A network that is there, and notes which task asks.
private struct WatchingMonitor: PathMonitor {
    let lookout: Lookout
    var current: NetworkPath { NetworkPath(isSatisfied: true, kind: .wiFi) }

    func paths() -> AsyncStream<NetworkPath> {
        lookout.look()
        return AsyncStream { $0.finish() }
    }
}

private struct WatchingResponder: Responder {
    let lookout: Lookout

    func respond(to incident: Incident) async -> IncidentAnswer {
        lookout.look()
        return .fail
    }
}

/// Tasks that work for many commands take over nothing of the one that starts them, except the scopes in which it runs.
@Suite(.timeLimit(.minutes(1)), .overSocketsToo) struct CallerTaskTests {
    private let lookout = Lookout()

    @Test func aLoginClosureIsNotTheFirstCommands() async {
        let session = Session { [lookout] () -> Bank.LogIn? in
            lookout.look()
            return nil
        }
        let bank = Bank(on: Dispatcher(transport: ScriptedTransport { _, _ in .json(401, "") }), session: session)
        await lookout.run { _ = await bank.result(of: Bank.ListAccounts()) }
        lookout.expectNothing()
    }

    @Test func aResponderIsNotTheFirstCommands() async {
        let dispatcher = Dispatcher(
            transport: ScriptedTransport { _, _ in .json(503, "") }, responder: WatchingResponder(lookout: lookout),
            settings: DispatcherSettings(retry: .never))
        await lookout.run { _ = await Bank(on: dispatcher, session: .begun).result(of: Bank.ListAccounts()) }
        lookout.expectNothing()
    }

    @Test func theNetworkIsNotWatchedInTheFirstCommandsTask() async {
        await lookout.run { [lookout] in
            let transport = ScriptedTransport.scripted { (_, number) async throws(TransportFault) in
                if number == 1 { throw TransportFault(.offline, evidence: .notSent) }
                return .json(200, noAccounts)
            }
            let dispatcher = Dispatcher(
                transport: transport, network: WatchingMonitor(lookout: lookout),
                environment: DispatcherEnvironment(clock: WatchingClock(lookout)))
            _ = await Bank(on: dispatcher, session: .begun).result(of: Bank.ListAccounts())
        }
        lookout.expectNothing()
    }

    /// The closure of one session needs the other session, whose closure needs the first one. Both run in tasks of their own,
    /// and neither may wait for itself.
    @Test func loginClosuresOfTwoSessionsNest() async {
        let banks = LockedState<[Bank]> { [] }
        let dispatcher = Dispatcher(transport: ScriptedTransport { _, _ in .json(401, "") })
        for other in [1, 0] {
            let session = Session { () -> Bank.LogIn? in
                let bank = banks.withLock { $0[other] }
                _ = await bank.result(of: Bank.ListAccounts())
                return nil
            }
            banks.withLock { $0.append(Bank(on: dispatcher, session: session)) }
        }
        let first = banks.withLock { $0[0] }
        guard case .failure = await first.result(of: Bank.ListAccounts()) else {
            Issue.record("it succeeded without a session")
            return
        }
    }

    /// A responder's command needs a login, whose closure sends a command that fails: the responder is still busy with its
    /// first question.
    @Test func aLoginWithinAResponderAsksItNothing() async {
        let transport = ScriptedTransport.scripted { _, _ in .json(503, "") }
        let settings = DispatcherSettings(retry: .never)
        let app = LoggingInResponder()
        let plain = Bank(on: Dispatcher(transport: transport, responder: app, settings: settings), session: .begun)
        let session = Session { () -> Bank.LogIn? in
            _ = await plain.result(of: Bank.ListAccounts())
            return nil
        }
        app.bank.withLock { $0 = Bank(on: plain.binding.dispatcher, session: session) }
        _ = await plain.result(of: Bank.ListAccounts())
        #expect(app.asked.withLock { $0 } == 1)
    }
}

private final class LoggingInResponder: Responder {
    let bank = LockedState<Bank?> { nil }
    let asked = LockedState<Int> { 0 }

    func respond(to incident: Incident) async -> IncidentAnswer {
        asked.withLock { $0 += 1 }
        _ = await bank.withLock { $0 }?.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 500))
        return .fail
    }
}
