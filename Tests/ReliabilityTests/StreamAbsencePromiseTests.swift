import BankClient
import ErrandRuntime
import ErrandTesting
import PresenceClient
import TestSeeds
import Testing

/// Promise 16: a stream or subscription that may be opened again lives as long as its loop. A server that is away for a minute ends none,
/// and gets at most ten openings for each; with an id or a position, no element is missing or comes twice.
@Suite(.serialized) struct StreamAbsencePromiseTests {
    private static let absence = Duration.seconds(60)
    private static let mostOpenings = 10

    // MARK: Over HTTP

    @Test func streamsOutliveAnAbsence() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("16  100 streams over HTTP outlive an absence of a minute", seeds: 16, weight: 2) {
            simulation in
            let (streams, last) = (100, 30)
            let ticker = Ticker(simulation)
            let openings = OpeningCount()
            let bank = Bank(
                on: simulation.makeDispatcher(
                    observers: [openings], settings: DispatcherSettings(maximumRequestsPerHost: streams)))
            let absence = Ticker.Absence.allCases[Int(simulation.seed % UInt64(Ticker.Absence.allCases.count))]
            let weather = simulation.task {
                await simulation.sleep(for: .seconds(12) + .milliseconds(Int(simulation.seed % 5_000)))
                openings.begin()
                ticker.goAway(absence)
                await simulation.sleep(for: Self.absence)
                ticker.comeBack()
            }
            let readers = await simulation.concurrently(streams) { reader in
                reader.isMultiple(of: 2)
                    ? await Self.read(bank.stream(TickEvents(reader: reader)), upTo: last) { $0 }
                    : await Self.read(bank.stream(TickLines(reader: reader)), upTo: last) { $0.event }
            }
            await weather.value
            var finding = PromiseRun.Finding(cases: streams)
            for (index, reader) in readers.enumerated() {
                let number = index + 1
                if let failure = reader.failure {
                    finding.violations.append("\(number) ended as \(failure), \(absence)")
                }
                let elements = reader.elements
                if number.isMultiple(of: 2) {
                    let wanted = Array((elements.first ?? 1)...last)
                    finding.expect(elements == wanted, "\(number) got \(elements), \(absence)")
                } else {
                    finding.expect(
                        zip(elements, elements.dropFirst()).allSatisfy { $0 < $1 }, "\(number) got \(elements)")
                    // A hole without a word of it would be worse than an end.
                    let isWhole = zip(elements, elements.dropFirst()).allSatisfy { $0 + 1 == $1 }
                    finding.expect(isWhole || reader.gaps > 0, "\(number) was not told of a gap in \(elements)")
                }
            }
            let most = openings.most
            finding.expect(most <= Self.mostOpenings, "a stream was opened \(most) times, \(absence)")
            finding.expect(most > 0, "nothing was opened again, \(absence)")
            return finding
        }
    }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private static func read<C: StreamCommand>(
        _ stream: ResponseStream<C>, upTo last: Int, _ number: (C.Element) -> Int?
    ) async -> (elements: [Int], gaps: Int, failure: String?) where C.Failure == CommandFault {
        var elements: [Int] = []
        var gaps = 0
        var iterator = stream.makeAsyncIterator()
        do throws(CommandFault) {
            while elements.last != last {
                guard let element = try await iterator.next() else { return (elements, gaps, "its end") }
                if let number = number(element) { elements.append(number) } else { gaps += 1 }
            }
            return (elements, gaps, nil)
        } catch {
            return (elements, gaps, error.context.name)
        }
    }

    // MARK: Over a connection

    private enum Loss: CaseIterable {
        case refused, unavailable, asked, dropped, silent
    }

    @Test func subscriptionsOutliveAnAbsence() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("16  100 subscriptions outlive an absence of a minute", seeds: 15, weight: 3) {
            simulation in
            let (clients, last) = (25, 40)
            let server = simulation.server
            server.keepOpen(Presence.Follow.self)
            server.keepOpen(Presence.WatchTyping.self)
            let loss = Loss.allCases[Int(simulation.seed % 5)]
            let openings = (0..<clients).map { _ in OpeningCount() }
            let presences = try await openings.asyncMap { count in
                try await simulation.makeLoggedInPresence(on: simulation.makeDispatcher(observers: [count]))
            }
            let readers = presences.flatMap { presence in
                [
                    simulation.task { await Self.follow(presence, upTo: last) },
                    simulation.task { await Self.follow(presence, upTo: last) },
                    simulation.task { await Self.watch(presence, upTo: last) },
                    simulation.task { await Self.watch(presence, upTo: last) },
                ]
            }
            let weather = simulation.task {
                await simulation.sleep(for: .seconds(12) + .milliseconds(Int(simulation.seed % 5_000)))
                for count in openings { count.begin() }
                await Self.beAway(loss, simulation)
            }
            await simulation.sleep(for: .seconds(1))
            for number in 1...last {
                try server.send(.json(#"{"seq": \#(number), "user": 1, "kind": "entered"}"#), to: Presence.Follow.self)
                try server.send(.json(#"{"user": \#(number), "isTyping": true}"#), to: Presence.WatchTyping.self)
                await simulation.sleep(for: .seconds(4))
            }
            await weather.value
            var finding = PromiseRun.Finding(cases: readers.count)
            for (index, reader) in readers.enumerated() {
                if let end = await reader.value { finding.violations.append("\(index + 1): \(end), \(loss)") }
            }
            let most = openings.map(\.most).max() ?? 0
            finding.expect(most <= Self.mostOpenings, "a client opened \(most) connections, \(loss)")
            finding.expect(most > 0, "nothing was opened again, \(loss)")
            return finding
        }
    }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private static func beAway(_ loss: Loss, _ simulation: Simulation) async {
        let server = simulation.server
        switch loss {
        case .refused:
            server.isDown = true
            await simulation.sleep(for: absence)
            server.isDown = false
        case .unavailable, .asked, .silent:
            server.refuseConnections(status: 503, headers: loss == .asked ? ["Retry-After": "5"] : [:])
            if loss == .silent { server.fallSilent() } else { server.cut(.restart) }
            await simulation.sleep(for: absence)
            server.acceptConnections()
        case .dropped:
            // A gateway that takes connections and loses them.
            for _ in 0..<Int(absence / .milliseconds(250)) {
                server.cut()
                await simulation.sleep(for: .milliseconds(250))
            }
        }
    }

    /// What is wrong with the elements of a subscription with positions; nil if nothing is.
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private static func follow(_ presence: Presence, upTo last: Int) async -> String? {
        var numbers: [Int] = []
        do {
            for try await event in presence.follow(room: 1) {
                numbers.append(event.seq)
                if event.seq == last { break }
            }
        } catch {
            return "it ended as \(error)"
        }
        return numbers == Array(1...last) ? nil : "it got \(numbers)"
    }

    /// The same without positions: what comes is in order, and what is missing is told.
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private static func watch(_ presence: Presence, upTo last: Int) async -> String? {
        var (previous, isGap, gaps) = (0, false, 0)
        do {
            for try await element in presence.watchTyping(room: 1) {
                guard let typing = element.event else {
                    (isGap, gaps) = (true, gaps + 1)
                    continue
                }
                if typing.user <= previous { return "\(typing.user) came after \(previous)" }
                if typing.user > previous + 1, !isGap { return "\(previous + 1) is missing, and it was not told" }
                (previous, isGap) = (typing.user, false)
                if previous == last { break }
            }
        } catch {
            return "it ended as \(error)"
        }
        if previous != last { return "it ended after \(previous)" }
        return gaps > 0 ? nil : "it was told of no gap"
    }
}

/// How often streams, or the connections of a client, were opened from a moment on.
final class OpeningCount: CommandObserver {
    private let state = LockedState<(isCounting: Bool, counts: [String: Int])> { (false, [:]) }

    func begin() { state.withLock { $0 = (true, [:]) } }

    /// The most openings of one stream, or of the connection.
    var most: Int { state.withLock { $0.counts.values.max() ?? 0 } }

    func observe(_ event: CommandEvent) {}

    func observe(_ report: ConnectionReport) {
        switch report.kind {
        case .opened, .openingFailed: note("connection")
        case .closed, .lost, .ended, .dropped: break
        }
    }

    func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
    ) async throws(TransportFault) -> TransportResponse {
        if request.command?.endpoint.frame == nil { note(request.url) }
        return try await next(request)
    }

    private func note(_ place: String) {
        state.withLock { state in
            if state.isCounting { state.counts[place, default: 0] += 1 }
        }
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
