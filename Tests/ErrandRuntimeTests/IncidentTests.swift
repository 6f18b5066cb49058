import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// Answers when the test says so, and counts how often it is asked.
final class TestResponder: Responder {
    private let answers: AsyncStream<IncidentAnswer>.Continuation
    private let stream: AsyncStream<IncidentAnswer>
    private let state = LockedState<(asked: [Incident], cancelled: Int)> { ([], 0) }
    /// The answer that it gives at once, if it does not wait for the test.
    private let immediate: IncidentAnswer?

    init(_ immediate: IncidentAnswer? = nil) {
        self.immediate = immediate
        (stream, answers) = AsyncStream.makeStream()
    }

    var asked: [Incident] { state.withLock { $0.asked } }
    var cancelled: Int { state.withLock { $0.cancelled } }
    func answer(_ answer: IncidentAnswer) { answers.yield(answer) }

    func respond(to incident: Incident) async -> IncidentAnswer {
        state.withLock { $0.asked.append(incident) }
        if let immediate { return immediate }
        var next = stream.makeAsyncIterator()
        if let answer = await next.next() { return answer }
        state.withLock { $0.cancelled += 1 }
        return .fail
    }

    /// Waits until it was asked so often.
    func isAsked(_ count: Int) async {
        await until { asked.count >= count }
    }
}

@Suite(.timeLimit(.minutes(1)), .overSocketsToo) struct IncidentTests {
    private func dispatcher(
        _ transport: ScriptedTransport, _ responder: (any Responder)?, clock: SteppedClock = SteppedClock()
    ) -> Dispatcher {
        Dispatcher(
            transport: transport, responder: responder,
            settings: DispatcherSettings(retry: .never, maximumRequestsPerHost: 10_000),
            environment: DispatcherEnvironment(clock: clock, generator: SeededGenerator(seed: 5)))
    }

    private func list(_ bank: Bank, _ count: Int) -> [Task<Result<[Bank.Account], Bank.Failure>, Never>] {
        (0..<count).map { _ in Task { await bank.result(of: Bank.ListAccounts()) } }
    }

    @Test func aThousandCommandsWithOneCauseAreOneIncident() async {
        let app = TestResponder()
        let bank = Bank(on: dispatcher(ScriptedTransport.scripted { _, _ in .json(503, "") }, app), session: .begun)
        let tasks = list(bank, 1_000)
        await app.isAsked(1)
        await until { bank.binding.dispatcher.board.cohort >= 1_000 }
        app.answer(.fail)
        for task in tasks {
            let end = await task.value
            guard case .failure(.serviceUnavailable) = end else {
                Issue.record("another end: \(end)")
                return
            }
        }
        #expect(app.asked.count == 1)
        #expect(app.asked.first?.scope == .host(Origin("https://api.bank.example")!))
        #expect(bank.binding.dispatcher.board.isEmpty)
    }

    @Test func retryingSendsThoseAgainThatMayBe() async {
        let app = TestResponder()
        let isUp = LockedState { false }
        let transport = ScriptedTransport.scripted { request, _ throws(TransportFault) in
            if isUp.withLock({ $0 }) { return .json(200, request.method == .get ? noAccounts : transferred) }
            throw TransportFault(.timeout, evidence: .sent)
        }
        let dispatcher = dispatcher(transport, app)
        let bank = Bank(on: dispatcher, session: .begun)
        let tasks = list(bank, 20)
        let once = Task { await Shop(on: dispatcher, session: .begun).result(of: Shop.PlaceOrder()) }
        await app.isAsked(1)
        await until { dispatcher.board.cohort >= 21 }
        isUp.withLock { $0 = true }
        app.answer(.retry)
        // One host after the other.
        await app.isAsked(2)
        app.answer(.retry)
        for task in tasks { #expect((try? await task.value.get()) != nil) }
        guard case .failure(let fault) = await once.value, fault.kind == .unconfirmed else {
            Issue.record("sent again")
            return
        }
        #expect(transport.requests.count == 41)
    }

    @Test func aScreenAnswersBeforeTheApp() async {
        let app = TestResponder(.fail)
        let screen = TestResponder(.pass)
        let clock = SteppedClock()
        let bank = Bank(
            on: dispatcher(ScriptedTransport.scripted { _, _ in .json(503, "") }, app, clock: clock), session: .begun)
        _ = await bank.responding(with: screen).result(of: Bank.ListAccounts())
        #expect((screen.asked.count, app.asked.count) == (1, 1))
        #expect(screen.asked.first?.id == app.asked.first?.id)
        clock.pass(.seconds(1))
        let deaf = TestResponder(.fail)
        _ = await bank.responding(with: screen).responding(with: deaf).result(of: Bank.ListAccounts())
        #expect((deaf.asked.count, screen.asked.count, app.asked.count) == (1, 1, 1))
        clock.pass(.seconds(1))
        _ = await bank.result(of: Bank.ListAccounts())
        #expect((screen.asked.count, app.asked.count) == (1, 2))
    }

    /// A login screen shows the message itself: the session stays as it is, and the user isn't sent to log in.
    @Test func aLevelCanBeOverriddenForOnePartOfAnApp() async throws {
        let screen = TestResponder(.recategorize(.nonRetryable))
        let app = TestResponder(.fail)
        let bank = Bank(on: dispatcher(ScriptedTransport.scripted { _, _ in .json(401, "") }, app), session: .begun)
            .responding(
                with: screen)
        guard case .failure(.sessionExpired(let context)) = await bank.result(of: Bank.ListAccounts()) else {
            Issue.record("another end")
            return
        }
        #expect(context.category == .nonRetryable)
        #expect(app.asked.isEmpty)
    }

    @Test func anIncidentWithdrawsItselfWhenTheHostAnswers() async throws {
        let app = TestResponder()
        let isUp = LockedState { false }
        let bank = Bank(
            on: dispatcher(
                ScriptedTransport.scripted { _, _ in isUp.withLock { $0 } ? .json(200, noAccounts) : .json(503, "") },
                app), session: .begun)
        var events = bank.binding.dispatcher.incidents.makeAsyncIterator()
        let tasks = list(bank, 10)
        await until { bank.binding.dispatcher.board.cohort >= 10 }
        // Otherwise, the incident may end before the app is asked.
        await app.isAsked(1)
        isUp.withLock { $0 = true }
        _ = try await bank.listAccounts()
        for task in tasks { #expect((try? await task.value.get()) != nil) }
        await until { app.cancelled != 0 }
        guard case .opened(let opened)? = await events.next(), case .withdrawn(let withdrawn)? = await events.next(),
            case .closed(let closed)? = await events.next()
        else {
            Issue.record("other events")
            return
        }
        #expect(opened.id == withdrawn.id)
        #expect(closed.id == opened.id)
        #expect(closed.cohort.count == 10)
    }

    /// The user logs in elsewhere: the commands that the end of the session had stopped go on.
    @Test func anIncidentWithdrawsItselfWhenASessionBegins() async throws {
        let app = TestResponder()
        let session = Session()
        let transport = ScriptedTransport.scripted { request, _ in
            request.headers["Authorization"] == "Bearer good" ? .json(200, noAccounts) : .json(401, "")
        }
        let bank = Bank(on: dispatcher(transport, app), session: session)
        let tasks = list(bank, 5)
        await app.isAsked(1)
        await until { bank.binding.dispatcher.board.cohort >= 5 }
        await session.begin(SessionTokens(access: "good"))
        for task in tasks { #expect((try? await task.value.get()) != nil) }
        #expect(app.asked.count == 1)
    }

    @Test func whatTheEndpointDeclaresIsTheCallersBusiness() async {
        let app = TestResponder(.retry)
        let bank = Bank(
            on: dispatcher(
                ScriptedTransport.scripted { _, _ in .json(422, #"{"error":{"code":900005},"data":null}"#) }, app),
            session: .begun)
        guard
            case .failure(.insufficientFunds) = await bank.result(
                of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 5))
        else {
            Issue.record("another end")
            return
        }
        #expect(app.asked.isEmpty)
    }

    @Test func aCancelledCommandLeavesAndTheLastOneEndsTheQuestion() async {
        let app = TestResponder()
        let bank = Bank(on: dispatcher(ScriptedTransport.scripted { _, _ in .json(503, "") }, app), session: .begun)
        let tasks = list(bank, 3)
        await until { bank.binding.dispatcher.board.cohort >= 3 }
        await app.isAsked(1)
        for task in tasks {
            #expect(app.cancelled == 0)
            task.cancel()
            guard case .failure(.fault(let fault)) = await task.value else {
                Issue.record("another end")
                return
            }
            #expect(fault.kind == .cancelled)
        }
        await until { app.cancelled != 0 }
        #expect(bank.binding.dispatcher.board.isEmpty)
    }

    /// A command that was under way when the answer came belongs to that incident, even if it fails later. A command that was
    /// started later does not.
    @Test func whoWasUnderWayIsNotToldTwice() async {
        let clock = SteppedClock()
        let app = TestResponder(.fail)
        let late = Meeting()
        let transport = ScriptedTransport.scripted { _, number in
            if number == 1 { await late.hold() }
            return .json(503, "")
        }
        let bank = Bank(on: dispatcher(transport, app, clock: clock), session: .begun)
        let slow = list(bank, 1)
        await late.met()
        clock.pass(.seconds(1))
        _ = await bank.result(of: Bank.ListAccounts())
        #expect(app.asked.count == 1)
        clock.pass(.seconds(1))
        late.release()
        _ = await slow[0].value
        #expect(app.asked.count == 1)
        clock.pass(.seconds(1))
        _ = await bank.result(of: Bank.ListAccounts())
        #expect(app.asked.count == 2)
    }

    /// The user is told once that the network is down, and the notice ends by itself; or they decide not to wait.
    @Test(arguments: [IncidentAnswer.pass, .fail]) func theNetworkIsAnIncidentWhileCommandsAreHeld(
        answer: IncidentAnswer
    ) async throws {
        let app = TestResponder()
        let monitor = TestPathMonitor(.unsatisfied)
        let dispatcher = Dispatcher(
            transport: ScriptedTransport { _, _ in .json(200, noAccounts) }, network: monitor, responder: app,
            environment: DispatcherEnvironment(clock: InstantClock(), generator: SeededGenerator(seed: 5)))
        let tasks = list(Bank(on: dispatcher, session: .begun), 30)
        await until { dispatcher.board.cohort >= 30 }
        await app.isAsked(1)
        #expect(app.asked.map(\.scope) == [.network])
        if answer == .fail {
            app.answer(.fail)
            for task in tasks {
                guard case .failure(.fault(let fault)) = await task.value else {
                    Issue.record("another end")
                    return
                }
                #expect(fault.kind == .offline)
            }
        } else {
            monitor.become(.satisfied)
            for task in tasks { #expect((try? await task.value.get()) != nil) }
            await until { app.cancelled != 0 }
        }
        #expect(app.asked.count == 1)
        #expect(dispatcher.board.isEmpty)
    }

    @Test func withoutAResponderNoCommandWaits() async {
        let bank = Bank(on: dispatcher(ScriptedTransport.scripted { _, _ in .json(503, "") }, nil), session: .begun)
        for task in list(bank, 10) {
            guard case .failure(.serviceUnavailable) = await task.value else {
                Issue.record("another end")
                return
            }
        }
    }

    @Test func completionsAreFollowedByAnyNumber() async throws {
        let bank = Bank(
            on: dispatcher(
                ScriptedTransport.scripted { _, number in number == 1 ? .json(200, noAccounts) : .json(404, "") }, nil),
            session: .begun)
        var first = bank.binding.dispatcher.completions(of: Bank.ListAccounts.self).makeAsyncIterator()
        var second = bank.binding.dispatcher.completions(of: Bank.ListAccounts.self).makeAsyncIterator()
        _ = await bank.result(of: Bank.ListAccounts(page: 7))
        _ = await bank.result(of: Bank.ListAccounts(page: 8))
        #expect(await first.next()?.command.page == 7)
        #expect(await second.next()?.command.page == 7)
        guard case .failure? = await first.next()?.result else {
            Issue.record("no failure")
            return
        }
    }

    /// Adds a header, responds once by itself, and sees every attempt.
    private struct Stamp: Interceptor {
        let seen: LockedState<[String]>
        let name: String
        func intercept(
            _ request: TransportRequest,
            next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
        ) async throws(TransportFault) -> TransportResponse {
            seen.withLock { $0.append("\(name) \(request.headers["Seen"] ?? "")") }
            var request = request
            request.headers.set("Seen", (request.headers["Seen"] ?? "") + name)
            return try await next(request)
        }
    }

    @Test func interceptorsSeeEveryAttemptTheFirstOneOutermost() async throws {
        let seen = LockedState<[String]> { [] }
        let transport = ScriptedTransport.scripted { _, number in number == 1 ? .json(503, "") : .json(200, noAccounts)
        }
        let dispatcher = Dispatcher(
            transport: transport, interceptors: [Stamp(seen: seen, name: "a"), Stamp(seen: seen, name: "b")],
            environment: DispatcherEnvironment(clock: InstantClock(), generator: SeededGenerator(seed: 1)))
        _ = try await Bank(on: dispatcher, session: .begun).listAccounts()
        #expect(seen.withLock { $0 } == ["a ", "b a", "a ", "b a"])
        #expect(transport.requests.map { $0.headers["Seen"] } == ["ab", "ab"])
    }
}
