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
    /// A server that gives one element on each connection. The stream goes on, and the windows of its reopenings bound an hour.
    @Test func anElementForEachConnectionIsNotAskedForAtOnce() async throws {
        try await Simulation.run(seeds: 10) { simulation in
            FlakyFeed.serve(simulation) { _, last in FlakyFeed.Connection(texts: [(.zero, FlakyFeed.event(last + 1))]) }
            let (elements, failure, _) = await FlakyFeed.read(simulation) { $0.attempts = 1 }
            let count = simulation.server.received(Feed.Watch.self).count
            #expect(failure == nil, "\(simulation)")
            #expect(elements == Array(1...count), "\(simulation)")
            // Windows of 20 s, after the first ones.
            #expect((180...190).contains(count), "\(count) connections, \(simulation)")
        }
    }

    /// More streams than the host's budget has tokens, all cut in one moment.
    @Test func reopeningsCostNoTokens() async throws {
        try await Simulation.run(seeds: 5) { simulation in
            FlakyFeed.serve(simulation) { _, last in
                FlakyFeed.Connection(texts: (1...3).map { (.seconds(1), FlakyFeed.event(last + $0)) })
            }
            let before = simulation.dispatcher.budget.balance(of: Self.host)
            let failed = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        var iterator = Feed(simulation.dispatcher).stream(Feed.Watch()).makeAsyncIterator()
                        for number in 1...30 where (try? await iterator.next()) != number { return true }
                        return false
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(failed == 0, "\(failed) of 20 streams have ended, \(simulation)")
            #expect(simulation.dispatcher.budget.balance(of: Self.host) == before, "\(simulation)")
        }
    }

    private static let host = Origin("https://feed.example")!

    /// A server that closes each connection after a minute and a bit is asked once a minute, and nothing ends.
    @Test func aStreamThatDeliversLastsForHours() async throws {
        try await Simulation.run(seeds: 5) { simulation in
            FlakyFeed.serve(simulation) { _, last in
                FlakyFeed.Connection(texts: (1...7).map { (.seconds(10), FlakyFeed.event(last + $0)) })
            }
            let (elements, failure, _) = await FlakyFeed.read(simulation)
            #expect(failure == nil, "\(simulation)")
            #expect(elements == Array(1...elements.count) && elements.count > 300, "\(simulation)")
            let count = simulation.server.received(Feed.Watch.self).count
            #expect((45...60).contains(count), "\(count) connections, \(simulation)")
        }
    }

    /// django-eventstream 5.3 gives its event of a failure an id, and responds with the same event to a client that sends it back.
    @Test func theIDOfAFailureIsNotSentBack() async throws {
        try await Simulation.run(seeds: 5) { simulation in
            FlakyFeed.serve(simulation) { _, last in
                let failure = "event: error\nid: failed\ndata: {\"error\":{\"code\":\"busy\"}}\n\n"
                return FlakyFeed.Connection(texts: [(.zero, FlakyFeed.event(last + 1) + failure)])
            }
            let (elements, failure, _) = await FlakyFeed.read(simulation)
            #expect(failure == nil && elements.count > 100 && elements == Array(1...elements.count), "\(simulation)")
        }
    }

    /// `retry:` counts for all reopenings to come.
    @Test func theServersPauseHoldsForTheWholeStream() async throws {
        try await Simulation.run(seeds: 10) { simulation in
            FlakyFeed.serve(simulation) { number, last in
                FlakyFeed.Connection(texts: [(.zero, (number == 1 ? "retry: 7000\n" : "") + FlakyFeed.event(last + 1))])
            }
            _ = await FlakyFeed.read(simulation)
            let moments = simulation.server.received(Feed.Watch.self).map(\.moment)
            #expect(moments.count > 100, "\(simulation)")
            for (first, second) in zip(moments, moments.dropFirst()) {
                #expect(second - first >= .seconds(7), "\(simulation)")
            }
        }
    }

    /// Also after an attempt that found no server, and the last one said counts. The random pause is added to it, because all clients of
    /// the server may have been asked for the same.
    @Test func theServersPauseOutlivesARefusedConnection() async throws {
        try await Simulation.run(seeds: 10) { simulation in
            FlakyFeed.serve(simulation) { number, last in
                if number == 1 {
                    simulation.task {
                        await simulation.sleep(for: .seconds(1))
                        simulation.server.isDown = true
                        await simulation.sleep(for: .seconds(12))
                        simulation.server.isDown = false
                    }
                }
                let pause = number == 1 ? "retry: 5000\n\nretry: 9000\n" : ""
                return FlakyFeed.Connection(texts: [(.zero, pause + FlakyFeed.event(last + 1))])
            }
            var iterator = Feed(simulation.dispatcher).stream(Feed.Watch()).makeAsyncIterator()
            for number in 1...3 { #expect(await (try? iterator.next()) == number, "\(simulation)") }
            let moments = simulation.server.received(Feed.Watch.self).map(\.moment)
            let pauses = zip(moments, moments.dropFirst()).map { $1 - $0 }
            #expect(pauses.count == 2, "\(simulation)")
            #expect(pauses.first.map { .seconds(18) < $0 && $0 < .seconds(20) } == true, "\(pauses), \(simulation)")
            #expect(pauses.last.map { .seconds(9) < $0 && $0 < .seconds(11) } == true, "\(pauses), \(simulation)")
        }
    }

    /// Streams that a server has cut in one moment, and has asked for the same pause, do not come back in one moment.
    @Test(arguments: ["", "retry: 3000\n"]) func streamsDoNotComeBackInStep(_ asked: String) async throws {
        try await Simulation.run(seeds: 5) { simulation in
            simulation.server.latency = .zero ... .zero
            FlakyFeed.serve(simulation) { _, last in
                FlakyFeed.Connection(texts: [(.zero, asked + FlakyFeed.event(last + 1))])
            }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<30 {
                    group.addTask {
                        var iterator = Feed(simulation.dispatcher).stream(Feed.Watch()).makeAsyncIterator()
                        _ = try? await (iterator.next(), iterator.next())
                    }
                }
            }
            let moments = simulation.server.received(Feed.Watch.self).map(\.moment).dropFirst(30)
            #expect(Set(moments).count == 30, "\(simulation)")
            let spread = (moments.max() ?? .zero) - (moments.min() ?? .zero)
            #expect(spread > .milliseconds(100), "\(spread), \(simulation)")
        }
    }

    /// The same on sockets, over each transport of the system.
    @Test func anElementForEachConnectionOnSockets() async throws {
        for transport in [URLSessionTransport(), SystemTransport.make()] as [any Transport] {
            let server = try RawServer { connection, number in
                guard connection.readRequest() != nil else { return }
                if number < 6 {
                    connection.write(Self.head)
                    connection.write(Self.chunk(number))
                } else {
                    connection.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                }
            }
            let feed = Feed(Dispatcher(transport: transport), server: server.url).with { $0.attempts = 1 }
            var iterator = feed.stream(Feed.Watch()).makeAsyncIterator()
            var elements: [Int] = []
            var failure: Feed.Failure?
            do throws(Feed.Failure) {
                while let element = try await iterator.next() { elements.append(element) }
            } catch {
                failure = error
            }
            #expect(elements == [1, 2, 3, 4, 5], "\(type(of: transport))")
            #expect(failure?.context.name == "rejected", "\(type(of: transport))")
        }
    }

    private static let head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static func chunk(_ number: Int) -> String {
        "\(String(FlakyFeed.event(number).utf8.count, radix: 16))\r\n\(FlakyFeed.event(number))\r\n"
    }

    /// Forty streams on sockets lose their server, and get nothing but ended connections for two seconds.
    @Test func streamsOnSocketsOutliveAnAbsence() async throws {
        let (streams, last) = (40, 20)
        let transports: [any Transport] = [URLSessionTransport(), SystemTransport.make()]
        for transport in transports {
            let state = LockedState<(begun: Int, end: ContinuousClock.Instant?, openings: Int)> { (0, nil, 0) }
            let server = try RawServer { connection, _ in
                guard let request = connection.readRequest() else { return }
                let place = request.split(whereSeparator: \.isNewline).first {
                    $0.lowercased().hasPrefix("last-event-id")
                }
                guard let place else {
                    connection.write(Self.head + (1...last / 2).map(Self.chunk).joined())
                    // All of them are lost in one moment, and the server is away from then on.
                    state.withLock { state in
                        state.begun += 1
                        if state.begun == streams { state.end = .now + .seconds(2) }
                    }
                    while state.withLock({ $0.end }) == nil { usleep(1_000) }
                    return
                }
                let isAway = state.withLock { state in
                    guard let end = state.end, .now < end else { return false }
                    state.openings += 1
                    return true
                }
                if isAway { return }
                let first = Int(place.split(separator: ":")[1].trimmingCharacters(in: .whitespaces)) ?? 0
                connection.write(Self.head + ((first + 1)..<(last + 1)).map(Self.chunk).joined() + "0\r\n\r\n")
            }
            let settings = DispatcherSettings(maximumRequestsPerHost: streams)
            let feed = Feed(Dispatcher(transport: transport, settings: settings), server: server.url)
            let results = await withTaskGroup(of: (elements: [Int], failure: String?).self) { group in
                for _ in 0..<streams {
                    group.addTask {
                        var elements: [Int] = []
                        var iterator = feed.stream(Feed.Watch()).makeAsyncIterator()
                        do throws(Feed.Failure) {
                            while let element = try await iterator.next() { elements.append(element) }
                            return (elements, nil)
                        } catch {
                            return (elements, "\(error.context)")
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let others = results.filter { $0.elements != Array(1...last) || $0.failure != nil }
            #expect(others.isEmpty, "\(others.count) of \(streams), \(others.prefix(3)), \(type(of: transport))")
            // Windows of 0.2, 0.4, 0.8 and 1.6 s.
            let openings = state.withLock { $0.openings }
            #expect(openings > 0 && openings <= 5 * streams, "\(openings) openings, \(type(of: transport))")
        }
    }
}
#endif
