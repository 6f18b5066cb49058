import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// Reads that share a request: who gets which response, and what each command keeps for itself.
@Suite(.timeLimit(.minutes(1)), .overSocketsToo) struct SharedReadTests {
    private let stage = Stage()

    /// A bank with a login, whose server answers a request when the test lets it.
    private func makeBank(
        observers: [any CommandObserver] = [], settings: DispatcherSettings = DispatcherSettings()
    ) async -> (Bank, ScriptedTransport) {
        let stage = stage
        let transport = ScriptedTransport.scripted { request, number throws(TransportFault) in
            guard await stage.pass(number) else {
                stage.noteCancellation()
                throw TransportFault(.cancelled, evidence: .sent)
            }
            if request.method != .get { return TransportResponse(status: 204) }
            return stage.answer(number) ?? .json(200, "\(number)")
        }
        let environment = DispatcherEnvironment(clock: InstantClock(), generator: SeededGenerator(seed: 7))
        let bank = Bank(
            on: Dispatcher(
                transport: transport, observers: observers, settings: settings, environment: environment),
            session: Session())
        await bank.binding.session.begin(SessionTokens(access: "first", identity: "ada"))
        return (bank, transport)
    }

    private func read(_ bank: Bank, _ number: Int = 1) -> Task<Result<Int, CommandFault>, Never> {
        Task { await bank.result(of: Glance(number: number)).map { $0 } }
    }

    /// Starts a read, and waits until it has a place at a request.
    private func readJoined(_ bank: Bank, _ number: Int = 1) async -> Task<Result<Int, CommandFault>, Never> {
        let before = bank.binding.dispatcher.sharedAttempts.counts.waiters
        let task = read(bank, number)
        await until { bank.binding.dispatcher.sharedAttempts.counts.waiters > before }
        return task
    }

    @Test func equalReadsShareOneRequest() async throws {
        let (bank, transport) = await makeBank()
        var tasks: [Task<Result<Int, CommandFault>, Never>] = []
        for _ in 1...5 { tasks.append(await readJoined(bank)) }
        let other = await readJoined(bank, 2)
        #expect(bank.binding.dispatcher.sharedAttempts.counts.attempts == 2)
        await until { transport.requests.count == 2 }
        stage.open(1)
        stage.open(2)
        for task in tasks { #expect(try await task.value.get() == 1) }
        #expect(try await other.value.get() == 2)
        #expect(transport.paths == ["GET /v1/glances/1", "GET /v1/glances/2"])
        #expect(bank.binding.dispatcher.sharedAttempts.counts == (0, 0))
    }

    @Test func oneWhoLeavesLeavesTheOthersAlone() async throws {
        let (bank, transport) = await makeBank()
        let first = await readJoined(bank)
        let second = await readJoined(bank)
        let third = await readJoined(bank)
        first.cancel()
        #expect(await first.value.failure?.kind == .cancelled)
        second.cancel()
        #expect(await second.value.failure?.kind == .cancelled)
        #expect(!stage.isCancelled)
        await until { transport.requests.count == 1 }
        stage.open(1)
        #expect(try await third.value.get() == 1)
        #expect(transport.requests.count == 1)
    }

    @Test(.inMemoryOnly("the script sees no end of a connection")) func theLastOneToLeaveCancelsTheRequest() async {
        let (bank, transport) = await makeBank()
        let first = await readJoined(bank)
        let second = await readJoined(bank)
        await until { transport.requests.count == 1 }
        first.cancel()
        _ = await first.value
        #expect(!stage.isCancelled)
        second.cancel()
        #expect(await second.value.failure?.kind == .cancelled)
        #expect(stage.isCancelled)
        #expect(bank.binding.dispatcher.sharedAttempts.counts == (0, 0))
    }

    /// Whatever the write's result, it may have changed what a read shows.
    @Test(arguments: [204, 422]) func aReadAfterAWriteIsSentItself(status: Int) async throws {
        let (bank, transport) = await makeBank()
        let before = await readJoined(bank)
        await until { transport.requests.count == 1 }
        stage.set(2, .json(status, ""))
        stage.open(2)
        _ = await bank.result(of: Alter())
        let after = await readJoined(bank)
        #expect(bank.binding.dispatcher.sharedAttempts.counts.attempts == 2)
        let afterToo = await readJoined(bank)
        stage.open(3)
        #expect(try await after.value.get() == 3)
        #expect(try await afterToo.value.get() == 3)
        stage.open(1)
        #expect(try await before.value.get() == 1)
        #expect(transport.requests.count == 3)
    }

    @Test func anotherLoginHasARequestOfItsOwn() async throws {
        let (bank, transport) = await makeBank()
        let first = await readJoined(bank)
        // The same token, so that only the login tells the two requests apart.
        await bank.binding.session.begin(SessionTokens(access: "first", identity: "grace"))
        let second = await readJoined(bank)
        await until { transport.requests.count == 2 }
        stage.open(2)
        #expect(try await second.value.get() == 2)
        stage.open(1)
        #expect(try await first.value.get() == 1)
    }

    @Test func anotherHeaderIsAnotherRequest() async throws {
        let (bank, transport) = await makeBank()
        let first = await readJoined(bank)
        let german = bank.with { $0.headers = ["Accept-Language": "de"] }
        let second = await readJoined(german)
        let third = await readJoined(german)
        await until { transport.requests.count == 2 }
        stage.open(2)
        #expect(try await second.value.get() == 2)
        #expect(try await third.value.get() == 2)
        stage.open(1)
        #expect(try await first.value.get() == 1)
    }

    /// Each decides about the failure itself, and the retries share a request, too.
    @Test func retriesShareARequest() async throws {
        let (bank, transport) = await makeBank()
        var tasks: [Task<Result<Int, CommandFault>, Never>] = []
        for _ in 1...3 { tasks.append(await readJoined(bank)) }
        stage.set(1, .json(503, ""))
        await until { transport.requests.count == 1 }
        stage.open(1)
        await until { bank.binding.dispatcher.sharedAttempts.counts.waiters == 3 && transport.requests.count == 2 }
        stage.open(2)
        for task in tasks { #expect(try await task.value.get() == 2) }
        #expect(transport.requests.count == 2)
    }

    @Test func eachCommandHasEventsOfItsOwn() async throws {
        let log = SharedEventLog()
        let (bank, _) = await makeBank(observers: [log])
        let tasks = [await readJoined(bank), await readJoined(bank), await readJoined(bank)]
        stage.open(1)
        for task in tasks { _ = try await task.value.get() }
        let events = log.events
        #expect(events.filter { $0 == "sent" }.count == 1)
        #expect(events.filter { $0 == "shared" }.count == 2)
        #expect(events.filter { $0 == "ended 200" }.count == 3)
        #expect(events.filter { $0 == "settled 1" }.count == 3)
    }

    /// The place of a request at its host is free when the request has ended, also if its first command has left.
    @Test func theRequestKeepsItsPlaceAtTheHost() async throws {
        let (bank, transport) = await makeBank(settings: DispatcherSettings(maximumRequestsPerHost: 1))
        let first = await readJoined(bank)
        let second = await readJoined(bank)
        first.cancel()
        _ = await first.value
        let other = read(bank, 2)
        await until { bank.binding.dispatcher.waitingCount == 1 }
        #expect(bank.binding.dispatcher.sharedAttempts.counts.attempts == 1)
        stage.open(1)
        #expect(try await second.value.get() == 1)
        await until { transport.requests.count == 2 }
        stage.open(2)
        #expect(try await other.value.get() == 2)
    }
}

/// Holds the responses until the test lets them go.
private final class Stage: Sendable {
    private struct State {
        var doors: [Int: Suspension<Bool>] = [:]
        var answers: [Int: TransportResponse] = [:]
        var isCancelled = false
    }

    private let state = LockedState { State() }

    private func door(_ number: Int) -> Suspension<Bool> {
        state.withLock { state in
            let door = state.doors[number] ?? Suspension()
            state.doors[number] = door
            return door
        }
    }

    func pass(_ number: Int) async -> Bool { await door(number).value(ifCancelled: false) }
    func open(_ number: Int) { door(number).end(true) }
    func set(_ number: Int, _ answer: TransportResponse) { state.withLock { $0.answers[number] = answer } }
    func answer(_ number: Int) -> TransportResponse? { state.withLock { $0.answers[number] } }
    func noteCancellation() { state.withLock { $0.isCancelled = true } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }
}

private final class SharedEventLog: CommandObserver {
    private let lines = LockedState<[String]> { [] }
    var events: [String] { lines.withLock { $0 } }

    func observe(_ event: CommandEvent) {
        let line =
            switch event.kind {
            case .attemptStarted(let attempt): attempt.isShared ? "shared" : "sent"
            case .attemptEnded(_, let result): "ended \(result.status ?? 0)"
            case .settled(let settlement): "settled \(settlement.attempts)"
            default: "\(event.kind)"
            }
        lines.withLock { $0.append(line) }
    }
}

/// A read that shares its request.
private struct Glance: Command {
    var number: Int
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = Int
    static let endpoint = EndpointDescription(
        Bank.service, "glance", .get, effect: .read, session: .required, share: true)
    func encode(into request: inout RequestEncoder) {
        request.path("/glances/")
        request.segment(number)
    }
    static func load(from reader: inout JSONReader) -> Int? { reader.readInt() }
}

/// A write.
private struct Alter: Command {
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = Void
    static let endpoint = EndpointDescription(
        Bank.service, "alter", .put, effect: .idempotent, session: .required, response: .none)
    func encode(into request: inout RequestEncoder) { request.path("/alter") }
}
