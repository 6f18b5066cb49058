import ErrandTesting

@testable import ErrandRuntime

/// A feed whose connections a test cuts.
#if !canImport(Darwin)
enum FlakyFeed {
    /// What one connection gives before it is cut.
    struct Connection: Sendable {
        /// Its texts, and how long each lets the reader wait.
        var texts: [(pause: Duration, text: String)]
    }

    static func event(_ number: Int) -> String { "id: \(number)\ndata: {\"n\":\(number)}\n\n" }

    /// A server whose connections give what `make` says, by their number and the last id that the client has.
    static func serve(
        _ simulation: Simulation, _ make: @escaping @Sendable (_ number: Int, _ last: Int) -> Connection
    ) {
        respond(simulation) { number, last in response(simulation, make(number, last)) }
    }

    /// A server that responds with what `make` says, by the number of the request and the last id that the client has.
    static func respond(
        _ simulation: Simulation, _ make: @escaping @Sendable (_ number: Int, _ last: Int) -> TransportResponse
    ) {
        let count = LockedState { 0 }
        simulation.server.on(Feed.Watch.self) { call in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return make(number, call.request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0)
        }
    }

    /// The response that opens a connection.
    static func response(_ simulation: Simulation, _ connection: Connection) -> TransportResponse {
        let rest = LockedState { connection.texts }
        let body = StreamedBody { () async throws(TransportFault) -> [UInt8]? in
            guard let next = rest.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                throw TransportFault(.lost, evidence: .sent)
            }
            await simulation.sleep(for: next.pause)
            return Array(next.text.utf8)
        }
        return TransportResponse(status: 200, headers: ["Content-Type": "text/event-stream"], stream: body)
    }

    /// Reads a stream for an hour at most.
    static func read(
        _ simulation: Simulation, _ configure: (inout CommandOptions) -> Void = { _ in }
    ) async -> (elements: [Int], failure: Feed.Failure?, time: Duration) {
        let start = simulation.clock.now
        let feed = Feed(simulation.dispatcher).with(configure)
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
}
#endif
