import ErrandRuntime
import ErrandTesting
import PresenceClient
import TestSeeds
import Testing

/// A connection over which nothing arrives any more, and neither side knows (half-open).
@Suite(.serialized) struct DeadConnectionTests {
    /// How often each command was sent.
    private final class Sends: Interceptor {
        private let counts = LockedState<[String: Int]> { [:] }

        func count(_ name: String) -> Int { counts.withLock { $0["Presence.\(name)"] ?? 0 } }

        func intercept(
            _ request: TransportRequest,
            next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
        ) async throws(TransportFault) -> TransportResponse {
            counts.withLock { $0[request.endpoint, default: 0] += 1 }
            return try await next(request)
        }
    }

    /// A read is lost over it once. Its timeout and the time for a pong are over then.
    @Test func aReadIsSentOnceOverIt() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("13  a read over a connection that is dead is sent once over it", seeds: 20) {
            simulation in
            let sends = Sends()
            let presence = try await simulation.makeLoggedInPresence(
                on: simulation.makeDispatcher(interceptors: [sends]))
            _ = try await presence.queryInfo(of: 0)
            // At any moment between two pings.
            await simulation.sleep(for: .milliseconds(Int(simulation.seed % 19_000)))
            simulation.server.fallSilent()
            let start = simulation.clock.now
            let results = await simulation.concurrently(10) { await presence.result(of: Presence.QueryInfo(of: $0)) }
            let time = start.duration(to: simulation.clock.now)
            var finding = PromiseRun.Finding(cases: 10)
            finding.expect(results.allSatisfy { (try? $0.get()) != nil }, "a read has failed")
            finding.expect(sends.count("queryInfo") == 21, "\(sends.count("queryInfo")) sends for 11 reads")
            // The timeout, the time for the pong, and the first window of a reopening.
            finding.expect(time <= .seconds(10 + 5 + 1 + 1), "it took \(time)")
            finding.expect(simulation.server.openedConnectionCount == 2, "not two connections")
            return finding
        }
    }

    /// What must not be sent twice ends as unconfirmed, and what comes after it does not go over the dead connection.
    @Test func whatComesAfterATimeoutGoesOverTheNextConnection() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check(
            "3  over a connection that is dead, `once` is sent once, and the next command waits", seeds: 20
        ) {
            simulation in
            let sends = Sends()
            let presence = try await simulation.makeLoggedInPresence(
                on: simulation.makeDispatcher(interceptors: [sends]))
            simulation.server.fallSilent()
            let poke = await presence.result(of: Presence.Poke(user: 1))
            let start = simulation.clock.now
            let next = await presence.result(of: Presence.Poke(user: 2))
            let time = start.duration(to: simulation.clock.now)
            var finding = PromiseRun.Finding(cases: 2)
            if case .failure(.unconfirmed) = poke {} else { finding.violations.append("it ended as \(poke)") }
            finding.expect((try? next.get()) != nil, "the next one ended as \(next)")
            finding.expect(time <= .seconds(5 + 1 + 1), "the next one took \(time)")
            finding.expect(sends.count("poke") == 2, "\(sends.count("poke")) sends")
            finding.expect(simulation.server.carriedOut(Presence.Poke.self).count == 1, "not carried out once")
            return finding
        }
    }

    /// A server that only does not reply keeps its connection.
    @Test func aServerThatGivesAPongKeepsItsConnection() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("8  a reply that does not come ends no connection that gives a sign of life", seeds: 20) {
            simulation in
            let presence = try await simulation.makeLoggedInPresence()
            try simulation.server.next(Presence.QueryInfo.self, .fails("timedOut"))
            let start = simulation.clock.now
            let result = await presence.result(of: Presence.QueryInfo(of: 1))
            let time = start.duration(to: simulation.clock.now)
            var finding = PromiseRun.Finding(cases: 1)
            finding.expect((try? result.get()) != nil, "it ended as \(result)")
            finding.expect(time < .seconds(11), "it took \(time)")
            finding.expect(simulation.server.openedConnectionCount == 1, "another connection was opened")
            return finding
        }
    }
}
