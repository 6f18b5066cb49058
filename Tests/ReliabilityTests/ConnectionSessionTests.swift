import ErrandRuntime
import ErrandTesting
import PresenceClient
import TestSeeds
import Testing

/// Promises 2, 9 and 11 over a connection: one login, no secret that is printed, and no request over another user's connection.
@Suite(.serialized) struct ConnectionSessionTests {
    /// The server forgets all sessions: replies say so, or the connections are lost as well, and the token is refused on the next one.
    @Test(arguments: [1, 10, 1_000])
    func oneLoginAndAllAreSentAgain(commands: Int) throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        let title = "2  \(commands) session failures over a connection, one login"
        try PromiseRun.check(title, seeds: 20, weight: commands == 1_000 ? 10 : 1) { simulation in
            let server = simulation.server
            let presence = try await simulation.makeLoggedInPresence()
            server.expireSessions()
            if simulation.seed % 3 == 0 { server.cut() }
            let results = await simulation.concurrently(commands) { number in
                // At once, or one after the other while the first are renewing.
                if simulation.seed % 2 == 0 { await simulation.sleep(for: .milliseconds(number % 200)) }
                return await presence.result(of: Presence.SendMessage(room: number, text: "hello"))
            }
            var finding = PromiseRun.Finding(cases: commands)
            let failures = results.compactMap { result in
                if case .failure(let failure) = result { failure } else { nil }
            }
            finding.expect(failures.isEmpty, "\(failures.count) failed, one as \(failures[0].context.name)")
            let logins = server.carriedOut(Presence.LogIn.self).count - 1
            finding.expect(logins == 1, "\(logins) logins")
            finding.expect(server.carriedOut(Presence.SendMessage.self).count == commands, "not each once")
            return finding
        }
    }

    /// While the person logs in, nothing is sent with the session that is known to be over, also on a new connection.
    @Test func newCommandsWaitForTheLogin() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("2  new commands over a connection wait for the login", seeds: 20) { simulation in
            let server = simulation.server
            let presence = Presence(
                on: simulation.dispatcher,
                session: Session { () -> Presence.LogIn in
                    await simulation.sleep(for: .seconds(10))
                    return Presence.LogIn(user: "1", password: "lovelace")
                })
            _ = try await presence.logIn(user: "1", password: "lovelace")
            server.expireSessions()
            if simulation.seed % 2 == 0 { server.cut() }
            let results = await simulation.concurrently(30) { number in
                // The first one finds out, the others come while the form is filled in and sent.
                if number > 1 { await simulation.sleep(for: .seconds(2) + .milliseconds(number * 280)) }
                return await presence.result(of: Presence.QueryInfo(of: number))
            }
            var finding = PromiseRun.Finding(cases: 30)
            finding.expect(results.allSatisfy { (try? $0.get()) != nil }, "some failed")
            let sent = server.received(Presence.QueryInfo.self).count
            finding.expect(sent <= 31, "\(sent - 30) were sent with the old session")
            let attached = server.received(Presence.AttachSession.self).count
            finding.expect(attached <= 1, "the old token was presented \(attached) times")
            return finding
        }
    }

    /// Promise 9.
    @Test func noSecretIsPrinted() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("9  no secret of a connection is printed", seeds: 20) { simulation in
            let world = PresenceWorld(simulation)
            let canary = "canary-\(simulation.seed)-password"
            let chronicle = CommandChronicle()
            let dispatcher = simulation.makeDispatcher(observers: [chronicle])
            let session = Session { Presence.LogIn(user: "1", password: canary) }
            let presence = Presence(on: dispatcher, session: session)
            let events = simulation.task { [incidents = dispatcher.incidents] in
                var all = ""
                for await event in incidents { all += Self.everything(event) }
                return all
            }
            simulation.server.faults = FaultPlan(rate: 0.4)
            // The server says what it was told.
            simulation.server.on(Presence.SetStatus.self) { call in
                let token = call.request.headers["Authorization"] ?? ""
                return .json(#"{"code": "no_such_room", "message": "\#(token)"}"#)
            }
            let storm = simulation.task { await world.storm() }
            let texts = await simulation.concurrently(20) { number -> String in
                await simulation.sleep(for: .milliseconds(number * 50))
                let attach = Presence.AttachSession(token: "simulated-access-7")
                let results: [Any] =
                    switch number % 3 {
                    case 0: [await presence.result(of: Presence.LogIn(user: "1", password: canary))]
                    case 1: [await presence.result(of: Presence.SetStatus(status: .away))]
                    default: [attach, await presence.result(of: attach)]
                    }
                return results.filter { !($0 is Result<Presence.LogIn.Response, Presence.LogInFailure>) }
                    .map(Self.everything).joined()
            }
            storm.cancel()
            await storm.value
            events.cancel()
            let printed =
                [await events.value, Self.everything(presence), Self.everything(session), Self.everything(dispatcher)]
                + texts + simulation.log + chronicle.events.map(Self.everything)
            var finding = PromiseRun.Finding(cases: printed.count)
            for secret in [canary, "simulated-access-"] {
                let leak = printed.first { $0.contains(secret) }
                finding.expect(leak == nil, "\(secret) in \(leak?.prefix(300) ?? "")")
            }
            return finding
        }
    }

    /// All ways in which a value is printed.
    private static func everything(_ value: Any) -> String {
        var text = "\(value)\n\(String(reflecting: value))\n"
        dump(value, to: &text)
        return text
    }

    /// Promise 11: users take turns at one device, while their commands wait, are sent or are answered.
    @Test func nobodysRequestGoesOverAnotherUsersConnection() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("11  no request goes over a connection with another user's token", seeds: 60) {
            simulation in
            let world = PresenceWorld(simulation, isNamed: true)
            let present = LockedState { 1 }
            let dispatcher = simulation.makeDispatcher()
            let session = Session { () -> Presence.LogIn? in
                let user = present.withLock { $0 }
                // The responder answers late, or never.
                let seconds = world.random(below: 6)
                await simulation.sleep(for: seconds == 5 ? .seconds(10_000) : .seconds(seconds))
                return world.random(below: 8) == 0 ? nil : Presence.LogIn(user: "\(user)", password: "")
            }
            let presence = Presence(on: dispatcher, session: session)
            simulation.server.faults = FaultPlan(rate: 0.1)
            let storm = simulation.task { await world.storm() }
            var tasks: [Task<Void, Never>] = []
            for user in 1...5 {
                present.withLock { $0 = user }
                while session.tokens?.identity != "\(user)" {
                    if world.random(below: 2) == 0 {
                        _ = await presence.result(of: Presence.LogIn(user: "\(user)", password: ""))
                    } else {
                        await session.begin(SessionTokens(access: world.issue(to: "\(user)"), identity: "\(user)"))
                    }
                }
                for _ in 0..<8 {
                    tasks.append(
                        simulation.task {
                            await simulation.sleep(for: .milliseconds(world.random(below: 3_000)))
                            // Only the user who is there submits something.
                            guard session.tokens?.identity == "\(user)" else { return }
                            await Self.act(as: user, presence, world.random(below: 4))
                        })
                }
                await simulation.sleep(for: .milliseconds(world.random(below: 4_000)))
                switch world.random(below: 3) {
                case 0: _ = await presence.result(of: Presence.LogOut())
                case 1: await session.end()
                // The next user takes over just so.
                default: break
                }
            }
            storm.cancel()
            await storm.value
            await session.end()
            var finding = PromiseRun.Finding(cases: tasks.count)
            // All of them end, with any result.
            for task in tasks { await task.value }
            finding.expect(world.strangers.isEmpty, "\(world.strangers.prefix(3))")
            return finding
        }
    }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private static func act(as user: Int, _ presence: Presence, _ kind: Int) async {
        switch kind {
        case 0: _ = await presence.result(of: Presence.QueryInfo(of: user))
        case 1: _ = await presence.result(of: Presence.SendMessage(room: user, text: "hello"))
        case 2: _ = await presence.result(of: Presence.Poke(user: user))
        default:
            var events = presence.follow(room: user).makeAsyncIterator()
            while (try? await events.next()) ?? nil != nil {}
        }
    }
}
