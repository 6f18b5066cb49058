import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// Writes down what it is told, a word or two for each event.
private final class Chronicle: CommandObserver {
    private let kept = LockedState<[CommandEvent]> { [] }
    private let attempts = LockedState<[AttemptIdentity?]> { [] }

    var events: [CommandEvent] { kept.withLock { $0 } }
    /// The identities of the requests so far.
    var seen: [AttemptIdentity?] { attempts.withLock { $0 } }

    func observe(_ event: CommandEvent) { kept.withLock { $0.append(event) } }

    func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
    ) async throws(TransportFault) -> TransportResponse {
        attempts.withLock { $0.append(request.attempt) }
        var request = request
        request.headers.set("traceparent", "00-1")
        return try await next(request)
    }

    /// The story of the command to an endpoint.
    func story(of endpoint: String) -> [String] {
        events.filter { $0.command.endpoint == endpoint }.map { event in
            switch event.kind {
            case .queued: "queued"
            case .waiting(let wait): "waits: \(wait.place.rawValue), \(wait.reason)"
            case .resumed(let wait, _): "resumed: \(wait.place.rawValue)"
            case .attemptStarted(let attempt): "sent \(attempt.number): \(attempt.method.rawValue) \(attempt.url)"
            case .attemptEnded(_, let result):
                "answer: \(result.status.map(String.init) ?? result.fault?.rawValue ?? "?") \(result.error ?? "fine")"
            case .settled(let settlement):
                switch settlement.result {
                case .success: "success after \(settlement.attempts)"
                case .outcome: "outcome after \(settlement.attempts)"
                case .failure(let context): "\(context.name) after \(settlement.attempts)"
                }
            }
        }
    }
}

@Suite(.timeLimit(.minutes(1)), .overSocketsToo) struct ObservationTests {
    private let chronicle = Chronicle()

    private func bank(
        _ transport: ScriptedTransport, network: any PathMonitor = AlwaysSatisfiedPath(),
        responder: (any Responder)? = nil, settings: DispatcherSettings = DispatcherSettings(),
        session: Session = .begun
    ) -> Bank {
        Bank(
            on: Dispatcher(
                transport: transport, network: network, responder: responder, observers: [chronicle],
                settings: settings,
                environment: DispatcherEnvironment(clock: InstantClock(), generator: SeededGenerator(seed: 7))),
            session: session)
    }

    private let accounts = "https://api.bank.example/v1/accounts?page=1"

    @Test func aSuccessIsFourEvents() async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(200, noAccounts) }
        _ = try await bank(transport).listAccounts(page: 1)
        #expect(
            chronicle.story(of: "listAccounts") == [
                "queued", "sent 1: GET \(accounts)", "answer: 200 fine", "success after 1",
            ])
        let event = try #require(chronicle.events.first)
        #expect(event.command.service == "Bank")
        #expect(event.command.method == .get)
        #expect(chronicle.seen == [AttemptIdentity(command: event.command, number: 1)])
        // A header that an observer adds is sent.
        #expect(transport.requests.first?.headers["traceparent"] == "00-1")
    }

    @Test func aRepetitionTellsOfItsPause() async throws {
        let transport = ScriptedTransport.scripted { _, number throws(TransportFault) in
            switch number {
            case 1: .json(503, "")
            case 2: throw TransportFault(.lost, evidence: .sent)
            default: .json(200, noAccounts)
            }
        }
        _ = try await bank(transport).listAccounts(page: 1)
        #expect(
            chronicle.story(of: "listAccounts") == [
                "queued", "sent 1: GET \(accounts)", "answer: 503 serviceUnavailable",
                "waits: pause, serviceUnavailable", "resumed: pause",
                "sent 2: GET \(accounts)", "answer: lost connectionLost", "waits: pause, connectionLost",
                "resumed: pause",
                "sent 3: GET \(accounts)", "answer: 200 fine", "success after 3",
            ])
    }

    @Test func aLoginIsACommandOfItsOwn() async throws {
        // The response to the login is held until the command waits. Otherwise the login may end before.
        let answer = Meeting()
        let transport = ScriptedTransport.scripted { request, _ in
            if request.url.hasSuffix("/sessions") {
                await answer.hold()
                return .json(200, #"{"data":{"token":"t0ken"}}"#)
            }
            return request.headers["Authorization"] == "Bearer t0ken" ? .json(200, noAccounts) : .json(401, "")
        }
        let session = Session { Bank.LogIn(user: "ada", password: "l0velace") }
        await session.begin(SessionTokens(access: "old"))
        let bank = bank(transport, session: session)
        let task = Task { await bank.result(of: Bank.ListAccounts(page: 1)) }
        await bank.binding.dispatcher.waits(at: .session)
        await answer.met()
        answer.release()
        _ = try await task.value.get()
        #expect(
            chronicle.story(of: "listAccounts") == [
                "queued", "sent 1: GET \(accounts)", "answer: 401 sessionExpired",
                "waits: session, the session is being renewed", "resumed: session",
                "sent 2: GET \(accounts)", "answer: 200 fine", "success after 2",
            ])
        let login = chronicle.story(of: "logIn")
        #expect(login.first == "queued")
        #expect(login.last == "success after 1")
        #expect(Set(chronicle.events.map(\.command.id)).count == 2)
    }

    @Test func whatIsNotSentIsToldAsWell() async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(200, noAccounts) }
        let monitor = TestPathMonitor(.unsatisfied)
        let bank = bank(transport, network: monitor)
        let task = Task { await bank.result(of: Bank.ListAccounts(page: 1)) }
        await bank.binding.dispatcher.waits(for: 1)
        task.cancel()
        _ = await task.value
        #expect(
            chronicle.story(of: "listAccounts") == [
                "queued", "waits: connectivity, no path to the network", "resumed: connectivity", "cancelled after 0",
            ])
        #expect(transport.requests.isEmpty)
    }

    @Test func aBusyHostAndAResponderAreWaitedFor() async throws {
        struct Decider: Responder {
            let decision: Meeting
            func respond(to incident: Incident) async -> IncidentAnswer {
                await decision.hold()
                return .fail
            }
        }
        let gate = Meeting()
        let decision = Meeting()
        let transport = ScriptedTransport.scripted { _, number in
            if number == 1 {
                await gate.hold()
                return .json(200, noAccounts)
            }
            return .json(503, "")
        }
        let bank = bank(
            transport, responder: Decider(decision: decision),
            settings: DispatcherSettings(retry: .never, maximumRequestsPerHost: 1))
        let first = Task { await bank.result(of: Bank.ListAccounts(page: 1)) }
        await gate.met()
        let second = Task { await bank.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 1)) }
        await bank.binding.dispatcher.waits(for: 1)
        gate.release()
        await bank.binding.dispatcher.waits(at: .responder)
        decision.release()
        _ = await (first.value, second.value)
        let story = chronicle.story(of: "transferFunds")
        #expect(story.contains("waits: host, https://api.bank.example is busy"))
        #expect(
            story.suffix(3) == [
                "waits: responder, serviceUnavailable", "resumed: responder", "unconfirmed after 1",
            ])
    }

    @Test func anOpenOutcomeIsAFailureOfThatName() async throws {
        let transport = ScriptedTransport.scripted { _, _ throws(TransportFault) in
            throw TransportFault(.lost, evidence: .sent)
        }
        _ = await bank(transport, settings: DispatcherSettings(retry: .never))
            .result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 500))
        #expect(chronicle.story(of: "transferFunds").last?.hasPrefix("unconfirmed after") == true)
    }

    @Test func aFeedHandsEventsOn() async throws {
        let feed = CommandEventFeed()
        var events = feed.events.makeAsyncIterator()
        let transport = ScriptedTransport.scripted { _, _ in .json(200, noAccounts) }
        _ = try await Bank(on: Dispatcher(transport: transport, observers: [feed]), session: .begun).listAccounts(
            page: 1)
        var kinds = 0
        while let event = await events.next() {
            kinds += 1
            if case .settled = event.kind { break }
        }
        #expect(kinds == 4)
    }

    @Test func withoutObserversNothingIsMade() async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(200, noAccounts) }
        let bank = Bank.scripted(transport)
        #expect(bank.binding.dispatcher.observers == nil)
        _ = try await bank.listAccounts(page: 1)
        #expect(transport.requests.first?.attempt == nil)
    }
}
