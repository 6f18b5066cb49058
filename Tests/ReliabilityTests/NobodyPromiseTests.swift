import ErrandDurable
import ErrandRuntime
import ErrandTesting
import PresenceClient
import Testing

/// Promise 15: where a session is required, no request leaves without a token, for any sender and any user.
@Suite(.serialized) struct NobodyPromiseTests {
    /// Commands of every kind, of the app, of a login closure, of a responder, of an outbox and of the system, while users come and go. A
    /// case is a request at an endpoint that requires a session. Two thousand seeds are about 100,000 of them.
    @Test func aThousandRequestsHaveTheirToken() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        let seen = LockedState<[String: Int]> { [:] }
        try PromiseRun.check("15  no request for nobody where a session is required", seeds: 300) { simulation in
            let world = KioskWorld(simulation)
            let session = Self.makeSession(world)
            let kiosk = world.open(session, settings: DispatcherSettings(maximumRequestsPerHost: 3))
            let outbox = try await Outbox(of: kiosk, in: MemoryOutboxStore())
            let storm = simulation.task { await world.storm(session) }
            let tasks = (0..<60).map { _ in
                simulation.task {
                    await world.pause(upTo: 20_000)
                    switch world.random(below: KioskWorld.deeds + 4) {
                    case KioskWorld.deeds...(KioskWorld.deeds + 1): _ = try? await outbox.submit(Kiosk.Post())
                    case KioskWorld.deeds + 2: _ = try? await outbox.submit(Kiosk.PostOnce())
                    case KioskWorld.deeds + 3: for entry in outbox.entries { await outbox.retry(entry.id) }
                    case let kind: await world.act(kind)
                    }
                }
            }
            for task in tasks { await task.value }
            storm.cancel()
            await storm.value
            await outbox.close()
            let (requests, nobodies) = (world.requests, world.nobodies)
            world.close()
            seen.withLock { $0.merge(requests) { $0 + $1 } }
            seen.withLock { $0["reordered", default: 0] += world.reordered.withLock { $0 } }
            var finding = PromiseRun.Finding(cases: requests.values.reduce(0, +))
            finding.expect(nobodies.isEmpty, "\(nobodies.count): \(nobodies.prefix(5))")
            return finding
        }
        // None of the kinds is left out because it never gets so far.
        let kinds = [
            "browse", "fill", "order", "buy", "shared", "cached", "pay", "walk", "watch", "fetch", "whoAmI", "leave",
            "post",
            "postOnce", "reordered",
        ]
        for kind in kinds { #expect(seen.withLock { $0[kind] ?? 0 } > 0, "\(kind)") }
    }

    /// With a closure that sends commands itself, without one, and with a store that another process uses, too.
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private static func makeSession(_ world: KioskWorld) -> Session {
        @Sendable func logIn() async -> Kiosk.Enter? {
            await world.act(world.random(below: 9))
            await world.pause(upTo: 5_000)
            return world.random(below: 3) == 0 ? nil : Kiosk.Enter()
        }
        let drawer = DrawerStore(SharedDrawer(world.simulation))
        switch world.random(below: 5) {
        case 0, 1: return Session()
        case 2: return Session(store: drawer)
        case 3: return Session(store: drawer) { await logIn() }
        default: return Session { await logIn() }
        }
    }

    /// The same over a connection: no frame of a command that requires a session goes before the token was presented or issued on the
    /// very connection.
    @Test func noFrameGoesWithoutAPresentation() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("15  no frame for nobody where a session is required", seeds: 100) { simulation in
            let world = PresenceWorld(simulation, isNamed: true)
            let session =
                world.random(below: 2) == 0
                ? Session()
                : Session { () -> Presence.LogIn? in
                    await simulation.sleep(for: .seconds(world.random(below: 6)))
                    return world.random(below: 3) == 0 ? nil : Presence.LogIn(user: "1", password: "")
                }
            let presence = Presence(on: simulation.dispatcher, session: session)
            let storm = simulation.task { await world.storm() }
            let tasks = (0..<40).map { _ in
                simulation.task {
                    await simulation.sleep(for: .milliseconds(world.random(below: 20_000)))
                    switch world.random(below: 7) {
                    case 0: await session.begin(SessionTokens(access: world.issue(to: "1"), identity: "1"))
                    case 1: _ = await presence.result(of: Presence.LogOut())
                    case 2: _ = await presence.result(of: Presence.LogIn(user: "1", password: ""))
                    case 3: _ = await presence.result(of: Presence.Poke(user: 1))
                    case 4:
                        var events = presence.follow(room: 1).makeAsyncIterator()
                        while (try? await events.next()) ?? nil != nil {}
                    default: _ = await presence.result(of: Presence.SendMessage(room: 1, text: "hello"))
                    }
                }
            }
            for task in tasks { await task.value }
            storm.cancel()
            await storm.value
            await session.end()
            let server = simulation.server
            let presented = server.carriedOut(Presence.AttachSession.self) + server.carriedOut(Presence.LogIn.self)
            let first = Dictionary(presented.map { ($0.connection, $0.number) }, uniquingKeysWith: min)
            let frames =
                server.received(Presence.SendMessage.self) + server.received(Presence.Follow.self)
                + server.received(Presence.Poke.self)
            var finding = PromiseRun.Finding(cases: frames.count)
            let nobodies = frames.filter { frame in first[frame.connection].map { $0 > frame.number } ?? true }
            finding.expect(nobodies.isEmpty, "\(nobodies.count): \(nobodies.prefix(3).map(\.endpoint))")
            return finding
        }
    }
}
