import Foundation
import TestSeeds
import Testing

@testable import ErrandDurable
@testable import ErrandRuntime

/// Promise 17: a command leaves the outbox only when it was carried out, when the service has refused it, when its lifetime is over, or
/// when the app takes it out. Portals, a service that is broken, full disks, corrected clocks, updates of the app, and processes that end
/// at any step change nothing.
@Suite struct OutboxPatienceTests {
    private struct Submitted: Sendable {
        let id: UUID
        let text: String
        let effect: Effect
    }

    /// What can happen to a request, the service's refusal excepted.
    private static func fate(_ number: Int) -> OutboxWorld.Fate {
        let obstacles = OutboxRefusalTests.Obstacle.allCases.filter { !$0.isRefusal }
        if number < obstacles.count {
            let obstacle = obstacles[number]
            return .ends { request throws(TransportFault) in try obstacle.response(to: request) }
        }
        return [.isLost, .losesResponse][safe: number - obstacles.count] ?? .arrives
    }

    /// Everything that a device can do to a command, by random numbers.
    private struct Weather: Sendable {
        let world: OutboxWorld
        let roll: @Sendable (Int) -> Int
        let isFair: LockedState<Bool>
        private let offset = LockedState { 0.0 }

        init(seed: UInt64) {
            let chance = LockedState { TestSeeds.SeededGenerator(seed: seed) }
            let roll: @Sendable (Int) -> Int = { sides in chance.withLock { Int($0.next() % UInt64(sides)) } }
            let isFair = LockedState { false }
            world = OutboxWorld(
                { _, _ in isFair.withLock { $0 } ? .arrives : fate(roll(18)) },
                isFull: { !isFair.withLock { $0 } && roll(8) == 0 })
            self.roll = roll
            self.isFair = isFair
        }

        /// A correction of the device's date, which is never more than half a minute off.
        func correctClock() {
            let target = Double(roll(61)) - 30
            let change = offset.withLock { offset in
                defer { offset = target }
                return target - offset
            }
            world.correct(change)
        }

        /// Lets processes come and go. The app is updated once.
        ///
        /// - Parameter pace: how many seconds may pass between two processes.
        func pass(upTo pace: Int) async throws -> [Submitted] {
            var submitted: [Submitted] = []
            let update = roll(5)
            for round in 0..<5 {
                let life = ProcessLife(steps: 2 + roll(60)) { correctClock() }
                let app = try await world.launch(life, isOlder: round < update)
                for index in 0..<(1 + roll(4)) {
                    if let done = await submit("\(round)-\(index)", roll(5), app.outbox) { submitted.append(done) }
                }
                _ = await app.settle(polls: 50)
                life.end()
                await app.outbox.close()
                world.pass(Double(roll(pace)))
            }
            return submitted
        }

        /// - Returns: why commands are left when nothing is in the way any more.
        func clear() async throws -> [UUID: OutboxEntry.Reason] {
            isFair.withLock { $0 = true }
            let app = try await world.launch()
            #expect(await app.settle())
            defer { Task { await app.outbox.close() } }
            return Dictionary(uniqueKeysWithValues: app.outbox.entries.map { ($0.id, $0.reason) })
        }
    }

    private static func submit(_ text: String, _ kind: Int, _ outbox: Outbox<PostOffice>) async -> Submitted? {
        do throws(OutboxError) {
            let (id, effect) =
                switch kind {
                case 0: (try await outbox.submit(PostOffice.PrintStamp(text: text)), Effect.once)
                case 1: (try await outbox.submit(PostOffice.MoveIn(text: text)), .idempotent)
                case 2: (try await outbox.submit(PostOffice.Sign(text: text)), .idempotent)
                case 3: (try await outbox.submit(PostOffice.Look(text: text)), .read)
                default: (try await outbox.submit(PostOffice.SendLetter(text: text)), .keyed)
                }
            return Submitted(id: id, text: text, effect: effect)
        } catch {
            // A command that was not taken is the app's, which knows it.
            return nil
        }
    }

    /// While the server knows the keys, nothing ends a command but its success. One without a key may end as unconfirmed.
    ///
    /// It prints a row, which `scripts/reliability` shows among those of the other promises.
    @Test func aCommandLeavesWhenItWasCarriedOut() async throws {
        let seeds = ProcessInfo.processInfo.environment["ERRAND_RELIABILITY_SEEDS"].flatMap { UInt64($0) } ?? 60
        let first = ProcessInfo.processInfo.environment["ERRAND_SEED"].flatMap { UInt64($0) } ?? 1
        let start = ContinuousClock.now
        var (cases, violations) = (0, 0)
        for seed in first..<(first + seeds) {
            let weather = Weather(seed: seed)
            let submitted = try await weather.pass(upTo: 600)
            let left = try await weather.clear()
            let applied = weather.world.seen.applied
            for command in submitted {
                let (count, reason) = (applied[command.text] ?? 0, left[command.id])
                let isKept =
                    switch command.effect {
                    case .read, .idempotent: reason == nil && count >= 1
                    case .keyed: reason == nil && count == 1
                    case .once: count == 1 && reason == nil || count <= 1 && reason == .unconfirmed
                    }
                cases += 1
                if !isKept { violations += 1 }
                #expect(isKept, "seed \(seed), \(command.text), \(command.effect), \(count), \(reason as Any)")
            }
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        print(
            "| 17  a command leaves the outbox when it was carried out | \(seeds) from \(first) | \(cases) | \(violations) | \(String(format: "%.1f", seconds)) |"
        )
    }

    /// However clocks are corrected, no key is sent that the server may have forgotten.
    @Test(arguments: 61...100) func noEffectIsRepeated(_ seed: UInt64) async throws {
        let weather = Weather(seed: seed)
        let submitted = try await weather.pass(upTo: 3_000)
        let left = try await weather.clear()
        let applied = weather.world.seen.applied
        for command in submitted where command.effect.isUnsafe {
            let (count, reason) = (applied[command.text] ?? 0, left[command.id])
            let comment = Comment(rawValue: "seed \(seed), \(command.text), \(command.effect), \(reason as Any)")
            #expect(count <= 1, comment)
            #expect(reason != nil || count == 1, comment)
            #expect(reason == nil || reason == .unconfirmed || reason == .expired && count == 0, comment)
        }
    }

    /// A process that ends at each step in turn, in front of a portal, and a clock that is corrected then.
    @Test(arguments: 1...40, [-60.0, -2, 30]) func killAndClockAtEveryStep(_ steps: Int, _ seconds: Double) async throws
    {
        let world = OutboxWorld { _, number in Self.fate(number < 4 ? 3 : 17) }
        let life = ProcessLife(steps: steps)
        let app = try await world.launch(life, isOlder: true)
        var submitted: [Submitted] = []
        for kind in [4, 2, 1] {
            if let done = await Self.submit("\(kind)", kind, app.outbox) { submitted.append(done) }
        }
        _ = await app.wait { $0.isEmpty }
        life.end()
        await app.outbox.close()
        world.correct(seconds)
        let next = try await world.launch()
        #expect(await next.wait { $0.isEmpty }, "step \(steps), \(next.outbox.entries.map(\.reason))")
        for command in submitted {
            let count = world.seen.applied[command.text] ?? 0
            #expect(command.effect == .keyed ? count == 1 : count >= 1, "step \(steps), \(command.text)")
        }
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
