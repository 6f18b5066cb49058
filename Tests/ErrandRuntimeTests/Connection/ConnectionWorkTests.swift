import ErrandJSON
import ErrandTesting
import Testing

@testable import ErrandConnections
@testable import ErrandRuntime

/// The work of a connection grows with what it carries, and not with its square.
///
/// Each step of a connection and of a command looks at the clock once, whatever the machine does meanwhile. Four times as many commands
/// therefore lead to four times as many looks; if each of them woke or searched all the others, there would be sixteen times as many.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ConnectionWorkTests {
    private static let few = 150
    private static let many = 600

    /// Counts how often it is looked at.
    private final class CountingClock: Clock {
        private let count = LockedState<Int> { 0 }
        private let clock = ContinuousClock()

        var looks: Int { count.withLock { $0 } }
        var now: ContinuousClock.Instant {
            count.withLock { $0 += 1 }
            return clock.now
        }
        var minimumResolution: Duration { clock.minimumResolution }
        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
            try await clock.sleep(until: deadline, tolerance: tolerance)
        }
    }

    private static func parlor(_ server: ScriptedMessages, _ clock: CountingClock) -> Parlor {
        let settings = DispatcherSettings(
            retry: RetryRule(attempts: 3, base: .milliseconds(1)), maximumRequestsPerHost: 4_096,
            messageTransport: server)
        let dispatcher = Dispatcher(
            transport: ScriptedTransport { _, _ in TransportResponse(status: 500) }, settings: settings,
            environment: DispatcherEnvironment(clock: clock))
        return Parlor(on: dispatcher, session: Session())
    }

    private static func expectLinear(
        from few: Int = few, to many: Int = many, _ work: (Int) async throws -> Int
    ) async throws {
        let (first, second) = (try await work(few), try await work(many))
        #expect(first >= few, "nothing was counted: \(first)")
        #expect(second < 6 * first, "\(few) take \(first) looks at the clock, and \(many) take \(second)")
    }

    /// The connection takes 64 commands at once, and the rest wait at its gate.
    @Test func commandsThatWaitAtTheGate() async throws {
        try await Self.expectLinear { count in
            let clock = CountingClock()
            let server = ScriptedMessages { _, _ in }
            let parlor = Self.parlor(server, clock)
            let asks = (0..<count).map { _ in Task { await parlor.result(of: Parlor.Ask()).failure == nil } }
            #expect(
                await eventually {
                    server.frames.count == 64 && parlor.binding.dispatcher.waitingCount == count - 64
                })
            // Each reply lets one command through the gate.
            for number in 0..<count {
                #expect(await eventually { server.frames.count > number })
                server.line?.reply(to: server.frames[number], #"{"is":5}"#)
            }
            for ask in asks { #expect(await ask.value) }
            #expect(server.frames.count == count)
            return clock.looks
        }
    }

    /// All subscriptions get elements, lose their connection, and are made again once. At most 256 are on a connection.
    @Test func subscriptions() async throws {
        try await Self.expectLinear(from: 60, to: 240) { count in
            let clock = CountingClock()
            let server = ScriptedMessages { frame, line in
                guard frame.kind == "follow" else { return }
                if line.number == 1 {
                    for place in 1...2 { line.reply(to: frame, #"{"seq":\#(place)}"#) }
                } else {
                    line.reply(to: frame, #"{"seq":3}"#)
                    line.reply(to: frame, kind: "closed")
                }
            }
            let parlor = Self.parlor(server, clock)
            let second = LockedState<Int> { 0 }
            let readers = (0..<count).map { _ in
                Task {
                    var places: [Int] = []
                    for try await place in parlor.stream(Parlor.Follow()) {
                        places.append(place)
                        if place == 2 { second.withLock { $0 += 1 } }
                    }
                    return places
                }
            }
            #expect(await eventually { second.withLock { $0 } == count })
            server.line?.cut()
            for reader in readers {
                let places = try await reader.value
                #expect(places == [1, 2, 3])
            }
            #expect(server.kinds.count { $0 == "follow" } == 2 * count)
            return clock.looks
        }
    }

    /// Counts how often it is read.
    private struct Tick: ServerEvent {
        typealias Service = Parlor
        static let kind = "tick"
        static let reads = LockedState<Int> { 0 }
        let number: Int
        static func load(from reader: inout JSONReader) -> Tick? {
            reads.withLock { $0 += 1 }
            return Parlor.number("number", &reader).map { Tick(number: $0) }
        }
    }

    /// An event is read once, and takes the steps of one event, however many follow it.
    @Test func eventsWithManyFollowers() async throws {
        let events = 50
        var looks: [Int] = []
        for count in [1, Self.few, Self.many] {
            let clock = CountingClock()
            let server = ScriptedMessages { _, _ in }
            let parlor = Self.parlor(server, clock)
            var followers: [EventStream<Tick>] = []
            for _ in 0..<count { followers.append(parlor.events(of: Tick.self)) }
            #expect(await eventually { server.line != nil })
            let (before, reads) = (clock.looks, Tick.reads.withLock { $0 })
            for number in 1...events { server.line?.say(#"{"type":"tick","data":{"number":\#(number)}}"#) }
            for follower in followers {
                var iterator = follower.makeAsyncIterator()
                for number in 1...events { #expect(await iterator.next()?.event?.number == number) }
            }
            #expect(Tick.reads.withLock { $0 } == reads + events, "each event is read once")
            looks.append(clock.looks - before)
        }
        // Messages that arrive together may be taken in one step, so the counts differ by that.
        #expect(
            looks.allSatisfy { $0 <= 4 * events + 20 }, "looks at the clock with 1, few and many followers: \(looks)")
    }
}
