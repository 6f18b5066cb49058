import ErrandRuntime
import ErrandTesting
import PresenceClient
import TestSeeds
import Testing

/// Promises 4, 5, 6 and 13 over a connection: what happens when there is none.
@Suite(.serialized) struct ConnectionOutageTests {
    /// The openings of connections in the log of a run.
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private static func openings(in simulation: Simulation) -> Int {
        simulation.log.filter { $0.contains("connection →") }.count
    }

    /// Without a connection nothing is sent. Commands that have seen it fail share the host's budget for opening it.
    @Test func anOutageIsNotMadeWorse() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("4  in an outage no more openings than commands and ten retries; none too late", seeds: 20)
        {
            simulation in
            let server = simulation.server
            let presence = try await simulation.makeLoggedInPresence()
            // Its commands come within seconds, or over hours.
            let distance = Duration.milliseconds(simulation.seed / 2 % 2 == 0 ? 40 : 60_000)
            if simulation.seed % 2 == 0 { server.isDown = true } else { server.refuseConnections(status: 503) }
            if simulation.seed % 2 == 1 { server.cut() }
            let before = Self.openings(in: simulation)
            let times = await simulation.concurrently(200) { number -> Duration in
                await simulation.sleep(for: distance * number)
                let start = simulation.clock.now
                _ = await presence.result(of: Presence.QueryInfo(of: number))
                return start.duration(to: simulation.clock.now)
            }
            var finding = PromiseRun.Finding(cases: 200)
            let openings = Self.openings(in: simulation) - before
            finding.expect(openings <= 200 + 10, "\(openings) openings for 200 commands")
            finding.expect(server.received(Presence.QueryInfo.self).isEmpty, "something was sent")
            finding.expect(times.allSatisfy { $0 <= .seconds(60) }, "one ended after \(times.max() ?? .zero)")
            return finding
        }
    }

    @Test(arguments: [true, false])
    func oneCauseIsOneIncident(isRetried: Bool) throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        let title = "5  1,000 commands over a connection, one cause, one incident: \(isRetried ? "retry" : "fail")"
        try PromiseRun.check(title, seeds: 20, weight: 10) { simulation in
            let server = simulation.server
            let responder = ScriptedResponder { _ in
                // Longer than any pause, so that all commands are there.
                await simulation.sleep(for: .seconds(120))
                server.isDown = false
                return isRetried ? .retry : .fail
            }
            let presence = try await simulation.makeLoggedInPresence(
                on: simulation.makeDispatcher(responder: responder))
            server.isDown = true
            let results = await simulation.concurrently(1_000) { await presence.result(of: Presence.Poke(user: $0)) }
            let succeeded = results.filter { (try? $0.get()) != nil }.count
            var finding = PromiseRun.Finding(cases: 1_000)
            finding.expect(responder.asked.count == 1, "asked \(responder.asked.count) times")
            finding.expect(succeeded == (isRetried ? 1_000 : 0), "\(succeeded) succeeded")
            finding.expect(server.carriedOut(Presence.Poke.self).count == succeeded, "not each once")
            return finding
        }
    }

    /// Promise 6: nothing is opened or sent without a network; then all goes over one connection.
    @Test(arguments: [true, false])
    func nothingIsSentOffline(isSessionOver: Bool) throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        let title = "6  offline no connection is opened; then one\(isSessionOver ? ", a login" : "") and all"
        try PromiseRun.check(title, seeds: 20) { simulation in
            let server = simulation.server
            let presence = try await simulation.makeLoggedInPresence()
            simulation.network.goAway()
            // The gate hears of it.
            await simulation.sleep(for: .milliseconds(1))
            let before = Self.openings(in: simulation)
            async let results = simulation.concurrently(50) { await presence.result(of: Presence.QueryInfo(of: $0)) }
            await simulation.sleep(for: .seconds(30))
            if isSessionOver { server.expireSessions() }
            var finding = PromiseRun.Finding(cases: 50)
            let early = Self.openings(in: simulation) - before
            finding.expect(early == 0, "\(early) openings while offline")
            finding.expect(server.received(Presence.QueryInfo.self).isEmpty, "sent while offline")
            simulation.network.comeBack()
            let failed = await results.filter { (try? $0.get()) == nil }.count
            finding.expect(failed == 0, "\(failed) failed")
            let openings = Self.openings(in: simulation) - before
            finding.expect(openings <= 1, "\(openings) connections were opened")
            let logins = server.carriedOut(Presence.LogIn.self).count - 1
            finding.expect(logins == (isSessionOver ? 1 : 0), "\(logins) logins")
            return finding
        }
    }

    /// Promise 13: every command ends within its deadline plus its patience, whatever the connection does.
    @Test func everyCommandEndsInTime() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("13  every command over a connection ends within deadline and patience", seeds: 20) {
            simulation in
            let world = PresenceWorld(simulation)
            let server = simulation.server
            // The login closure may never return.
            let session = Session { () -> Presence.LogIn? in
                if world.random(below: 3) == 0 { await simulation.sleep(for: .seconds(100_000)) }
                return Presence.LogIn(user: "1", password: "")
            }
            let presence = Presence(on: simulation.makeDispatcher(), session: session)
            server.faults = FaultPlan(rate: 0.5)
            let storm = simulation.task { await world.storm() }
            // A server that refuses the token that it has just given, in some runs.
            if simulation.seed % 3 == 0 { try server.fail(Presence.AttachSession.self, with: "sessionExpired") }
            let times = await simulation.concurrently(60) { number -> Duration in
                await simulation.sleep(for: .milliseconds(number * 97))
                let start = simulation.clock.now
                switch number % 3 {
                case 0: _ = await presence.result(of: Presence.QueryInfo(of: number))
                case 1: _ = await presence.result(of: Presence.Poke(user: number))
                default: _ = await presence.result(of: Presence.SendMessage(room: number, text: "a"))
                }
                return start.duration(to: simulation.clock.now)
            }
            storm.cancel()
            await storm.value
            var finding = PromiseRun.Finding(cases: times.count)
            // A deadline of one minute, ten minutes' patience with people, and the second minute that a network gets.
            let limit = Duration.seconds(60 + 600 + 60)
            finding.expect(times.allSatisfy { $0 <= limit }, "one ended after \(times.max() ?? .zero)")
            for name in ["queryInfo", "poke", "sendMessage"] {
                let most =
                    Dictionary(grouping: server.received.filter { $0.endpoint == "Presence.\(name)" }, by: \.text)
                    .values.map(\.count).max() ?? 0
                finding.expect(most <= 20, "\(name) was sent \(most) times")
            }
            return finding
        }
    }
}
