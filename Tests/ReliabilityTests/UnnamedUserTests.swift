import BankClient
import ErrandRuntime
import ErrandTesting
import Testing

/// Promise 11 where no token names its user. The runtime cannot compare users there, so only the way of a login shows whether it
/// continues the session of the commands that wait.
@Suite(.serialized) struct UnnamedUserTests {
    /// Users take each other's place while a login form, a login closure or a responder is open for the user before. A case is a
    /// switch of users: `make reliability` makes 100,000 of them.
    @Test func nobodysCommandIsSentByAnUnnamedUser() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("11  nor where no token names its user", seeds: 200) { simulation in
            let world = UserWorld(simulation)
            let server = Interception { (request, _) async throws(TransportFault) in try await world.answer(request) }
            let form = LoginForm(world)
            let dispatcher = simulation.makeDispatcher(
                responder: form, interceptors: [server], settings: DispatcherSettings(maximumRequestsPerHost: 2))
            let bank = Bank(on: dispatcher, session: Self.makeSession(world))
            form.bank.withLock { $0 = bank }
            let weather = simulation.task { await world.storm() }
            var tasks: [Task<Bool, Never>] = []
            await Self.logIn(1, bank, world)
            for user in 1...12 {
                for _ in 0..<6 { tasks.append(simulation.task { await world.act(as: user, at: bank) }) }
                await simulation.sleep(for: .milliseconds(world.random(below: 5_000)))
                await Self.logIn(user + 1, bank, world)
            }
            weather.cancel()
            simulation.network.comeBack()
            await weather.value
            await bank.binding.session.end()
            var finding = PromiseRun.Finding(cases: 12)
            // All of them end, with any result.
            for task in tasks { _ = await task.value }
            let (strangers, requests) = world.state.withLock { ($0.strangers, $0.requests) }
            finding.expect(strangers.isEmpty, "\(strangers.count): \(strangers.prefix(3))")
            finding.expect(requests > 0, "nothing was sent")
            return finding
        }
    }

    /// The closure and the form go on with the session of their own user, so that the test would notice if no login did.
    @Test func theFormOfAnIncidentContinuesTheSession() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("11  the same user's commands go on", seeds: 40) { simulation in
            let world = UserWorld(simulation)
            let server = Interception { (request, _) async throws(TransportFault) in
                guard let user = request.url.split(separator: "/").last.flatMap({ Int($0) }) else {
                    return TransportResponse(status: 404)
                }
                if request.url.contains("/login/") {
                    return TransportResponse(status: 200, body: Array("\"\(world.issue(to: user).access)\"".utf8))
                }
                let token = request.headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) } ?? ""
                return TransportResponse(status: world.isGood(token) ? 200 : 401)
            }
            let form = LoginForm(world, isReliable: true)
            let dispatcher = simulation.makeDispatcher(responder: form, interceptors: [server])
            let bank = Bank(on: dispatcher, session: Session())
            form.bank.withLock { $0 = bank }
            await bank.binding.session.begin(world.issue(to: 1, isNamed: false))
            world.expireAll()
            let results = await simulation.concurrently(20) { _ in await bank.result(of: Deed(user: 1)) }
            var finding = PromiseRun.Finding(cases: 20)
            finding.expect(results.allSatisfy { (try? $0.get()) != nil }, "some failed")
            return finding
        }
    }

    /// With a login closure, or without one: then responders are asked about the session.
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private static func makeSession(_ world: UserWorld) -> Session {
        if world.random(below: 3) > 0 { return Session() }
        return Session { () -> EnterUnnamed? in
            // The form is for the user of the session. An app that lets another user fill it in has to say so itself.
            guard let user = world.submitter else { return nil }
            await world.simulation.sleep(for: .seconds(world.random(below: 6)))
            return world.random(below: 8) == 0 ? nil : EnterUnnamed(user: user)
        }
    }

    /// A user logs in, in place of any other.
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private static func logIn(_ user: Int, _ bank: Bank, _ world: UserWorld) async {
        let session = bank.binding.session
        world.state.withLock { ($0.user, $0.isSettled) = (user, false) }
        if world.random(below: 4) == 0 { await session.end() }
        while session.tokens.flatMap({ world.owner(of: $0) }) != user {
            if world.random(below: 2) == 0 {
                _ = await bank.result(of: EnterUnnamed(user: user))
            } else {
                await session.begin(world.issue(to: user, isNamed: false))
            }
        }
        world.state.withLock { $0.isSettled = true }
    }
}

/// Asks the user of an expired session to log in. The user takes a while, gives up, or has left by then.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
private final class LoginForm: Responder {
    let bank = LockedState<Bank?> { nil }
    private let world: UserWorld
    private let isReliable: Bool

    init(_ world: UserWorld, isReliable: Bool = false) {
        self.world = world
        self.isReliable = isReliable
    }

    func respond(to incident: Incident) async -> IncidentAnswer {
        guard case .session = incident.scope, let bank = bank.withLock({ $0 }) else { return .fail }
        let user = isReliable ? 1 : world.submitter
        guard let user else { return .fail }
        await world.simulation.sleep(for: .milliseconds(world.random(below: 8_000)))
        guard isReliable || world.random(below: 3) > 0 && world.submitter == user else { return .fail }
        let isLoggedIn = (try? await incident.client(bank).send(EnterUnnamed(user: user))) != nil
        return isLoggedIn ? .retry : .fail
    }
}
