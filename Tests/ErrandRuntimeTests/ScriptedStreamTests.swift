import ErrandTesting
import Testing

@testable import ErrandRuntime

/// Streams whose elements a test scripts.
#if !canImport(Darwin)
@Suite(.timeLimit(.minutes(1))) struct ScriptedStreamTests {
    private static func feed(_ simulation: Simulation) -> Feed { Feed(simulation.dispatcher) }

    private static func read<C: StreamCommand>(
        _ stream: ResponseStream<C>
    ) async -> (elements: [C.Element], failure: C.Failure?) {
        var elements: [C.Element] = []
        var iterator = stream.makeAsyncIterator()
        do throws(C.Failure) {
            while let element = try await iterator.next() { elements.append(element) }
            return (elements, nil)
        } catch {
            return (elements, error)
        }
    }

    @Test func theElementsComeAsTheyAreScripted() async throws {
        try await Simulation.run(seeds: 20) { simulation in
            try simulation.server.next(
                Feed.Watch.self, .streams(.json(#"{"n": 4}"#), .pause(.seconds(3)), .json("{\n \"n\": 2}")))
            let (numbers, failure) = await Self.read(Self.feed(simulation).stream(Feed.Watch()))
            #expect(numbers == [4, 2] && failure == nil, "\(simulation)")
            try simulation.server.next(Feed.Ask.self, .streams([]))
            #expect(await Self.read(Self.feed(simulation).stream(Feed.Ask())).elements.isEmpty, "\(simulation)")
        }
    }

    @Test func aStreamThatIsCutGoesOn() async throws {
        try await Simulation.run(seeds: 20) { simulation in
            try simulation.server.next(
                Feed.Watch.self, .streams(.json(#"{"n":1}"#), .json(#"{"n":2}"#), .cut, .json(#"{"n":9}"#)))
            try simulation.server.next(Feed.Watch.self, .streams(.json(#"{"n":3}"#), .silence))
            try simulation.server.next(Feed.Watch.self, .streams(.json(#"{"n":4}"#)))
            let (numbers, failure) = await Self.read(Self.feed(simulation).stream(Feed.Watch()))
            #expect(numbers == [1, 2, 3, 4] && failure == nil, "\(simulation)")
            #expect(simulation.server.received(Feed.Watch.self).count == 3, "\(simulation)")
        }
    }

    /// A silent server ends the stream, and one that sends heartbeats is not silent.
    @Test func aHeartbeatIsASignOfLifeAndNoElement() async throws {
        try await Simulation.run(seeds: 20) { simulation in
            let pause = Feed.Lines.endpoint.stream.map { $0.idle * 2 / 3 } ?? .zero
            try simulation.server.next(
                Feed.Lines.self,
                .streams(.json(#"{"n":1}"#), .pause(pause), .heartbeat, .pause(pause), .json(#"{"n":2}"#)))
            let lines = await Self.read(Self.feed(simulation).stream(Feed.Lines()))
            #expect(lines.elements == [1, 2] && lines.failure == nil, "\(simulation)")
            // The place of the last element is kept.
            try simulation.server.next(
                Feed.Watch.self,
                .streams(.json(#"{"n":1}"#), .pause(pause), .heartbeat, .pause(pause), .heartbeat, .cut))
            try simulation.server.next(Feed.Watch.self, .streams(.heartbeat, .json(#"{"n":2}"#)))
            let events = await Self.read(Self.feed(simulation).stream(Feed.Watch()))
            #expect(events.elements == [1, 2] && events.failure == nil, "\(simulation)")
            #expect(simulation.server.received(Feed.Watch.self).count == 2, "\(simulation)")
        }
    }

    @Test func aDeclaredErrorComesInTheMiddle() async throws {
        try await Simulation.run(seeds: 20) { simulation in
            try simulation.server.next(
                Feed.Watch.self, .streams(.json(#"{"n":1}"#), .fails("overloaded"), .json(#"{"n":9}"#)))
            try simulation.server.next(Feed.Watch.self, .streams(.json(#"{"n":2}"#), .fails("moved")))
            let (numbers, failure) = await Self.read(Self.feed(simulation).stream(Feed.Watch()))
            #expect(numbers == [1, 2], "\(simulation)")
            guard case .moved(let context)? = failure else {
                Issue.record("it ended with \(String(describing: failure)), \(simulation)")
                return
            }
            #expect(context.attempts == 2 || context.attempts == 1, "\(simulation)")
        }
    }

    @Test func whatNoElementSaysIsRefused() async throws {
        try await Simulation.run { simulation in
            for element: ScriptedElement<Feed.Watch> in [.fails("throttled"), .fails("mowed"), .json("{"), .json("")] {
                #expect(throws: UnknownContractError.self) {
                    try simulation.server.next(Feed.Watch.self, .streams(element))
                }
            }
        }
    }

    /// A reader that is cancelled between two elements is told, in any state of the work.
    @Test func aReaderIsCancelledAtAnyElement() async throws {
        for _ in 0..<100 {
            let count = LockedState { 0 }
            let transport = ScriptedTransport.scripted { _, _ in
                let body = StreamedBody { () async throws(TransportFault) -> [UInt8]? in
                    count.withLock { $0 += 1 }
                    return Array("data: {\"n\":1}\n\n".utf8)
                }
                return TransportResponse(status: 200, headers: ["Content-Type": "text/event-stream"], stream: body)
            }
            let feed = Feed(Dispatcher(transport: transport))
            let reader = Task { await Self.read(feed.stream(Feed.Watch())) }
            let wanted = Int.random(in: 1...40)
            while count.withLock({ $0 }) < wanted { await Task.yield() }
            reader.cancel()
            #expect(await reader.value.failure?.context.name == "cancelled")
        }
    }

    /// The failure of an oversized element contains the number of attempts.
    @Test func anOversizedElementFailsWithItsAttempts() async throws {
        let transport = ScriptedTransport.scripted { _, number in
            if number == 1 { return TransportResponse(status: 503) }
            return TransportResponse(
                status: 200, headers: ["Content-Type": "text/event-stream"],
                body: Array("data: {\"n\":1}\n\ndata: \(String(repeating: "x", count: 200))\n\n".utf8))
        }
        let settings = DispatcherSettings(
            retry: RetryRule(attempts: 3, base: .milliseconds(1)), maximumElementSize: 100)
        let (numbers, failure) = await Self.read(
            Feed(Dispatcher(transport: transport, settings: settings)).stream(Feed.Watch()))
        #expect(numbers == [1])
        #expect(failure?.context.name == "malformed")
        #expect(failure?.context.attempts == 2)
        #expect(failure?.context.status == 200)
    }
}
#endif
