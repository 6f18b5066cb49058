import ErrandStubs
import ErrandTesting
import ErrandTransportConformance
import Foundation
import Testing

@testable import ErrandRuntime

/// Downloads that are read chunk by chunk.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DownloadChunkTests {
    private static let content = DownloadTests.content

    /// What came, and what ended it.
    static func read(
        _ depot: Depot, limit: Int? = nil, progress: TransferProgress? = nil
    ) async -> (bytes: [UInt8], failure: CommandFault?) {
        var bytes: [UInt8] = []
        var iterator = depot.chunks(of: Depot.Fetch(), limit: limit, progress: progress).makeAsyncIterator()
        do throws(CommandFault) {
            while let chunk = try await iterator.next() { bytes += chunk }
            return (bytes, nil)
        } catch {
            return (bytes, error)
        }
    }

    private static func problem(_ failure: CommandFault?) -> DownloadError? {
        failure?.context.underlying as? DownloadError
    }

    @Test func aCutAtEveryByteLosesAndRepeatsNothing() async throws {
        for cut in 0..<Self.content.count {
            let server = try RawServer { connection, number in
                DownloadTests.serve(connection, Self.content, upTo: number == 1 ? cut : .max)
            }
            let progress = TransferProgress()
            let (bytes, failure) = await Self.read(Depot(server.url), progress: progress)
            #expect(bytes == Self.content && failure == nil, "cut after \(cut) bytes")
            #expect(progress.current == TransferState(bytes: Self.content.count, total: Self.content.count))
            #expect(server.requests.count == 2)
        }
    }

    @Test func whatCannotGoOnSaysWhereItEnded() async throws {
        for tag in [nil, "W/\"weak\""] {
            let server = try RawServer { connection, number in
                DownloadTests.serve(connection, Self.content, tag: tag, upTo: number == 1 ? 10 : .max)
            }
            let (bytes, failure) = await Self.read(Depot(server.url))
            // The transport may tell of the end before the bytes: nothing was delivered then, and all is asked for again.
            if bytes == Self.content { continue }
            #expect(bytes == Array(Self.content.prefix(bytes.count)))
            #expect(failure?.kind == .connectionLost)
            #expect(Self.problem(failure) == .cut(after: bytes.count))
            #expect(server.requests.count == 1)
        }
    }

    @Test func anotherFileIsNotTakenForTheRest() async throws {
        let other = Array("Another file of another length, with other bytes.".utf8)
        let server = try RawServer { connection, number in
            if number == 1 { return DownloadTests.serve(connection, Self.content, upTo: 10) }
            DownloadTests.serve(connection, other, tag: "\"two\"")
        }
        let (bytes, failure) = await Self.read(Depot(server.url))
        guard !bytes.isEmpty, bytes != other else { return }
        #expect(bytes == Array(Self.content.prefix(bytes.count)))
        #expect(failure?.kind == .malformed)
        #expect(Self.problem(failure) == .changed(after: bytes.count))
    }

    /// Bytes that a transport gives, ten at a time, and what became of them.
    private final class Tap: Sendable {
        let given = LockedState { 0 }
        let isClosed = LockedState { false }

        func transport(_ count: Int, headers: HTTPHeaders = [:], cutAt cut: Int = .max) -> ScriptedTransport {
            ScriptedTransport.scripted { [self] request, _ in
                if let range = request.headers["Range"] {
                    let start = Int(range.dropFirst(6).dropLast()) ?? 0
                    return TransportResponse(
                        status: 206,
                        headers: [
                            "Content-Range": "bytes \(start)-\(count * 10 - 1)/\(count * 10)", "ETag": "\"one\"",
                        ], stream: body(from: start / 10, to: count, cutAt: .max))
                }
                return TransportResponse(
                    status: 200, headers: headers, stream: body(from: 0, to: count, cutAt: cut))
            }
        }

        private func body(from start: Int, to count: Int, cutAt cut: Int) -> StreamedBody {
            let place = LockedState { start }
            return StreamedBody { [self] () async throws(TransportFault) -> [UInt8]? in
                let next = place.withLock { place in
                    defer { place += 1 }
                    return place
                }
                if next >= cut { throw TransportFault(.lost, evidence: .sent) }
                guard next < count else { return nil }
                given.withLock { $0 += 1 }
                return [UInt8](repeating: UInt8(truncatingIfNeeded: next), count: 10)
            } cancel: { [self] in
                isClosed.withLock { $0 = true }
            }
        }
    }

    private static func depot(_ transport: any Transport) -> Depot { Depot("https://depot.example", transport) }

    @Test func itGoesOnWhereItStopped() async throws {
        let tap = Tap()
        let transport = tap.transport(20, headers: ["Content-Length": "200", "ETag": "\"one\""], cutAt: 7)
        let (bytes, failure) = await Self.read(Self.depot(transport))
        #expect(failure == nil)
        #expect(bytes == (0..<200).map { UInt8($0 / 10) })
        #expect(transport.requests.map { $0.headers["Range"] } == [nil, "bytes=70-"])
        #expect(tap.given.withLock { $0 } == 20, "nothing was read twice")
    }

    @Test func whatCannotGoOnIsNotAskedForAgain() async throws {
        let transport = Tap().transport(20, headers: ["Content-Length": "200"], cutAt: 7)
        let (bytes, failure) = await Self.read(Self.depot(transport))
        #expect(bytes.count == 70 && failure?.kind == .connectionLost)
        #expect(Self.problem(failure) == .cut(after: 70))
        #expect(transport.requests.count == 1)
    }

    @Test func anEndBeforeTheAnnouncedOneIsACut() async throws {
        let transport = Tap().transport(5, headers: ["Content-Length": "200"])
        let (bytes, failure) = await Self.read(Self.depot(transport))
        #expect(bytes.count == 50 && Self.problem(failure) == .cut(after: 50))
    }

    @Test func nothingIsReadAheadAndLeavingCloses() async throws {
        let tap = Tap()
        let depot = Self.depot(tap.transport(1_000))
        do {
            var iterator = depot.chunks(of: Depot.Fetch()).makeAsyncIterator()
            for count in 1...3 {
                #expect(try await iterator.next()?.count == 10)
                #expect(tap.given.withLock { $0 } == count)
            }
        }
        while !tap.isClosed.withLock({ $0 }) { await Task.yield() }
        #expect(tap.given.withLock { $0 } == 3)
    }

    @Test func aCancelledReaderIsTold() async throws {
        let tap = Tap()
        let depot = Self.depot(tap.transport(1_000_000_000))
        let reader = Task { await Self.read(depot) }
        while tap.given.withLock({ $0 }) < 5 { await Task.yield() }
        reader.cancel()
        #expect(await reader.value.failure?.kind == .cancelled)
        #expect(tap.isClosed.withLock { $0 })
    }

    @Test func moreThanAllowedIsRefused() async throws {
        for headers in [[:], ["Content-Length": "200"]] as [HTTPHeaders] {
            let (bytes, failure) = await Self.read(Self.depot(Tap().transport(20, headers: headers)), limit: 55)
            #expect(failure?.kind == .malformed && Self.problem(failure) == .larger(than: 55))
            #expect(bytes.count == (headers["Content-Length"] == nil ? 50 : 0))
        }
    }

    @Test func moreThanAnnouncedIsMalformed() async throws {
        let (bytes, failure) = await Self.read(
            Self.depot(Tap().transport(20, headers: ["Content-Length": "35"])))
        #expect(bytes.count == 30 && failure?.kind == .malformed && Self.problem(failure) == .tooLong)
    }

    @Test func aRefusalIsTheEndpointsFailure() async throws {
        let (bytes, failure) = await Self.read(
            Self.depot(ScriptedTransport.scripted { _, _ in TransportResponse(status: 404) }))
        #expect(bytes.isEmpty && failure?.kind == .rejected)
    }

    @Test func aStubGivesItsBytes() async throws {
        let stubbed = Depot("https://depot.example").stubbed { $0.on(Depot.Fetch.self) { _ in [1, 2, 3] } }
        let progress = TransferProgress()
        #expect(await Self.read(stubbed, progress: progress).bytes == [1, 2, 3])
        #expect(progress.current == TransferState(bytes: 3, total: 3))
    }
}
