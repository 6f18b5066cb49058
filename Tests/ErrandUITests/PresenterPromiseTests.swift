import BankClient
import ErrandRuntime
import ErrandTesting
import Testing

@testable import ErrandUI

/// The presenter with the real pipeline, a simulated server, two windows, and a person who responds slowly.
@Suite(.serialized) struct PresenterPromiseTests {
    /// A person at two windows, who answers at random, and notes presentations that must not be shown.
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private final class Person: Sendable {
        struct Notes: Sendable {
            var seen: [ErrorPresentation] = []
            var violations: [String] = []
            var taps = 0
        }

        let presenter: ErrorPresenter
        let hosts: [PresentationHost]
        let notes = LockedState<Notes> { Notes() }
        private let chance: LockedState<ErrandRuntime.SeededGenerator>

        init(_ simulation: Simulation, _ presenter: ErrorPresenter, answering: Bool = true) {
            self.presenter = presenter
            hosts = [presenter.attach(showsLogin: true), presenter.attach()]
            chance = LockedState { ErrandRuntime.SeededGenerator(seed: simulation.seed) }
            for host in hosts {
                simulation.task { await self.watch(host, simulation, answering) }
            }
        }

        private func random(_ range: ClosedRange<Int>) -> Int {
            chance.withLock { chance in Int.random(in: range, using: &chance) }
        }

        private func look() {
            let visible = hosts.compactMap(\.state.presentation)
            // One after the other is read: only the same pair seen twice is a pair.
            if visible.count > 1, hosts.compactMap(\.state.presentation).count > 1 {
                notes.withLock { $0.violations.append("\(visible.count) at once") }
            }
        }

        private func watch(_ host: PresentationHost, _ simulation: Simulation, _ isAnswering: Bool) async {
            var shown: ErrorPresentation?
            for await _ in host.states {
                look()
                let now = host.state.presentation
                if let old = shown, old.id != now?.id {
                    shown = nil
                    // The animation.
                    simulation.task {
                        await simulation.sleep(for: .milliseconds(300))
                        if self.hosts.contains(where: { $0.state.presentation != nil }) {
                            self.notes.withLock { $0.violations.append("shown while \(old.name) is being closed") }
                        }
                        host.didClose(old.id)
                    }
                }
                guard let now, shown == nil else { continue }
                shown = now
                notes.withLock { $0.seen.append(now) }
                guard isAnswering else { continue }
                let button = now.buttons[random(0...now.buttons.count - 1)]
                let pause = Duration.milliseconds(random(0...20_000))
                simulation.task {
                    await simulation.sleep(for: pause)
                    if host.choose(button.action, of: now.id) { self.notes.withLock { $0.taps += 1 } }
                    if host.choose(button.action, of: now.id) {
                        self.notes.withLock { $0.violations.append("a second tap counts") }
                    }
                    if host.state.presentation?.id == now.id, host.state.presentation?.buttons == now.buttons {
                        self.notes.withLock { $0.violations.append("\(button.action) does not end \(now.name)") }
                    }
                }
            }
        }
    }

    @Test func everythingThatGoesWrongIsSaidOnceAndEnds() async throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try await Simulation.run(seeds: 100) { simulation in
            let presenter = ErrorPresenter(showsTechnicalLine: true)
            let dispatcher = simulation.makeDispatcher(responder: presenter)
            let session = Session()
            let bank = Bank(on: dispatcher, session: session)
            _ = try await bank.logIn(user: "ada", password: "lovelace")
            let person = Person(simulation, presenter)
            simulation.task { await presenter.follow(session) }
            // The login screen.
            simulation.task {
                for await _ in person.hosts[0].states where person.hosts[0].state.isLoginWanted {
                    await simulation.sleep(for: .seconds(3))
                    let login = presenter.loginClient(bank)
                    let isLoggedIn = (try? await login.logIn(user: "ada", password: "lovelace")) != nil
                    if !isLoggedIn { presenter.endLogin(isLoggedIn: false) }
                }
            }
            simulation.server.faults = FaultPlan(rate: 0.3)
            // What happens to everyone while the commands are under way.
            simulation.task {
                for round in 0..<3 {
                    await simulation.sleep(for: .seconds(5 + round * 7))
                    switch (Int(simulation.seed) + round) % 3 {
                    case 0: simulation.network.goAway()
                    case 1: simulation.server.isDown = true
                    default: simulation.server.expireSessions(refreshTokens: true)
                    }
                    await simulation.sleep(for: .seconds(11))
                    simulation.network.comeBack()
                    simulation.server.isDown = false
                }
            }
            let ended = await withTaskGroup(of: Bool.self) { group in
                for number in 1...30 {
                    group.addTask {
                        await simulation.sleep(for: .seconds(number))
                        switch number % 3 {
                        case 0: _ = await bank.result(of: Bank.ListAccounts())
                        case 1:
                            _ = await bank.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: number, amount: 5))
                        default: _ = await bank.raise(Refusal(number: number % 4)) {}
                        }
                        return true
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            simulation.server.faults = .none
            await simulation.sleep(for: .seconds(2))
            let notes = person.notes.withLock { $0 }
            #expect(ended == 30, "\(simulation)")
            #expect(notes.violations.isEmpty, "\(notes.violations.prefix(3)), \(simulation)")
            #expect(notes.seen.count >= 1, "\(simulation)")
            // A login may still be under way: it is a command like others, and its own question has a cause.
            #expect(
                person.hosts.allSatisfy { $0.state.presentation == nil } || dispatcher.waitingCount > 0,
                "shown without a cause, \(simulation)")
            await simulation.sleep(for: .seconds(120))
            let left = person.hosts.compactMap(\.state.presentation)
            #expect(left.isEmpty && presenter.waitingCount == 0, "\(left.map(\.name)) is never answered, \(simulation)")
        }
    }

    /// An error that an app raises.
    private struct Refusal: CategorizedError {
        let number: Int
        var category: ErrorCategory { ErrorCategory.allCases[number % 3] }
    }

    @Test func theNoticeOfTheNetworkClosesByItself() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try Simulation.run(seed: 7) { simulation in
            let presenter = ErrorPresenter(texts: PresentationTexts(languages: ["de-AT"]), showsTechnicalLine: false)
            let bank = Bank(
                on: simulation.makeDispatcher(responder: presenter),
                session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
            let host = presenter.attach()
            simulation.network.goAway()
            await simulation.sleep(for: .seconds(1))
            let commands = simulation.task {
                await withTaskGroup(of: Bool.self) { group in
                    for _ in 0..<10 { group.addTask { (try? await bank.listAccounts()) != nil } }
                    return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
            }
            await simulation.sleep(for: .seconds(3))
            let shown = host.state.presentation
            #expect(shown?.title == "Keine Verbindung" && shown?.message == "Es besteht keine Verbindung zum Netz.")
            #expect(shown?.style == .banner && shown?.technicalLine == nil)
            #expect(shown?.buttons.map(\.title) == ["Erneut versuchen", "Schließen"])
            simulation.network.comeBack()
            #expect(await commands.value == 10)
            #expect(host.state.presentation == nil)
            if let shown { #expect(!host.choose(.retry, of: shown.id), "a tap in the moment of its end") }
        }
    }

    /// The commands go on if the app says that it is the same user. Otherwise another user may have logged in there.
    @Test(arguments: [true, false]) func aLoginInAnotherWindowEndsTheQuestion(isSameUser: Bool) throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try Simulation.run(seed: 8) { simulation in
            let presenter = ErrorPresenter()
            let session = Session()
            let bank = Bank(on: simulation.makeDispatcher(responder: presenter), session: session)
            _ = try await bank.logIn(user: "ada", password: "lovelace")
            let host = presenter.attach(showsLogin: true)
            simulation.task { await presenter.follow(session) }
            simulation.server.expireSessions()
            let accounts = simulation.task { (try? await bank.listAccounts()) != nil }
            await simulation.sleep(for: .seconds(5))
            let shown = host.state.presentation
            #expect(shown?.category == .requiresLogout && shown?.buttons.first?.action == .logIn)
            if isSameUser {
                let other = Bank(on: simulation.makeDispatcher(), session: Session())
                _ = try await other.logIn(user: "ada", password: "lovelace")
                if let tokens = other.binding.session.tokens { await session.replaceTokens(tokens) }
            } else {
                simulation.server.user = 2
                _ = try await bank.logIn(user: "eve", password: "harrington")
            }
            #expect(await accounts.value == isSameUser)
            #expect(host.state.presentation == nil)
        }
    }

    @Test func aFailureThatWasToldIsNotToldAgain() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try Simulation.run(seed: 9) { simulation in
            let presenter = ErrorPresenter()
            let bank = Bank(
                on: simulation.makeDispatcher(responder: presenter),
                session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
            _ = try await bank.logIn(user: "ada", password: "lovelace")
            let host = presenter.attach()
            let seen = LockedState<[String]> { [] }
            simulation.task {
                var last: Int?
                for await _ in host.states {
                    if let id = last { host.didClose(id) }
                    last = host.state.presentation?.id
                    guard let shown = host.state.presentation else { continue }
                    seen.withLock { $0.append(shown.name) }
                    host.choose(.dismiss, of: shown.id)
                }
            }
            simulation.server.isDown = true
            let errors = ErrorReporter(bank, host: host)
            guard case .failure(let failure) = await bank.result(of: Bank.ListAccounts()) else {
                return #expect(Bool(false), "the server is down")
            }
            #expect(failure.context.isAnswered)
            let alone = Bank(on: simulation.dispatcher, session: bank.binding.session)
            guard case .failure(let unasked) = await alone.result(of: Bank.ListAccounts()) else {
                return #expect(Bool(false), "the server is down")
            }
            #expect(!unasked.context.isAnswered, "no responder was asked")
            #expect(await errors.report(failure) == nil)
            await errors.report(CancellationError())
            await errors.report(CommandFault(.cancelled))
            // No responder has shown this one.
            await errors.report(CommandFault(.rejected, message: "No."))
            // An unknown effect is reported, even to a person who was told that the server does not answer.
            await errors.report(CommandFault(.unconfirmed))
            // The same for a command that is held because the network is unavailable.
            simulation.network.goAway()
            await simulation.sleep(for: .seconds(1))
            guard case .failure(let held) = await bank.result(of: Bank.ListAccounts()) else {
                return #expect(Bool(false), "there is no network")
            }
            #expect(held.context.isAnswered)
            #expect(await errors.report(held) == nil)
            let names = seen.withLock { $0 }
            #expect(names == ["unreachable", "rejected", "unconfirmed", "offline"])
        }
    }

    /// Taps, causes that end and windows that close, all at the same moment and on real threads.
    @Test(.timeLimit(.minutes(1))) func oneTapCountsWhateverComesAtTheSameTime() async {
        for round in 0..<200 {
            let presenter = ErrorPresenter()
            let bank = Bank(on: Dispatcher(transport: ScriptedTransport { (_, _) in TransportResponse(status: 200) }))
            let (host, other) = (presenter.attach(), presenter.attach())
            let retries = LockedState<Int> { 0 }
            let report = Task {
                await ErrorReporter(bank, host: host).report(CommandFault(.timedOut)) { retries.withLock { $0 += 1 } }
            }
            for await state in host.states where state.presentation != nil { break }
            guard let id = host.state.presentation?.id else { return #expect(Bool(false), "nothing is shown") }
            let taps = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<6 {
                    group.addTask { host.choose(number % 2 == 0 ? .retry : .dismiss, of: id) }
                }
                if round % 3 == 0 {
                    group.addTask {
                        report.cancel()
                        return false
                    }
                }
                if round % 3 == 1 {
                    group.addTask {
                        other.detach()
                        return false
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            let answer = await report.value
            #expect(taps == 1 || (round % 3 == 0 && taps == 0), "\(taps) taps count")
            #expect(retries.withLock { $0 } == (answer == .retry ? 1 : 0))
            #expect(host.state.presentation == nil && other.state.presentation == nil && presenter.waitingCount == 0)
        }
    }

    @Test func handlersAreAskedFromTheInsideOutAndMayRecategorize() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try Simulation.run(seed: 10) { simulation in
            let presenter = ErrorPresenter()
            let bank = Bank(on: simulation.makeDispatcher(responder: presenter), session: Session())
            let host = presenter.attach(showsLogin: true)
            let asked = LockedState<[String]> { [] }
            func handler(_ name: String, _ answer: @escaping @Sendable (Incident) -> IncidentAnswer) -> ErrorHandlerBox
            {
                ErrorHandlerBox { incident in
                    asked.withLock { $0.append(name) }
                    return answer(incident)
                }
            }
            let errors = ErrorReporter(bank, host: host)
                .handling(handler("outer") { $0.category == .requiresLogout ? .recategorize(.nonRetryable) : .pass })
                .handling(handler("inner") { $0.name == "rejected" ? .handled : .pass })
            #expect(await errors.report(CommandFault(.rejected)) == .fail)
            #expect(asked.withLock { $0 } == ["inner"])
            let report = simulation.task { await errors.report(CommandFault(.unauthenticated)) }
            await simulation.sleep(for: .seconds(1))
            #expect(asked.withLock { $0 } == ["inner", "inner", "outer"])
            // A login screen shows the message itself instead of asking to log in.
            #expect(host.state.presentation?.buttons.map(\.action) == [.dismiss])
            #expect(host.state.presentation?.message == "Please log in.")
            if let id = host.state.presentation?.id { host.choose(.dismiss, of: id) }
            #expect(await report.value == .fail)
            // The same handlers for the commands of the screen.
            simulation.server.isDown = true
            _ = await errors.client(bank).result(of: Bank.LogIn(user: "a", password: "b"))
        }
    }
}
