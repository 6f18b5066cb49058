import ErrandTesting
import ErrandTransport
import ErrandTransportConformance
import ErrandURLSession
import Foundation
import Testing

@testable import ErrandRuntime

/// Downloads over connections that are cut again and again.
@Suite(.serialized, .timeLimit(.minutes(20))) struct FlakyDownloadTests {
    /// The bytes of a file of any size, which repeat after a number of bytes that no connection brings.
    private static let pattern: [UInt8] = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8)) }

    private static func byte(_ place: Int) -> UInt8 { pattern[place % pattern.count] }

    private static func bytes(_ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        while bytes.count < range.count {
            let start = (range.lowerBound + bytes.count) % pattern.count
            bytes += pattern[start..<min(pattern.count, start + range.count - bytes.count)]
        }
        return bytes
    }

    /// A server that closes each connection after so many bytes of the file.
    ///
    /// - Parameter rate: how many bytes it writes in a second; nil for as many as there is room for.
    private static func server(_ size: Int, cutAfter cut: Int, rate: Int? = nil) throws -> RawServer {
        try RawServer { connection, _ in
            guard let request = connection.readRequest() else { return }
            let start = DownloadTests.start(of: request) ?? 0
            var head = start > 0 ? "HTTP/1.1 206 Partial Content\r\n" : "HTTP/1.1 200 OK\r\n"
            if start > 0 { head += "Content-Range: bytes \(start)-\(size - 1)/\(size)\r\n" }
            head += "ETag: \"one\"\r\nContent-Length: \(size - start)\r\nConnection: close\r\n\r\n"
            connection.write(head)
            var (place, end) = (start, min(size, start + cut))
            while place < end {
                let next = min(end, place + (64 << 10))
                guard connection.write(bytes(place..<next)) else { return }
                if let rate { usleep(UInt32((next - place) * 1_000_000 / rate)) }
                (place, end) = (next, end)
            }
        }
    }

    private static func depot(_ server: RawServer, _ transport: any Transport, _ settings: DispatcherSettings) -> Depot
    {
        var depot = Depot(server.url)
        depot.binding = ServiceBinding(
            Depot.service, server: server.url, on: Dispatcher(transport: transport, settings: settings),
            session: Session())
        return depot
    }

    private static func transports() -> [any Transport] {
        #if canImport(FoundationNetworking)
        [URLSessionTransport(), SystemTransport.make()]
        #else
        [SystemTransport.make()]
        #endif
    }

    /// Every attempt advances, so the download goes on, and takes nothing from what other commands may spend. `make reliability`
    /// takes 100 MB at 1 MB/s, with the pauses of the usual rule; every day it is a hundredth of the time.
    @Test(arguments: [256 << 10, 250_000])
    func aFileThatIsCutAgainAndAgainArrives(_ cut: Int) async throws {
        let seeds = ProcessInfo.processInfo.environment["ERRAND_RELIABILITY_SEEDS"].flatMap { Int($0) } ?? 0
        let isLong = seeds >= 1_000
        let size = isLong ? 100_000_000 : 8_000_000
        let settings = DispatcherSettings(
            retry: isLong ? RetryRule() : RetryRule(base: .milliseconds(1), cap: .milliseconds(2)))
        for transport in Self.transports() {
            let name = "\(type(of: transport)), cut after \(cut)"
            let server = try Self.server(size, cutAfter: cut, rate: isLong ? 1_000_000 : 100_000_000)
            let folder = try Folder()
            let depot = Self.depot(server, transport, settings)
            let file = folder.url.appendingPathComponent("file")
            do throws(CommandFault) {
                try await depot.download(Depot.Fetch(), to: file).finish()
            } catch {
                Issue.record("\(name): \(error.context.name) after \(server.requests.count) requests")
                continue
            }
            #expect(folder.bytes("file") == Self.bytes(0..<size), "\(name)")
            // Chunk by chunk, the same.
            var count = 0
            do throws(CommandFault) {
                var iterator = depot.chunks(of: Depot.Fetch()).makeAsyncIterator()
                while let chunk = try await iterator.next() {
                    let isRight = chunk.first == Self.byte(count) && chunk.last == Self.byte(count + chunk.count - 1)
                    #expect(isRight, "\(name)")
                    count += chunk.count
                }
            } catch {
                Issue.record("\(name), chunks: \(error.context.name) after \(server.requests.count) requests")
                continue
            }
            #expect(count == size, "\(name)")
            #expect(depot.binding.dispatcher.budget.hosts == 0, "\(name): tokens were taken")
        }
    }
}

#if !canImport(Darwin)
/// The same in virtual time, where the sizes and the pauses are those of the world.
@Suite(.timeLimit(.minutes(3))) struct FlakyTransferTests {
    private static let chunk = [UInt8](repeating: 7, count: 64 << 10)

    private static func depot(_ simulation: Simulation) -> Depot {
        var depot = Depot("https://depot.example")
        depot.binding = ServiceBinding(
            Depot.service, server: "https://depot.example", on: simulation.dispatcher, session: Session())
        return depot
    }

    /// A server that cuts each connection after so many bytes, and takes a time for each 64 KiB.
    private static func serve(_ simulation: Simulation, _ size: Int, cutAfter cut: Int, pause: Duration) {
        simulation.server.on(Depot.Fetch.self) { call in
            let start = call.request.headers["Range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
            let fields: HTTPHeaders =
                start == 0
                ? ["ETag": "\"one\"", "Content-Length": "\(size)"]
                : [
                    "ETag": "\"one\"", "Content-Length": "\(size - start)",
                    "Content-Range": "bytes \(start)-\(size - 1)/\(size)",
                ]
            let place = LockedState { start }
            let body = StreamedBody { () async throws(TransportFault) -> [UInt8]? in
                let next = place.withLock { place -> Int in
                    let count = min(chunk.count, size - place, start + cut - place)
                    place += count
                    return count
                }
                if next == 0, place.withLock({ $0 }) == size { return nil }
                if next == 0 { throw TransportFault(.lost, evidence: .sent) }
                await simulation.sleep(for: pause * (Double(next) / Double(chunk.count)))
                return next == chunk.count ? chunk : Array(chunk.prefix(next))
            }
            return TransportResponse(status: start > 0 ? 206 : 200, headers: fields, stream: body)
        }
    }

    /// Reads a download for as long as it may take.
    private static func read(
        _ simulation: Simulation, for time: Duration = .seconds(86_400)
    ) async -> (count: Int, failure: CommandFault?) {
        let start = simulation.clock.now
        var iterator = depot(simulation).chunks(of: Depot.Fetch()).makeAsyncIterator()
        var count = 0
        do throws(CommandFault) {
            while start.duration(to: simulation.clock.now) < time, let chunk = try await iterator.next() {
                count += chunk.count
            }
            return (count, nil)
        } catch {
            return (count, error)
        }
    }

    /// The most requests in a minute.
    private static func busiestMinute(_ simulation: Simulation) -> Int {
        let moments = simulation.server.received(Depot.Fetch.self).map(\.moment)
        var (first, most) = (0, 0)
        for (index, moment) in moments.enumerated() {
            while moment - moments[first] >= .seconds(60) { first += 1 }
            most = max(most, index - first + 1)
        }
        return most
    }

    /// 100 MB at 1 MB/s, cut every 256 KiB.
    @Test func aLongDownloadArrivesAndSoDoesTheNext() async throws {
        try await Simulation.run(seeds: 2) { simulation in
            let size = 100_000_000
            Self.serve(simulation, size, cutAfter: 256 << 10, pause: .microseconds(65_536))
            for _ in 0..<2 {
                let (count, failure) = await Self.read(simulation)
                #expect(count == size && failure == nil, "\(simulation)")
            }
            #expect(simulation.server.received(Depot.Fetch.self).count == 764, "\(simulation)")
            #expect(simulation.dispatcher.budget.hosts == 0, "\(simulation)")
            #expect(Self.busiestMinute(simulation) <= 300, "\(simulation)")
        }
    }

    /// A server that gives 256 KiB at once and cuts, for ever: the pauses bound the requests.
    @Test func aServerThatAlwaysCutsIsNotHammered() async throws {
        try await Simulation.run(seeds: 2) { simulation in
            Self.serve(simulation, 1 << 40, cutAfter: 256 << 10, pause: .zero)
            let (_, failure) = await Self.read(simulation, for: .seconds(300))
            #expect(failure == nil, "\(simulation)")
            let most = Self.busiestMinute(simulation)
            #expect((100...301).contains(most), "\(most) requests in a minute, \(simulation)")
        }
    }

    /// Attempts that bring less than 256 KiB together are attempts like any other.
    @Test func aServerThatGivesLittleIsGivenUp() async throws {
        try await Simulation.run(seeds: 2) { simulation in
            Self.serve(simulation, 1 << 30, cutAfter: 80_000, pause: .zero)
            let (count, failure) = await Self.read(simulation)
            #expect(count == 240_000 && failure?.kind == .connectionLost, "\(simulation)")
            let host = try #require(Origin("https://depot.example"))
            #expect(simulation.dispatcher.budget.balance(of: host) == 8, "\(simulation)")
        }
    }

    /// Each minute of a download that delivers gives to the budget. A minute in which nothing comes gives nothing.
    @Test func minutesThatDeliverGiveTokens() async throws {
        try await Simulation.run(seeds: 2) { simulation in
            let tokens = simulation.dispatcher.budget
            let host = try #require(Origin("https://depot.example"))
            while tokens.withdraw(for: host) {}
            // 64 KiB every 20 seconds, for ten minutes: nine minutes and the end.
            Self.serve(simulation, 30 * Self.chunk.count, cutAfter: .max / 2, pause: .seconds(20))
            let (_, failure) = await Self.read(simulation)
            #expect(failure == nil, "\(simulation)")
            #expect((0.95...1.15).contains(tokens.balance(of: host)), "\(tokens.balance(of: host)), \(simulation)")
        }
    }

    /// One element, and then nothing but signs of life: it gives for one minute, and at its good end. A stream with news gives for each.
    @Test(arguments: [false, true])
    func aSilentStreamGivesNothing(hasNews: Bool) async throws {
        try await Simulation.run(seeds: 2) { simulation in
            let tokens = simulation.dispatcher.budget
            let host = try #require(Origin("https://feed.example"))
            while tokens.withdraw(for: host) {}
            simulation.server.on(Feed.Watch.self) { _ in
                let count = LockedState { 0 }
                let body = StreamedBody { () async throws(TransportFault) -> [UInt8]? in
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    if number > 41 { return nil }
                    if number > 1 { await simulation.sleep(for: .seconds(15)) }
                    return Array(
                        (hasNews || number == 1 ? "id: \(number)\ndata: {\"n\":\(number)}\n\n" : ": beat\n\n").utf8)
                }
                return TransportResponse(
                    status: 200, headers: ["Content-Type": "text/event-stream"], stream: body)
            }
            var iterator = Feed(simulation.dispatcher).stream(Feed.Watch()).makeAsyncIterator()
            var elements = 0
            while simulation.clock.now.offset < .seconds(590), try await iterator.next() != nil { elements += 1 }
            let balance = tokens.balance(of: host)
            #expect(
                hasNews ? (0.75...1).contains(balance) : (0.15...0.25).contains(balance), "\(balance), \(simulation)")
        }
    }

    /// A stream whose connections are cut after 35 seconds, each with something new, goes on: two of them are more than a
    /// minute.
    @Test func aStreamOutlivesManyCuts() async throws {
        try await Simulation.run(seeds: 2) { simulation in
            simulation.server.on(Feed.Watch.self) { call in
                let last = call.request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0
                let count = LockedState { 0 }
                let body = StreamedBody { () async throws(TransportFault) -> [UInt8]? in
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    if number > 7 { throw TransportFault(.lost, evidence: .sent) }
                    await simulation.sleep(for: .seconds(5))
                    return Array("id: \(last + number)\ndata: {\"n\":\(last + number)}\n\n".utf8)
                }
                return TransportResponse(
                    status: 200, headers: ["Content-Type": "text/event-stream"], stream: body)
            }
            var iterator = Feed(simulation.dispatcher).stream(Feed.Watch()).makeAsyncIterator()
            for number in 1...300 { #expect(try await iterator.next() == number, "\(simulation)") }
            #expect(simulation.server.received(Feed.Watch.self).count == 43, "\(simulation)")
            let host = try #require(Origin("https://feed.example"))
            #expect(simulation.dispatcher.budget.balance(of: host) >= 8, "\(simulation)")
        }
    }
}
#endif
