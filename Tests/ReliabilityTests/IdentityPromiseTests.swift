import BankClient
import ErrandRuntime
import ErrandTesting
import Testing

/// Promise 11: no command is ever sent with the credentials of an epoch other than its own. Users take turns at one device,
/// at every moment and in every way, while their commands wait at every place there is.
@Suite(.serialized) struct IdentityPromiseTests {
    @Test func nobodysCommandIsSentByAnotherUser() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("11  no command goes out with another user's token", seeds: 300) { simulation in
            let world = UserWorld(simulation)
            let server = Interception { (request, _) async throws(TransportFault) in try await world.answer(request) }
            let dispatcher = simulation.makeDispatcher(
                interceptors: [server], settings: DispatcherSettings(maximumRequestsPerHost: 2))
            let session = Session { () -> Enter? in
                let user = world.user
                // The responder answers late, or never.
                let seconds = world.random(below: 6)
                await simulation.sleep(for: seconds == 5 ? .seconds(10_000) : .seconds(seconds))
                return world.random(below: 8) == 0 ? nil : Enter(user: user)
            }
            let bank = Bank(on: dispatcher, session: session)
            let weather = simulation.task { await world.storm() }
            var tasks: [Task<Bool, Never>] = []
            for user in 1...6 {
                await logIn(user, bank, world)
                for _ in 0..<8 { tasks.append(simulation.task { await world.act(as: user, at: bank) }) }
                await simulation.sleep(for: .milliseconds(world.random(below: 5_000)))
                await change(from: user, bank, world)
            }
            weather.cancel()
            simulation.network.comeBack()
            await weather.value
            await session.end()
            var finding = PromiseRun.Finding(cases: tasks.count)
            // All of them end, with any result.
            for task in tasks { _ = await task.value }
            let (strangers, requests) = world.state.withLock { ($0.strangers, $0.requests) }
            finding.expect(strangers.isEmpty, "\(strangers.prefix(3))")
            finding.expect(requests > 0, "nothing was sent")
            return finding
        }
    }

    /// An app and a helper process share one session. Users take turns in the app, and the helper hears of that only through the
    /// store: when its token is refused, or when it renews. The tokens do not say whose they are.
    @Test func noProcessSendsACommandWithAnotherUsersToken() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("11  nor by another process that shares the session", seeds: 300) { simulation in
            let world = UserWorld(simulation)
            let server = Interception { (request, _) async throws(TransportFault) in try await world.answer(request) }
            let drawer = SharedDrawer(simulation)
            let (app, helper) = (makeBank(drawer, server), makeBank(drawer, server))
            var tasks: [Task<Bool, Never>] = []
            for user in 1...6 {
                world.state.withLock { $0.user = user }
                await app.binding.session.begin(world.issue(to: user, isNamed: false))
                // A process without a session finds this one in the store.
                if helper.binding.session.tokens == nil { _ = await helper.result(of: Look(user: user)) }
                for bank in [app, helper] {
                    for _ in 0..<6 { tasks.append(simulation.task { await actAsItsUser(bank, world) }) }
                }
                await simulation.sleep(for: .milliseconds(world.random(below: 3_000)))
                if world.random(below: 2) == 0 { world.expireAll() }
                if world.random(below: 2) == 0 { await app.binding.session.end() }
            }
            world.expireAll()
            await app.binding.session.end()
            var finding = PromiseRun.Finding(cases: tasks.count)
            for task in tasks { _ = await task.value }
            let (strangers, requests) = world.state.withLock { ($0.strangers, $0.requests) }
            finding.expect(strangers.isEmpty, "\(strangers.prefix(3))")
            finding.expect(requests > 0, "nothing was sent")
            return finding
        }
    }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private func makeBank(_ drawer: SharedDrawer, _ server: some Interceptor) -> Bank {
        let dispatcher = drawer.simulation.makeDispatcher(
            interceptors: [server], settings: DispatcherSettings(maximumRequestsPerHost: 2))
        return Bank(on: dispatcher, session: Session(store: DrawerStore(drawer)))
    }

    /// Submits something for the user whose session the process has.
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private func actAsItsUser(_ bank: Bank, _ world: UserWorld) async -> Bool {
        await world.simulation.sleep(for: .milliseconds(world.random(below: 4_000)))
        let isDeed = world.random(below: 2) == 0
        guard let token = bank.binding.session.tokens?.access, let user = world.state.withLock({ $0.owners[token] })
        else {
            return false
        }
        if isDeed { return (try? await bank.send(Deed(user: user))) != nil }
        return (try? await bank.send(Look(user: user))) != nil
    }

    /// The user logs in, where no user is logged in, or this one is already.
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private func logIn(_ user: Int, _ bank: Bank, _ world: UserWorld) async {
        let session = bank.binding.session
        while session.tokens?.identity != "\(user)" {
            if world.random(below: 2) == 0 {
                _ = await bank.result(of: Enter(user: user))
            } else {
                await session.begin(world.issue(to: user))
            }
        }
        world.state.withLock { $0.isSettled = true }
    }

    /// The next user takes the place of this one: after a logout, after the app's word, or just so.
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private func change(from user: Int, _ bank: Bank, _ world: UserWorld) async {
        let session = bank.binding.session
        switch world.random(below: 4) {
        case 0:
            // Sent, held or lost: another user takes over meanwhile. Commands that are submitted after a logout are the next
            // user's.
            world.state.withLock { $0.isSettled = false }
            world.simulation.task {
                if world.user == user { _ = await bank.result(of: Leave(user: user)) }
            }
            await world.simulation.sleep(for: .milliseconds(world.random(below: 500)))
            fallthrough
        case 1:
            world.state.withLock { $0.user = user + 1 }
            await session.end()
        case 2:
            world.state.withLock { $0.user = user + 1 }
            await session.begin(world.issue(to: user + 1))
        default:
            world.state.withLock { ($0.user, $0.isSettled) = (user + 1, false) }
        }
    }
}
