import BankClient
import ErrandRuntime
import ErrandTesting
import Testing

/// Promises 5, 13 and 14: one outage is one question, and it ends.
@Suite(.serialized) struct IncidentPromiseTests {
    /// Collects what happens to incidents until the run is over.
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private final class Watcher: Sendable {
        private let all = LockedState<[IncidentEvent]> { [] }

        init(_ dispatcher: Dispatcher, _ simulation: Simulation) {
            simulation.task { [all, incidents = dispatcher.incidents] in
                for await event in incidents { all.withLock { $0.append(event) } }
            }
        }

        var events: [IncidentEvent] { all.withLock { $0 } }
        var opened: Int {
            events.reduce(0) { count, event in if case .opened = event { count + 1 } else { count } }
        }
        var closed: Int {
            events.reduce(0) { count, event in if case .closed = event { count + 1 } else { count } }
        }
    }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private func makeBank(_ server: Bank.Server, on dispatcher: Dispatcher) async throws -> Bank {
        let bank = Bank(server, on: dispatcher, session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
        _ = try await bank.logIn(user: "ada", password: "lovelace")
        return bank
    }

    @Test(arguments: [true, false])
    func tenHostsThatDieInFiveWaysAreTenQuestions(isRetried: Bool) throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        let title =
            "14 1,000 commands, ten hosts, five ways to die: ten questions, one at a time: \(isRetried ? "retry" : "fail")"
        try PromiseRun.check(title, weight: 20) { simulation in
            let isDown = LockedState { false }
            let death = Interception { (request, next) async throws(TransportFault) in
                guard isDown.withLock({ $0 }) else { return try await next(request) }
                await simulation.sleep(for: .milliseconds(Int(request.url.utf8.reduce(0) { $0 &+ UInt($1) } % 97)))
                let account = request.url.split(separator: "/").last.flatMap { Int($0) } ?? 0
                switch account % 5 {
                case 0: throw TransportFault(.refused, evidence: .notSent)
                case 1: throw TransportFault(.timeout, evidence: .sent)
                case 2: throw TransportFault(.lost, evidence: .sent)
                case 3: return TransportResponse(status: 502)
                default: return TransportResponse(status: 503)
                }
            }
            let responder = ScriptedResponder { _ in
                await simulation.sleep(for: .seconds(40))
                isDown.withLock { $0 = false }
                return isRetried ? .retry : .fail
            }
            let dispatcher = simulation.makeDispatcher(responder: responder, interceptors: [death])
            let watcher = Watcher(dispatcher, simulation)
            var made: [Bank] = []
            for number in 1...10 {
                made.append(try await makeBank(Bank.Server(url: "https://host\(number).example/v1"), on: dispatcher))
            }
            let banks = made
            isDown.withLock { $0 = true }
            let results = await simulation.concurrently(1_000) { number in
                await banks[number % 10].result(of: Bank.GetAccount(accountID: number / 10))
            }
            let succeeded = results.filter { (try? $0.get()) != nil }.count
            await simulation.sleep(for: .seconds(1))
            var finding = PromiseRun.Finding(cases: 1_000)
            finding.expect(responder.asked.count == 10, "asked \(responder.asked.count) times")
            finding.expect(responder.mostAtOnce == 1, "\(responder.mostAtOnce) questions at once")
            finding.expect(
                watcher.opened == 10 && watcher.closed == 10, "\(watcher.opened) opened, \(watcher.closed) closed")
            finding.expect(Set(responder.asked.map(\.scope)).count == 10, "not one for each host")
            finding.expect(succeeded == (isRetried ? 1_000 : 0), "\(succeeded) succeeded")
            return finding
        }
    }

    @Test func aPartialOutageIsOneIncidentAndEnds() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("13 half of a host's endpoints fail, the others answer: one incident, each command ends") {
            simulation in
            let answerTime = Duration.seconds(Int(30 + simulation.seed % 90))
            let responder = ScriptedResponder { _ in
                await simulation.sleep(for: answerTime)
                return .fail
            }
            let dispatcher = simulation.makeDispatcher(responder: responder)
            let watcher = Watcher(dispatcher, simulation)
            let bank = try await makeBank(.production, on: dispatcher)
            simulation.server.on(Bank.GetAccount.self) { _ in TransportResponse(status: 503) }
            simulation.server.on(Bank.ListAccounts.self) { _ in TransportResponse(status: 503) }
            let isOver = LockedState { false }
            let polling = simulation.task {
                while !isOver.withLock({ $0 }) {
                    _ = await bank.result(of: Bank.ListTransfers(accountID: 1))
                    await simulation.sleep(for: .milliseconds(500))
                }
            }
            let times = await simulation.concurrently(60) { number -> (isFailed: Bool, time: Duration) in
                await simulation.sleep(for: .milliseconds(number * 20))
                let start = simulation.clock.now
                let isFailed =
                    number % 2 == 0
                    ? (try? await bank.result(of: Bank.GetAccount(accountID: number)).get()) == nil
                    : (try? await bank.result(of: Bank.ListAccounts()).get()) == nil
                return (isFailed, start.duration(to: simulation.clock.now))
            }
            isOver.withLock { $0 = true }
            await polling.value
            await simulation.sleep(for: .seconds(1))
            var finding = PromiseRun.Finding(cases: 60)
            finding.expect(times.allSatisfy(\.isFailed), "some succeeded")
            let longest = times.map(\.time).max() ?? .zero
            finding.expect(
                longest <= Bank.GetAccount.endpoint.deadline + answerTime + .seconds(5), "one took \(longest)")
            finding.expect(
                watcher.opened == 1 && watcher.closed == 1, "\(watcher.opened) opened, \(watcher.closed) closed")
            finding.expect(responder.asked.count == 1, "asked \(responder.asked.count) times")
            return finding
        }
    }

    /// Found in an app: a responder that pings until the server responds joined the incident that it was to decide.
    @Test func aResponderMayUseTheClient() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("13 a responder pings with the client until the server answers") { simulation in
            let client = LockedState<Bank?> { nil }
            let isButton = simulation.seed % 2 == 0
            let responder = ScriptedResponder { incident in
                guard let bank = client.withLock({ $0 }) else { return .fail }
                // A button's action runs in a task of its own, and is given a client for that.
                let action = incident.client(bank)
                while !Task.isCancelled {
                    let result =
                        isButton
                        ? await simulation.task { await action.result(of: Bank.ListAccounts()) }.value
                        : await bank.result(of: Bank.ListAccounts())
                    if (try? result.get()) != nil { return .retry }
                    await simulation.sleep(for: .seconds(2))
                }
                return .fail
            }
            let dispatcher = simulation.makeDispatcher(responder: responder)
            let watcher = Watcher(dispatcher, simulation)
            let bank = try await makeBank(.production, on: dispatcher)
            client.withLock { $0 = bank }
            simulation.server.isDown = true
            simulation.task {
                await simulation.sleep(for: .seconds(100))
                simulation.server.isDown = false
            }
            let results = await simulation.concurrently(50) { await bank.result(of: Bank.GetAccount(accountID: $0)) }
            await simulation.sleep(for: .seconds(1))
            var finding = PromiseRun.Finding(cases: 50)
            let failed = results.filter { (try? $0.get()) == nil }.count
            finding.expect(failed == 0, "\(failed) failed")
            finding.expect(responder.asked.count == 1, "asked \(responder.asked.count) times")
            finding.expect(
                watcher.opened == 1 && watcher.closed == 1, "\(watcher.opened) opened, \(watcher.closed) closed")
            return finding
        }
    }

    @Test func aResponderThatNeverAnswersHoldsNoCommand() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("13 a responder that never answers: each command leaves by its own patience") {
            simulation in
            let responder = ScriptedResponder { _ in
                await simulation.sleep(for: .seconds(1_000_000))
                return .retry
            }
            let dispatcher = simulation.makeDispatcher(responder: responder)
            let watcher = Watcher(dispatcher, simulation)
            let bank = try await makeBank(.production, on: dispatcher)
            simulation.server.isDown = true
            let times = await simulation.concurrently(60) { number -> Duration in
                await simulation.sleep(for: .milliseconds(number * 50))
                let start = simulation.clock.now
                let patient = bank.with { $0.patience = number % 3 == 0 ? .upTo(.seconds(30)) : .standard }
                _ = await patient.result(of: Bank.GetAccount(accountID: number))
                return start.duration(to: simulation.clock.now)
            }
            await simulation.sleep(for: .seconds(1))
            let deadline = Bank.GetAccount.endpoint.deadline
            var finding = PromiseRun.Finding(cases: 60)
            for (index, time) in times.enumerated() {
                let patience: Duration = (index + 1) % 3 == 0 ? .seconds(30) : .seconds(600)
                finding.expect(time <= deadline + patience, "one took \(time)")
                finding.expect(time >= patience, "one did not wait: \(time)")
            }
            finding.expect(
                responder.asked.count == 1 && responder.cancelled == 1, "asked \(responder.asked.count) times")
            finding.expect(
                watcher.opened == 1 && watcher.closed == 1, "\(watcher.opened) opened, \(watcher.closed) closed")
            return finding
        }
    }

    /// Questions wait for each other, and one whose cause ends meanwhile is never put.
    @Test func aQuestionWhoseCauseHasEndedIsNotPut() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("14 a question that waits is not put after its cause has ended") { simulation in
            let down = LockedState<Set<Int>> { [] }
            let outage = Interception { (request, next) async throws(TransportFault) in
                let host = request.url.dropFirst("https://host".count).prefix { $0 != "." }
                if let number = Int(host), down.withLock({ $0.contains(number) }) {
                    throw TransportFault(.refused, evidence: .notSent)
                }
                return try await next(request)
            }
            let responder = ScriptedResponder { incident in
                await simulation.sleep(for: .seconds(200))
                return .fail
            }
            let dispatcher = simulation.makeDispatcher(responder: responder, interceptors: [outage])
            var made: [Bank] = []
            for number in 0..<4 {
                made.append(try await makeBank(Bank.Server(url: "https://host\(number).example/v1"), on: dispatcher))
            }
            let banks = made
            down.withLock { $0 = [0, 1, 2, 3] }
            async let results = simulation.concurrently(40) { number in
                await banks[number % 4].result(of: Bank.GetAccount(accountID: number))
            }
            await simulation.sleep(for: .seconds(100))
            // The first question is at the responder. All hosts but one respond by themselves.
            let asked = responder.asked.first?.scope
            let others = (0..<4).filter { .host(Origin("https://host\($0).example")!) != asked }
            down.withLock { $0.subtract(others.dropLast()) }
            for number in others.dropLast() { _ = await banks[number].result(of: Bank.ListTransfers(accountID: 1)) }
            let failed = await results.filter { (try? $0.get()) == nil }.count
            var finding = PromiseRun.Finding(cases: 40)
            finding.expect(responder.asked.count == 2, "asked \(responder.asked.count) times")
            finding.expect(responder.mostAtOnce == 1, "\(responder.mostAtOnce) questions at once")
            finding.expect(failed == 20, "\(failed) failed")
            return finding
        }
    }
}
