import ErrandTesting
import Testing

@testable import ErrandRuntime

/// How long a stream that has delivered is opened again.
#if !canImport(Darwin)
@Suite(.timeLimit(.minutes(2))) struct StreamPatienceTests {
    /// A server that gives an element, and then no response any more: how the stream ends, and how long after its loss.
    private static func abandon(
        _ simulation: Simulation, after pause: Duration = .seconds(100), _ configure: (inout CommandOptions) -> Void
    ) async -> (failure: Feed.Failure?, time: Duration) {
        let isGone = LockedState { false }
        FlakyFeed.serve(simulation) { _, _ in
            let isFirst = isGone.withLock { isGone in
                defer { isGone = true }
                return !isGone
            }
            return FlakyFeed.Connection(texts: isFirst ? [(.zero, FlakyFeed.event(1)), (pause, ": beat\n\n")] : [])
        }
        let down = simulation.task {
            await simulation.sleep(for: pause / 2)
            simulation.server.isDown = true
        }
        defer { down.cancel() }
        let (elements, failure, time) = await FlakyFeed.read(simulation, configure)
        #expect(elements == [1], "\(simulation)")
        return (failure, time - pause)
    }

    /// Neither the deadline nor the attempts bound it. The time for which it was open doesn't count.
    @Test(arguments: [(nil, 600), (120, 120)] as [(Int?, Int)])
    func patienceBoundsTheReopenings(_ patience: Int?, _ most: Int) async throws {
        try await Simulation.run(seeds: 5) { simulation in
            let (failure, time) = await Self.abandon(simulation) {
                $0.patience = patience.map { .upTo(.seconds($0)) }
                $0.deadline = .seconds(50)
                $0.attempts = 2
            }
            // The last window may not fit, and the network takes a moment until the client hears of the loss.
            #expect(Double(most - 45)...Double(most + 1) ~= time / .seconds(1), "\(time), \(simulation)")
            #expect(failure?.context.name == "unreachable", "\(simulation)")
            #expect(failure?.category == .retryable && failure?.context.applied == .never, "\(simulation)")
        }
    }

    @Test func withoutPatienceTheLossEndsIt() async throws {
        try await Simulation.run(seeds: 5) { simulation in
            let (failure, time) = await Self.abandon(simulation) { $0.patience = .upTo(.zero) }
            #expect(failure?.context.name == "connectionLost" && time < .seconds(1), "\(time), \(simulation)")
        }
    }

    @Test func patienceWithoutABoundOutlivesADay() async throws {
        try await Simulation.run(seeds: 2) { simulation in
            FlakyFeed.serve(simulation) { number, last in
                FlakyFeed.Connection(texts: number == 2 ? [] : [(.zero, FlakyFeed.event(last + 1))])
            }
            let feed = Feed(simulation.dispatcher).with { $0.patience = .forever }
            var iterator = feed.stream(Feed.Watch()).makeAsyncIterator()
            #expect(await (try? iterator.next()) == 1, "\(simulation)")
            simulation.server.isDown = true
            let up = simulation.task {
                await simulation.sleep(for: .seconds(86_400))
                simulation.server.isDown = false
            }
            #expect(await (try? iterator.next()) == 2, "\(simulation)")
            await up.value
        }
    }

    /// A server that asks for more than an hour does not refuse. An ordinary command fails at once, because a person waits for it.
    @Test func aServerMayAskForMoreThanAnHour() async throws {
        try await Simulation.run(seeds: 2) { simulation in
            FlakyFeed.respond(simulation) { number, _ in
                if number == 2 { return TransportResponse(status: 503, headers: ["Retry-After": "7200"]) }
                return FlakyFeed.response(
                    simulation, FlakyFeed.Connection(texts: [(.zero, FlakyFeed.event(number))]))
            }
            let feed = Feed(simulation.dispatcher).with { $0.patience = .forever }
            let start = simulation.clock.now
            var iterator = feed.stream(Feed.Watch()).makeAsyncIterator()
            #expect(await (try? iterator.next()) == 1, "\(simulation)")
            #expect(await (try? iterator.next()) == 3, "\(simulation)")
            #expect(start.duration(to: simulation.clock.now) >= .seconds(7_200), "\(simulation)")
        }
    }

    /// An hour of absences, none of which is longer than the patience: each element begins it anew.
    @Test func anElementRenewsThePatience() async throws {
        try await Simulation.run(seeds: 5) { simulation in
            FlakyFeed.serve(simulation) { _, last in FlakyFeed.Connection(texts: [(.zero, FlakyFeed.event(last + 1))]) }
            let weather = simulation.task {
                while !Task.isCancelled {
                    await simulation.sleep(for: .seconds(simulation.server.isDown ? 200 : 60))
                    simulation.server.isDown.toggle()
                }
            }
            let (elements, failure, _) = await FlakyFeed.read(simulation) { $0.patience = .upTo(.seconds(300)) }
            weather.cancel()
            #expect(failure == nil && elements == Array(1..<elements.count + 1), "\(simulation)")
            #expect(elements.count > 12, "\(elements.count), \(simulation)")
        }
    }

    /// Only a refusal ends it before.
    @Test func aRefusalEndsIt() async throws {
        try await Simulation.run(seeds: 5) { simulation in
            let count = LockedState { 0 }
            simulation.server.on(Feed.Watch.self) { _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                // Gateways that come and go, a server with a fault and the page of a portal say nothing about the stream.
                if number > 1 {
                    return TransportResponse(
                        status: number < 12 ? [502, 503, 504, 429, 500, 200][number % 6] : 404,
                        headers: ["Content-Type": "text/html"], body: Array("<html>Welcome</html>".utf8))
                }
                let rest = LockedState { [FlakyFeed.event(1)] }
                let body = StreamedBody { () async throws(TransportFault) -> [UInt8]? in
                    guard let next = rest.withLock({ $0.popLast() }) else {
                        throw TransportFault(.lost, evidence: .sent)
                    }
                    return Array(next.utf8)
                }
                return TransportResponse(status: 200, headers: ["Content-Type": "text/event-stream"], stream: body)
            }
            let (elements, failure, _) = await FlakyFeed.read(simulation)
            #expect(elements == [1] && failure?.context.name == "rejected", "\(simulation)")
            #expect(count.withLock { $0 } == 12, "\(simulation)")
        }
    }

    /// A server of ticks, one each second, and of tokens that last 20 seconds. It is away from the tenth second on, for a minute.
    private struct Ticking: Transport {
        let simulation: Simulation
        let begun: SimulatedClock.Instant
        let refreshes = LockedState { 0 }

        init(_ simulation: Simulation) {
            self.simulation = simulation
            begun = simulation.clock.now
        }

        private var isAway: Bool { (.seconds(10)..<(.seconds(70))).contains(begun.duration(to: simulation.clock.now)) }

        func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
            await simulation.sleep(for: .milliseconds(20))
            if request.url.contains("/refresh") { refreshes.withLock { $0 += 1 } }
            if isAway { throw TransportFault(.refused, evidence: .notSent) }
            guard request.url.contains("/ticks") else {
                return .json(200, #"{"access": "new", "expiresIn": 20, "refresh": "r"}"#)
            }
            let next = LockedState { (request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0) + 1 }
            let body = StreamedBody { () async throws(TransportFault) -> [UInt8]? in
                await simulation.sleep(for: .seconds(1))
                if isAway { throw TransportFault(.lost, evidence: .sent) }
                let number = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                return Array("id: \(number)\ndata: \(number)\n\n".utf8)
            }
            return TransportResponse(status: 200, headers: ["Content-Type": "text/event-stream"], stream: body)
        }

        /// The elements of a stream until it ends, 20 at most.
        func ticks(refresh: String?, _ session: Session) async -> (elements: [Int], failure: CommandFault?) {
            let environment = simulation.dispatcher.environment
            let shop = Shop(on: Dispatcher(transport: self, environment: environment), session: session)
            await session.begin(
                SessionTokens(access: "old", expiresIn: 20, refresh: refresh), at: environment.wallTime())
            var elements: [Int] = []
            var iterator = shop.stream(Shop.Ticks()).makeAsyncIterator()
            do throws(CommandFault) {
                while elements.count < 20, let element = try await iterator.next() { elements.append(element) }
                return (elements, nil)
            } catch {
                return (elements, error)
            }
        }
    }

    /// The token expires while the server is away, so that it can neither be renewed nor used. The stream comes back with the server.
    @Test func aTokenThatExpiresMeanwhileDoesNotEndIt() async throws {
        try await Simulation.run(seeds: 5) { simulation in
            let server = Ticking(simulation)
            let (elements, failure) = await server.ticks(refresh: "r", Session())
            #expect(elements == Array(1...20) && failure == nil, "\(failure as Any), \(simulation)")
            // Each opening renews the session, with its own attempts.
            let count = server.refreshes.withLock { $0 }
            #expect(2...40 ~= count, "\(count), \(simulation)")
        }
    }

    /// A server of ticks whose tokens last 15 seconds, which it does not say. It ends a stream with its token.
    private struct ShortTokens: Transport {
        let simulation: Simulation
        let current = LockedState<(number: Int, issued: SimulatedClock.Instant?)> { (0, nil) }

        private var isGood: Bool {
            current.withLock { $0.issued }.map { $0.duration(to: simulation.clock.now) < .seconds(15) } ?? false
        }

        func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
            await simulation.sleep(for: .milliseconds(20))
            if request.url.contains("/refresh") {
                let number = current.withLock { current in
                    current = (current.number + 1, simulation.clock.now)
                    return current.number
                }
                return .json(200, #"{"access": "t\#(number)", "refresh": "r"}"#)
            }
            let number = current.withLock { $0.number }
            guard isGood, request.url.hasSuffix("token=t\(number)") else {
                return TransportResponse(status: 401)
            }
            let next = LockedState { (request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0) + 1 }
            let body = StreamedBody { () async throws(TransportFault) -> [UInt8]? in
                await simulation.sleep(for: .seconds(1))
                if !isGood { throw TransportFault(.lost, evidence: .sent) }
                let number = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                return Array("id: \(number)\ndata: \(number)\n\n".utf8)
            }
            return TransportResponse(status: 200, headers: ["Content-Type": "text/event-stream"], stream: body)
        }
    }

    /// Each renewal succeeds and brings elements, so none is the last one.
    @Test func tokensMayBeShort() async throws {
        try await Simulation.run(seeds: 5) { simulation in
            let environment = simulation.dispatcher.environment
            let session = Session()
            let shop = Shop(
                on: Dispatcher(transport: ShortTokens(simulation: simulation), environment: environment),
                session: session)
            await session.begin(SessionTokens(access: "t0", refresh: "r"), at: environment.wallTime())
            var elements: [Int] = []
            var iterator = shop.stream(Shop.Ticks()).makeAsyncIterator()
            do throws(CommandFault) {
                while elements.count < 100, let element = try await iterator.next() { elements.append(element) }
            } catch {
                Issue.record("\(error) after \(elements.count), \(simulation)")
            }
            #expect(elements == Array(1..<101), "\(simulation)")
        }
    }

    /// Without a refresh token, a person would be asked at each opening. The stream ends, after one question.
    @Test func nobodyIsAskedToLogInForEachOpening() async throws {
        try await Simulation.run(seeds: 5) { simulation in
            let asked = LockedState { 0 }
            let session = Session { () -> Shop.Refresh? in
                asked.withLock { $0 += 1 }
                return Shop.Refresh(refreshToken: "person")
            }
            let (elements, failure) = await Ticking(simulation).ticks(refresh: nil, session)
            #expect(elements == Array(1...elements.count) && failure != nil, "\(elements), \(simulation)")
            #expect(asked.withLock { $0 } == 1, "\(simulation)")
        }
    }

    /// Without a network it waits for that, for as long as its patience allows, and not for as long as its deadline is.
    @Test(arguments: [500, 700]) func theNetworkMayBeAwayForAsLongAsItsPatience(_ seconds: Int) async throws {
        try await Simulation.run(seeds: 5) { simulation in
            FlakyFeed.serve(simulation) { _, last in
                FlakyFeed.Connection(texts: (1...3).map { (.seconds(1), FlakyFeed.event(last + $0)) })
            }
            let away = simulation.task {
                await simulation.sleep(for: .seconds(2))
                simulation.network.goAway()
                await simulation.sleep(for: .seconds(seconds))
                simulation.network.comeBack()
            }
            let (elements, failure, time) = await FlakyFeed.read(simulation) { $0.deadline = .seconds(50) }
            await away.value
            if seconds < 600 {
                #expect(failure == nil && elements.count > 100, "\(simulation)")
            } else {
                #expect(failure?.context.name == "offline", "\(simulation)")
                #expect(.seconds(600) < time && time < .seconds(610), "\(time), \(simulation)")
            }
        }
    }

    /// A server that repeats its last element brings nothing new, so that the patience goes on.
    @Test func theLastElementOnceMoreIsNothingNew() async throws {
        try await Simulation.run(seeds: 5) { simulation in
            FlakyFeed.serve(simulation) { _, last in
                FlakyFeed.Connection(texts: [(.seconds(5), FlakyFeed.event(max(1, last)))])
            }
            let (_, failure, time) = await FlakyFeed.read(simulation)
            #expect(failure?.context.name == "connectionLost", "\(simulation)")
            // Ten minutes of pauses, and what it was open between them.
            #expect(.seconds(550) < time && time < .seconds(1_200), "\(time), \(simulation)")
        }
    }

    /// A proxy that ends a connection after each minute without a byte. The stream goes on for as long as the server takes it.
    @Test func aQuietStreamIsOpenedAgainWithoutAnEnd() async throws {
        try await Simulation.run(seeds: 2) { simulation in
            FlakyFeed.serve(simulation) { number, last in
                let isLast = number > 1_000
                return FlakyFeed.Connection(
                    texts: number == 1 || isLast
                        ? [(.zero, FlakyFeed.event(last + 1))] : [(.seconds(30), ":\n\n"), (.seconds(30), ":\n\n")])
            }
            var iterator = Feed(simulation.dispatcher).stream(Feed.Watch()).makeAsyncIterator()
            #expect(await (try? iterator.next()) == 1, "\(simulation)")
            #expect(await (try? iterator.next()) == 2, "\(simulation)")
        }
    }
}
#endif
