import ErrandRuntime
import ErrandTesting
import ErrandTransportConformance
import Foundation
import Testing

/// The suite can fail: transports with the mistakes that others shipped are caught, by the checks that are there for them.
@Suite(.serialized) struct BrokenTransportTests {
    /// All at once, because the checks mostly wait for their servers.
    @Test func everyMistakeIsCaught() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for mistake in Mistake.all { group.addTask { try await Self.expectCaught(mistake) } }
            group.addTask { try await Self.expectEnd() }
            try await group.waitForAll()
        }
    }

    private static func expectCaught(_ mistake: Mistake) async throws {
        for name in mistake.caughtBy {
            let check = try #require(TransportConformance.checks.first { $0.name == name }, "there is no check \(name)")
            let violations = await check.run(on: mistake.transport)
            #expect(!violations.isEmpty, "\(name) did not see that it \(mistake.description)")
            #expect(violations.allSatisfy { $0.check == name && !$0.seen.isEmpty })
        }
    }

    /// A transport that never returns is caught, and blocks no caller.
    private static func expectEnd() async throws {
        let hanging = ScriptedTransport { _, _ async throws(TransportFault) in
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                Thread.detachNewThread {
                    sleep(12)
                    continuation.resume()
                }
            }
            return TransportResponse(status: 200)
        }
        let check = try #require(TransportConformance.checks.first { $0.name == "cancelled-waiting" })
        #expect(await !check.run(on: hanging).isEmpty)
    }
}
