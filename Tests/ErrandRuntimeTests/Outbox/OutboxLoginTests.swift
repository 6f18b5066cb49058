import Foundation
import Testing

@testable import ErrandDurable
@testable import ErrandRuntime

/// The outbox waits for the tokens of its user. A login that has expired is not enough.
@Suite(.timeLimit(.minutes(1))) struct OutboxLoginTests {
    private static func waits(_ app: OutboxWorld.App) async -> Bool {
        await app.wait { $0.count == 1 && $0.allSatisfy { $0.reason == .needsLogin && $0.nextAttempt == nil } }
    }

    @Test func itSendsNothingWhileItsUserHasNoTokens() async throws {
        let world = OutboxWorld { _, number in number == 1 ? .isRefused(401) : .arrives }
        let app = try await world.launch()
        let id = try await app.outbox.submit(PostOffice.PrintStamp(text: "a"))
        #expect(await Self.waits(app))
        #expect(app.session.tokens == nil)
        // A retry of the app waits as well, and so does what is submitted now: hundreds of the world's pauses would be over.
        #expect(await app.outbox.retry(id))
        try await app.outbox.submit(PostOffice.MoveIn(text: "b"))
        try await Task.sleep(for: .milliseconds(100))
        #expect(world.seen.requests == 1)
        #expect(app.outbox.entries.map(\.reason) == [.needsLogin, .needsLogin])
        // Another user's login lets nothing go.
        await app.logIn("eve")
        #expect(app.outbox.entries.isEmpty)
        try await Task.sleep(for: .milliseconds(20))
        #expect(world.seen.requests == 1)
        await app.logIn("ada")
        #expect(await app.wait { $0.isEmpty })
        #expect(world.seen.requests == 3 && world.seen.users == ["a": ["ada"], "b": ["ada"]])
        await app.outbox.close()
    }

    /// The command waits at the gate of the network while its user's tokens are lost.
    @Test func whatMeetsTheEndOfTheTokensAtAGateWaits() async throws {
        let world = OutboxWorld()
        let network = TestPathMonitor(.unsatisfied)
        let app = try await world.launch(network: network)
        try await app.outbox.submit(PostOffice.PrintStamp(text: "a"))
        await app.outbox.queue.binding.dispatcher.waits(at: .connectivity)
        await app.session.expire(app.session.basis.generation)
        network.become(ConnectivityTests.wiFi)
        #expect(await Self.waits(app))
        #expect(world.seen.requests == 0)
        await app.session.replaceTokens(SessionTokens(access: "token-ada", identity: "ada"))
        #expect(await app.wait { $0.isEmpty })
        #expect(world.seen.users == ["a": ["ada"]])
        await app.outbox.close()
    }
}
