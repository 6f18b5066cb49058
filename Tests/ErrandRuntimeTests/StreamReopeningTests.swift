import ErrandTesting
import ErrandTransport
import ErrandTransportConformance
import ErrandURLSession
import Foundation
import Testing

@testable import ErrandRuntime

/// How often a stream is opened again.
#if !canImport(Darwin)
@Suite(.timeLimit(.minutes(2))) struct StreamReopeningTests {
    /// What one connection gives before it is cut.
    private struct Connection: Sendable {
        /// Its texts, and how long each lets the reader wait.
        var texts: [(pause: Duration, text: String)]
    }

    private static func event(_ number: Int) -> String { "id: \(number)\ndata: {\"n\":\(number)}\n\n" }

    /// A server whose connections give what `make` says, by their number and the last id that the client has.
    private static func serve(
        _ simulation: Simulation, _ make: @escaping @Sendable (_ number: Int, _ last: Int) -> Connection
    ) {
        let count = LockedState { 0 }
        simulation.server.on(Feed.Watch.self) { call in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let last = call.request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0
            let rest = LockedState { make(number, last).texts }
            let body = StreamedBody { () async throws(TransportFault) -> [UInt8]? in
                guard let next = rest.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                    throw TransportFault(.lost, evidence: .sent)
                }
                await simulation.sleep(for: next.pause)
                return Array(next.text.utf8)
            }
            return TransportResponse(status: 200, headers: ["Content-Type": "text/event-stream"], stream: body)
        }
    }

    /// Reads a stream for an hour at most.
    private static func read(
        _ simulation: Simulation, attempts: Int? = nil
    ) async -> (elements: [Int], failure: Feed.Failure?, time: Duration) {
        let start = simulation.clock.now
        let feed = Feed(simulation.dispatcher).with {
            $0.attempts = attempts
            if attempts != nil { $0.deadline = .seconds(86_400) }
        }
        var elements: [Int] = []
        var iterator = feed.stream(Feed.Watch()).makeAsyncIterator()
        do throws(Feed.Failure) {
            while start.duration(to: simulation.clock.now) < .seconds(3_600), let element = try await iterator.next() {
                elements.append(element)
            }
            return (elements, nil, start.duration(to: simulation.clock.now))
        } catch {
            return (elements, error, start.duration(to: simulation.clock.now))
        }
    }

    @Test func anElementForEachConnectionIsNotAskedForEver() async throws {
        try await Simulation.run(seeds: 10) { simulation in
            Self.serve(simulation) { _, last in Connection(texts: [(.zero, Self.event(last + 1))]) }
            let (elements, failure, _) = await Self.read(simulation)
            #expect(elements == [1, 2, 3], "\(simulation)")
            #expect(failure?.context.name == "connectionLost", "\(simulation)")
            #expect(simulation.server.received(Feed.Watch.self).count == 3, "\(simulation)")
        }
    }

    /// However many attempts the caller allows, the host's budget bounds an hour.
    @Test func theBudgetBoundsAnHour() async throws {
        try await Simulation.run(seeds: 5) { simulation in
            Self.serve(simulation) { _, last in Connection(texts: [(.zero, Self.event(last + 1))]) }
            let (elements, failure, _) = await Self.read(simulation, attempts: 1_000_000)
            let count = simulation.server.received(Feed.Watch.self).count
            #expect((5...11).contains(count) && elements == Array(1...count), "\(count) connections, \(simulation)")
            #expect(failure?.context.name == "connectionLost", "\(simulation)")
        }
    }

    /// A server that closes each connection after a minute and a bit is asked once a minute, and nothing ends.
    @Test func aStreamThatDeliversLastsForHours() async throws {
        try await Simulation.run(seeds: 5) { simulation in
            Self.serve(simulation) { _, last in
                Connection(texts: (1...7).map { (.seconds(10), Self.event(last + $0)) })
            }
            let (elements, failure, _) = await Self.read(simulation)
            #expect(failure == nil, "\(simulation)")
            #expect(elements == Array(1...elements.count) && elements.count > 300, "\(simulation)")
            let count = simulation.server.received(Feed.Watch.self).count
            #expect((45...60).contains(count), "\(count) connections, \(simulation)")
        }
    }

    /// The deadline bounds the attempts to open a stream, and not the time for which it is open.
    @Test func theDeadlineBoundsOnlyTheOpening() async throws {
        try await Simulation.run(seeds: 5) { simulation in
            simulation.server.on(Feed.Watch.self) { _ in
                let rest = LockedState { [Self.event(1)] }
                let body = StreamedBody { () async throws(TransportFault) -> [UInt8]? in
                    guard let next = rest.withLock({ $0.popLast() }) else {
                        throw TransportFault(.lost, evidence: .sent)
                    }
                    // The next connections get no response.
                    simulation.server.latency = .seconds(600)...(.seconds(600))
                    await simulation.sleep(for: .seconds(100))
                    return Array(next.utf8)
                }
                return TransportResponse(status: 200, headers: ["Content-Type": "text/event-stream"], stream: body)
            }
            let feed = Feed(simulation.dispatcher).with {
                $0.timeout = .seconds(20)
                $0.deadline = .seconds(50)
                $0.attempts = 10
            }
            let start = simulation.clock.now
            var elements: [Int] = []
            var name: String?
            do throws(Feed.Failure) {
                for try await element in feed.stream(Feed.Watch()) { elements.append(element) }
            } catch {
                name = error.context.name
            }
            #expect(elements == [1] && name == "timedOut", "\(elements), \(name ?? "no failure"), \(simulation)")
            // 100 seconds for which it was open, and 50 of attempts to open it again.
            let time = start.duration(to: simulation.clock.now)
            #expect(.seconds(140) < time && time < .seconds(165), "\(time), \(simulation)")
        }
    }

    /// A server that repeats its last element brings nothing new, for however long it is open.
    @Test func theLastElementOnceMoreIsNothingNew() async throws {
        try await Simulation.run(seeds: 5) { simulation in
            Self.serve(simulation) { _, last in
                Connection(texts: [(.seconds(50), Self.event(max(1, last))), (.seconds(50), ": beat\n\n")])
            }
            let (_, failure, _) = await Self.read(simulation)
            #expect(failure?.context.name == "connectionLost", "\(simulation)")
            // The first connection brought an element, and was open for more than a minute.
            #expect(simulation.server.received(Feed.Watch.self).count == 3, "\(simulation)")
        }
    }

    /// `retry:` counts for all reopenings to come.
    @Test func theServersPauseHoldsForTheWholeStream() async throws {
        try await Simulation.run(seeds: 10) { simulation in
            Self.serve(simulation) { number, last in
                Connection(texts: [(.zero, (number == 1 ? "retry: 7000\n" : "") + Self.event(last + 1))])
            }
            _ = await Self.read(simulation, attempts: 5)
            let moments = simulation.server.received(Feed.Watch.self).map(\.moment)
            #expect(moments.count == 5, "\(simulation)")
            for (first, second) in zip(moments, moments.dropFirst()) {
                #expect(second - first >= .seconds(7), "\(simulation)")
            }
        }
    }

    /// Also after an attempt that found no server, and the last one said counts.
    @Test func theServersPauseOutlivesARefusedConnection() async throws {
        let clock = InstantClock(forever: .seconds(3_600))
        let transport = ScriptedTransport { _, number throws(TransportFault) in
            if number == 2 { throw TransportFault(.refused, evidence: .notSent) }
            let text = number == 1 ? "retry: 5000\n\nretry: 9000\n" + Self.event(1) : Self.event(number)
            return Self.response(text)
        }
        let rule = RetryRule(attempts: 4, base: .milliseconds(1), cap: .milliseconds(1))
        let feed = Feed(
            Dispatcher(
                transport: transport, settings: DispatcherSettings(retry: rule),
                environment: DispatcherEnvironment(clock: clock)))
        var iterator = feed.stream(Feed.Watch()).makeAsyncIterator()
        await #expect(throws: Feed.Failure.self) { while try await iterator.next() != nil {} }
        #expect(transport.requests.count == 4)
        let pauses = await clock.sleeps.filter { $0 < .seconds(300) }
        #expect(pauses == [.seconds(9), .seconds(9), .seconds(9)])
    }

    private static func response(_ text: String) -> TransportResponse {
        let isGiven = LockedState { false }
        return TransportResponse(
            status: 200, headers: ["Content-Type": "text/event-stream"],
            stream: StreamedBody { () async throws(TransportFault) -> [UInt8]? in
                let wasGiven = isGiven.withLock { isGiven in
                    defer { isGiven = true }
                    return isGiven
                }
                if wasGiven { throw TransportFault(.lost, evidence: .sent) }
                return Array(text.utf8)
            })
    }

    /// The same on sockets, over each transport of the system.
    @Test func anElementForEachConnectionOnSockets() async throws {
        for transport in [URLSessionTransport(), SystemTransport.make()] as [any Transport] {
            let server = try RawServer { connection, number in
                guard connection.readRequest() != nil else { return }
                connection.write(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
                let event = Self.event(number)
                connection.write("\(String(event.utf8.count, radix: 16))\r\n\(event)\r\n")
            }
            let feed = Feed(Dispatcher(transport: transport), server: server.url)
            var iterator = feed.stream(Feed.Watch()).makeAsyncIterator()
            var failure: Feed.Failure?
            do throws(Feed.Failure) { while try await iterator.next() != nil {} } catch { failure = error }
            #expect(failure?.context.name == "connectionLost", "\(type(of: transport))")
            #expect(server.requests.count == 3, "\(type(of: transport))")
        }
    }
}
#endif
