import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// An app's uses of incidents: it watches them, raises its own, and asks the same responder at each call.
@Suite(.timeLimit(.minutes(1)), .overSocketsToo) struct IncidentClientTests {
    private func dispatcher(_ responder: (any Responder)?, clock: SteppedClock = SteppedClock()) -> Dispatcher {
        Dispatcher(
            transport: ScriptedTransport { _, _ in .json(503, "") }, responder: responder,
            settings: DispatcherSettings(retry: .never),
            environment: DispatcherEnvironment(clock: clock, generator: SeededGenerator(seed: 5)))
    }

    private func listed(_ event: IncidentEvent?) -> String {
        switch event {
        case .opened: "opened"
        case .updated: "updated"
        case .answered(_, let answer): "answered \(answer)"
        case .unanswered: "unanswered"
        case .withdrawn: "withdrawn"
        case .closed: "closed"
        case .dropped(let count): "dropped \(count)"
        case nil: "nothing"
        }
    }

    // MARK: Watching

    @Test func withoutAResponderIncidentsAreSeenAllTheSame() async {
        let clock = SteppedClock()
        let bank = Bank(on: dispatcher(nil, clock: clock), session: .begun)
        var events = bank.binding.dispatcher.incidents.makeAsyncIterator()
        for _ in 1...2 {
            _ = await bank.result(of: Bank.ListAccounts())
            for wanted in ["opened", "unanswered", "closed"] { #expect(listed(await events.next()) == wanted) }
            clock.pass(.seconds(1))
        }
    }

    @Test func anIncidentShowsItsCohortWhileItGrows() async {
        let app = TestResponder()
        let bank = Bank(on: dispatcher(app), session: .begun)
        var events = bank.binding.dispatcher.incidents.makeAsyncIterator()
        let tasks = (0..<30).map { _ in Task { await bank.result(of: Bank.ListAccounts()) } }
        guard case .opened(let incident)? = await events.next() else {
            Issue.record("not opened")
            return
        }
        var count = 0
        for await now in incident.updates {
            #expect(now.id == incident.id)
            #expect(now.cohort.count >= count)
            count = now.cohort.count
            if count == 30 { break }
        }
        var last = incident.updates.makeAsyncIterator()
        let latest = await last.next()
        #expect(latest?.cohort.commands.count == 20)
        #expect(latest?.cohort.commands.allSatisfy { $0.endpoint == "listAccounts" && $0.maySendAgain } == true)
        app.answer(.fail)
        for task in tasks { _ = await task.value }
        #expect(await last.next()?.cohort.count ?? 30 == 30)
        #expect(await last.next() == nil)
    }

    // MARK: Responders

    private struct Screen: Responder {
        let asked: LockedState<Int>
        func respond(to incident: Incident) async -> IncidentAnswer {
            asked.withLock { $0 += 1 }
            while !Task.isCancelled { await Task.yield() }
            return .fail
        }
    }

    private struct Numbered: Responder, Equatable {
        let number: Int
        /// Storage that differs between equal values.
        var note = String(repeating: "?", count: 30)
        static func == (first: Self, second: Self) -> Bool { first.number == second.number }
        func respond(to incident: Incident) async -> IncidentAnswer { .fail }
    }

    private struct Bare: Responder {
        func respond(to incident: Incident) async -> IncidentAnswer { .fail }
    }

    @Test func equalRespondersAreOne() {
        let first = TestResponder()
        let second = TestResponder()
        func isSame(_ first: any Responder, _ second: any Responder) -> Bool {
            ResponderLevel(first).identity == ResponderLevel(second).identity
        }
        #expect(isSame(first, first))
        #expect(!isSame(first, second))
        #expect(isSame(Numbered(number: 1), Numbered(number: 1, note: String(repeating: "!", count: 30))))
        #expect(!isSame(Numbered(number: 1), Numbered(number: 2)))
        #expect(isSame(Bare(), Bare()))
        let asked = LockedState { 0 }
        #expect(isSame(Screen(asked: asked), Screen(asked: asked)))
        #expect(!isSame(Screen(asked: asked), Screen(asked: LockedState { 0 })))
        #expect(!isSame(Bare(), Numbered(number: 1)))
    }

    /// As the documentation shows it: the responder is given at each call.
    @Test func aResponderGivenAtEachCallIsAskedOnce() async {
        let bank = Bank(on: dispatcher(nil), session: .begun)
        let asked = LockedState { 0 }
        let tasks = (0..<100).map { _ in
            Task { await bank.responding(with: Screen(asked: asked)).result(of: Bank.ListAccounts()) }
        }
        await until { bank.binding.dispatcher.board.cohort >= 100 }
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.value }
        #expect(asked.withLock { $0 } == 1)
    }

    /// Found in review: the remembered answer kept the screen alive.
    @Test func anAnswerKeepsNoScreenAlive() async {
        let bank = Bank(on: dispatcher(nil), session: .begun)
        weak var screen: TestResponder?
        do {
            let made = TestResponder(.fail)
            screen = made
            _ = await bank.responding(with: made).result(of: Bank.ListAccounts())
            #expect(made.asked.count == 1)
        }
        await until { screen == nil }
        #expect(screen == nil)
    }

    /// A login releases the commands of all dispatchers that share the session.
    @Test func oneSessionOfTwoDispatchersTellsBoth() async throws {
        let session = Session()
        let transport = ScriptedTransport.scripted { request, _ in
            request.headers["Authorization"] == "Bearer good" ? .json(200, noAccounts) : .json(401, "")
        }
        let apps = [TestResponder(), TestResponder()]
        let banks = apps.map { app in
            Bank(
                on: Dispatcher(
                    transport: transport, responder: app,
                    environment: DispatcherEnvironment(clock: SteppedClock(), generator: SeededGenerator(seed: 5))),
                session: session)
        }
        let tasks = banks.map { bank in Task { await bank.result(of: Bank.ListAccounts()) } }
        for app in apps { await app.isAsked(1) }
        await session.begin(SessionTokens(access: "good"))
        for task in tasks { #expect((try? await task.value.get()) != nil) }
    }

    // MARK: Raising

    private struct DiskFull: Error, LocalizedError {
        let path = "/secret"
        var errorDescription: String? { "The disk is full." }
    }

    @Test func anyErrorCanBeRaised() async {
        let app = TestResponder()
        let bank = Bank(on: dispatcher(app), session: .begun)
        let retries = LockedState { 0 }
        let first = Task { await bank.raise(DiskFull()) { retries.withLock { $0 += 1 } } }
        await app.isAsked(1)
        let second = Task { await bank.raise(DiskFull()) }
        await until { bank.binding.dispatcher.board.cohort >= 2 }
        // Two raises are two incidents, one after the other.
        #expect(app.asked.count == 1)
        app.answer(.retry)
        #expect(await first.value == .retry)
        await app.isAsked(2)
        app.answer(.fail)
        #expect(await second.value == .fail)
        #expect(retries.withLock { $0 } == 1)
        #expect(app.asked.map(\.scope) == [.raised, .raised])
        #expect(app.asked.map(\.message) == ["The disk is full.", "The disk is full."])
        #expect(app.asked.map { $0.cohort.commands.first?.maySendAgain } == [true, false])
        #expect(!app.asked.contains { "\($0.context)".contains("/secret") })
    }

    @Test func anEndpointsOwnFailureCanBeRaised() async {
        let app = TestResponder(.pass)
        let bank = Bank(on: dispatcher(app), session: .begun)
        let failure = Bank.TransferFundsFailure.insufficientFunds(
            FailureDetails(data: nil, context: FailureContext(name: "insufficientFunds", message: "Too little.")))
        #expect(await bank.raise(failure) == nil)
        #expect(app.asked.map(\.name) == ["insufficientFunds"])
        #expect(await Bank(on: dispatcher(nil)).raise(failure) == nil)
        let task = Task { await Bank(on: dispatcher(TestResponder())).raise(failure) }
        task.cancel()
        #expect(await task.value == nil)
    }

    /// The responder never answers, and its screen may be gone.
    /// The message may be about the user who is gone.
    @Test func whatWasRaisedEndsWithItsLogin() async {
        let session = Session()
        let app = TestResponder()
        let dispatcher = dispatcher(app)
        let bank = Bank(on: dispatcher, session: session)
        await session.begin(SessionTokens(access: "a"))
        async let answer = bank.raise(CancellationError()) { Issue.record("it was done again") }
        await until { !app.asked.isEmpty }
        await session.end()
        #expect(await answer == nil)
        #expect(dispatcher.board.isEmpty)
        // Without a user, it waits for an answer as ever.
        async let other = bank.raise(CancellationError())
        await until { app.asked.count == 2 }
        app.answer(.fail)
        #expect(await other == .fail)
    }

    @Test func raisingWaitsNoLongerThanACommandWould() async {
        let app = TestResponder()
        let clock = SteppedClock()
        let bank = Bank(on: dispatcher(app, clock: clock), session: .begun)
        let task = Task { await bank.raise(DiskFull()) }
        await app.isAsked(1)
        clock.pass(bank.binding.dispatcher.settings.patience)
        #expect(await task.value == nil)
        #expect(bank.binding.dispatcher.board.isEmpty)
    }

    private struct Eager: Responder {
        let client: LockedState<Bank?>
        func respond(to incident: Incident) async -> IncidentAnswer {
            guard let bank = client.withLock({ $0 }) else { return .fail }
            // Each of these would wait for this answer.
            let answers = [
                await bank.raise(DiskFull()), await Task { await incident.client(bank).raise(DiskFull()) }.value,
            ]
            let results = [
                await bank.result(of: Bank.ListAccounts()), await incident.client(bank).result(of: Bank.ListAccounts()),
            ]
            return answers == [nil, nil] && results.allSatisfy { (try? $0.get()) == nil } ? .retry : .fail
        }
    }

    @Test func aResponderWaitsForNothingOfItsOwn() async {
        let client = LockedState<Bank?> { nil }
        let bank = Bank(on: dispatcher(Eager(client: client)), session: .begun)
        client.withLock { $0 = bank }
        var events = bank.binding.dispatcher.incidents.makeAsyncIterator()
        #expect(await bank.raise(DiskFull()) == .retry)
        for wanted in ["opened", "answered retry", "closed"] { #expect(listed(await events.next()) == wanted) }
    }
}
