import ErrandConnections
import ErrandRuntime
import Foundation
import TestSeeds
import Testing

/// When the clients of a server come back that has lost all of them in one moment.
///
/// The n-th attempt of a client comes a random time after its attempt before, at most w(n) = min(1 s · 2ⁿ⁻¹, 30 s). Whenever the
/// attempts before were, the sum of a random time and an independent one that is even over w(n) has a density of at most 1/w(n). So no
/// 100 ms can expect more of the n-th attempts than the mean, which is a share of 100 ms / w(n) of them. The rest is chance, for which
/// the promise leaves half of the mean.
@Suite(.serialized) struct ReconnectCurveTests {
    /// An outage that all clients meet.
    private struct Outage {
        /// How long the server is down, after it has lost all connections.
        let duration: Duration
        /// How the handshake fails meanwhile, and when the server asks to come back.
        let failure: ConnectionFailure
        var retryAfter: Duration?
        let text: String
    }

    /// An attempt to connect that is to come, or a pause that is to end.
    private struct Alarm: Comparable {
        let moment: Duration
        let client: Int
        static func < (first: Alarm, second: Alarm) -> Bool { first.moment < second.moment }
    }

    private static let bucket = Duration.milliseconds(100)
    private static let outages = [
        Outage(duration: .zero, failure: .fault(.refused), text: "restarts at once"),
        Outage(duration: .seconds(3), failure: .fault(.refused), text: "is down for 3 s"),
        Outage(duration: .seconds(40), failure: .fault(.refused), text: "is down for 40 s"),
        Outage(
            duration: .seconds(12), failure: .refused, retryAfter: .seconds(10), text: "asks for 10 s (`Retry-After`)"),
    ]

    @Test func noMomentGetsTooManyReconnects() {
        let environment = ProcessInfo.processInfo.environment
        let isLong = environment["ERRAND_RELIABILITY_SEEDS"].flatMap(Int.init).map { $0 >= 1_000 } ?? false
        let clients = isLong ? 100_000 : 20_000
        let seed = TestSeeds.SeededGenerator.newSeed()
        for outage in Self.outages {
            let start = ContinuousClock.now
            let arrivals = Self.arrivals(of: clients, outage, seed: seed)
            var violations: [String] = []
            var worst = 0.0
            for (index, moments) in arrivals.enumerated() {
                let window = min(Duration.seconds(1) * (1 << min(index, 5)), .seconds(30))
                let mean = Double(moments.count) * (Self.bucket / window)
                // Below, chance alone can be more than half of the mean.
                guard mean >= 150 else { continue }
                let counts = Dictionary(grouping: moments) { Int($0 / Self.bucket) }.mapValues(\.count)
                let most = Double(counts.values.max() ?? 0) / mean
                worst = max(worst, most)
                if most > 1.5 { violations.append("attempt \(index + 1) has \(most) times its mean in 100 ms") }
            }
            let all = arrivals.joined()
            let first = arrivals.first?.count ?? 0
            if first != clients { violations.append("\(first) of \(clients) clients came back") }
            let tenths = (ContinuousClock.now - start) / .seconds(1)
            print(
                "| 8  \(clients) clients come back to a server that \(outage.text): at most "
                    + "\((worst * 100).rounded() / 100) of the mean | 1 from \(seed) | \(all.count) | \(violations.count) "
                    + "| \((tenths * 10).rounded() / 10) |")
            #expect(violations.isEmpty, "\(violations.joined(separator: "\n")), ERRAND_SEED=\(seed)")
        }
    }

    /// The moments of all first attempts, of all second ones, and so on.
    private static func arrivals(of count: Int, _ outage: Outage, seed: UInt64) -> [[Duration]] {
        var chance = TestSeeds.SeededGenerator(seed: seed)
        var states: [ConnectionState] = []
        var attempts = [Int](repeating: 0, count: count)
        var arrivals: [[Duration]] = []
        var alarms: [Alarm] = []
        // The connections were open for long, and are lost in one moment.
        let loss = Duration.seconds(3_600)
        var effects: [ConnectionEffect] = []
        func jitter() -> Double { Double(chance.next() >> 11) * 0x1p-53 }
        for client in 0..<count {
            var state = ConnectionState()
            state.handle(.followed, at: .zero, jitter: 0, into: &effects)
            state.handle(.opened(1, .complete), at: .zero, jitter: 0, into: &effects)
            state.handle(.closed(1, .closed(.restart)), at: loss, jitter: jitter(), into: &effects)
            if let moment = state.nextMoment { alarms.append(Alarm(moment: moment, client: client)) }
            states.append(state)
        }
        // One wave after the other: clients do not know of each other.
        while !alarms.isEmpty {
            var next: [Alarm] = []
            for alarm in alarms {
                effects.removeAll(keepingCapacity: true)
                states[alarm.client].handle(.time, at: alarm.moment, jitter: jitter(), into: &effects)
                for case .open(let number, _) in effects {
                    if attempts[alarm.client] == arrivals.count { arrivals.append([]) }
                    arrivals[attempts[alarm.client]].append(alarm.moment - loss)
                    attempts[alarm.client] += 1
                    guard alarm.moment - loss < outage.duration else { continue }
                    states[alarm.client].handle(
                        .openingFailed(number, outage.failure, retryAfter: outage.retryAfter), at: alarm.moment,
                        jitter: jitter(), into: &effects)
                    if let moment = states[alarm.client].nextMoment {
                        next.append(Alarm(moment: moment, client: alarm.client))
                    }
                }
            }
            alarms = next
        }
        return arrivals
    }
}
