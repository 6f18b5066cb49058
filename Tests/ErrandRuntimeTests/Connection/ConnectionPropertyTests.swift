import TestSeeds
import Testing

@testable import ErrandConnections
@testable import ErrandRuntime

/// What a connection keeps to whatever happens: every request ends once, what may not be repeated is sent once, a subscription is
/// made again once and from its last position, and nothing grows beyond its bound.
@Suite struct ConnectionPropertyTests {
    @Test func everyPromiseHoldsForEverySeed() {
        var seed = TestSeeds.SeededGenerator.newSeed()
        for _ in 0..<10_000 {
            var world = ConnectionWorld(seed: seed)
            world.run()
            if let broken = world.broken {
                Issue.record("seed \(seed): \(broken)")
                return
            }
            seed &+= 1
        }
    }
}
