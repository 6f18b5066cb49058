import BankClient
import ErrandRuntime
import ErrandTesting

/// A stream of ticks, one every five seconds. Each event has an id.
struct TickEvents: StreamCommand {
    var reader: Int
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Element = Int
    static let endpoint = EndpointDescription(
        Bank.service, "tickEvents", .get, effect: .read, timeout: .seconds(10), response: .stream,
        stream: StreamDescription(.events, idle: .seconds(20)))
    func encode(into request: inout RequestEncoder) {
        request.path("/ticks/")
        request.segment(reader)
    }
    static func element(from reader: inout JSONReader) -> Int? { reader.readInt() }
}

/// The same as lines, which the server continues with the next tick. Nothing tells it which one the client has.
struct TickLines: UnpositionedCommand {
    var reader: Int
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Event = Int
    typealias Element = EventOrGap<Int>
    static let endpoint = EndpointDescription(
        Bank.service, "tickLines", .get, effect: .read, timeout: .seconds(10), response: .stream,
        stream: StreamDescription(.lines, idle: .seconds(20), reopening: .always))
    func encode(into request: inout RequestEncoder) {
        request.path("/lines/")
        request.segment(reader)
    }
    static func event(from reader: inout JSONReader) -> Int? { reader.readInt() }
}

/// The server of these streams, which can be away in several ways.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
final class Ticker: Sendable {
    enum Absence: CaseIterable {
        /// Nothing listens.
        case refused
        /// A gateway answers in its place.
        case unavailable
        /// It has a fault, and says so.
        case broken
        /// The portal of a network answers with a page, as a success.
        case portal
        /// A gateway takes connections, and ends them.
        case cut
        /// Nothing arrives any more, on open connections neither.
        case silent
    }

    static let pause = Duration.seconds(5)

    private let simulation: Simulation
    private let begun: SimulatedClock.Instant
    private let absence = LockedState<Absence?> { nil }

    init(_ simulation: Simulation) {
        self.simulation = simulation
        begun = simulation.clock.now
        simulation.server.on(TickEvents.self) { [self] call in
            let next = (call.request.headers["Last-Event-ID"].flatMap { Int($0) } ?? now) + 1
            return response("text/event-stream", from: next) { "id: \($0)\ndata: \($0)\n\n" }
        }
        simulation.server.on(TickLines.self) { [self] _ in
            response("application/x-ndjson", from: now + 1) { "\($0)\n" }
        }
    }

    /// The number of the last tick.
    var now: Int { Int(begun.duration(to: simulation.clock.now) / Self.pause) }

    func goAway(_ absence: Absence) {
        self.absence.withLock { $0 = absence }
        switch absence {
        case .refused: simulation.server.isDown = true
        case .unavailable, .broken, .portal, .cut: break
        case .silent: simulation.server.latency = .seconds(600)...(.seconds(600))
        }
    }

    func comeBack() {
        absence.withLock { $0 = nil }
        simulation.server.isDown = false
        simulation.server.latency = .milliseconds(5)...(.milliseconds(50))
    }

    private func response(
        _ type: String, from first: Int, _ text: @escaping @Sendable (Int) -> String
    ) -> TransportResponse {
        switch absence.withLock({ $0 }) {
        case .unavailable: return TransportResponse(status: 503)
        case .broken: return TransportResponse(status: 500)
        case .portal:
            return TransportResponse(
                status: 200, headers: ["Content-Type": "text/html"], body: Array("<html>Welcome</html>".utf8))
        case .refused, .cut, .silent, nil: break
        }
        let next = LockedState { first }
        let isOver = LockedState { false }
        let body = StreamedBody { [self] () async throws(TransportFault) -> [UInt8]? in
            while true {
                if isOver.withLock({ $0 }) { throw TransportFault(.cancelled, evidence: .sent) }
                switch absence.withLock({ $0 }) {
                case .refused, .unavailable, .broken, .portal, .cut: throw TransportFault(.lost, evidence: .sent)
                case .silent: break
                case nil:
                    let last = now
                    let number = next.withLock { next -> Int? in
                        guard next <= last else { return nil }
                        defer { next += 1 }
                        return next
                    }
                    if let number { return Array(text(number).utf8) }
                }
                await simulation.sleep(for: .seconds(1))
            }
        } cancel: {
            isOver.withLock { $0 = true }
        }
        return TransportResponse(status: 200, headers: ["Content-Type": type], stream: body)
    }
}
