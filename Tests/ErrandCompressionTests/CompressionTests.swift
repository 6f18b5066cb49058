import ErrandCompression
import ErrandRuntime
import ErrandTransport
import ErrandURLSession
import Foundation
import TestSeeds
import Testing

/// Bodies that are compressed if the contract says so, unpacked by a third-party server.
@Suite(.serialized, .timeLimit(.minutes(2)), .enabled(if: UnpackingServer.python != nil, "there is no Python"))
struct CompressionTests {
    /// The request that a server received, and its decoded body.
    struct Sent: Equatable {
        var coding: String?
        var size: Int?
        var body: [UInt8]

        init(_ reply: Reply<[UInt8]>) {
            coding = reply.headers["X-Sent-Coding"]
            size = reply.headers["X-Sent-Size"].flatMap { Int($0) }
            body = reply.value
        }
    }

    private static func client(
        _ server: UnpackingServer, _ transport: any Transport = URLSessionTransport(),
        compressor: (any BodyCompressor)? = GzipCompressor(), interceptors: [any Interceptor] = []
    ) -> Archive {
        Archive(
            server.url,
            Dispatcher(
                transport: transport, interceptors: interceptors, settings: DispatcherSettings(compressor: compressor)))
    }

    /// Bytes that repeat often enough to be compressed.
    private static func text(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 / 7 % 23 + 65) } }

    private static func noise(_ count: Int) -> [UInt8] {
        var numbers = TestSeeds.SeededGenerator(seed: 7)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    }

    @Test(arguments: [0, 1, 999, 1_000, 65_535, 65_536, 65_537, 3_000_000])
    func theServerHasEveryByte(_ count: Int) async throws {
        let server = try UnpackingServer()
        let body = Self.text(count)
        let sent = Sent(try await Self.client(server).reply(to: Archive.Store(.bytes(body))))
        #expect(sent.body == body)
        #expect(sent.coding == (count < 1_000 ? "none" : "gzip"))
        #expect(count < 1_000 || sent.size ?? 0 < count / 2)
    }

    @Test func whatDoesNotBecomeSmallerIsSentAsItIs() async throws {
        let server = try UnpackingServer()
        let body = Self.noise(100_000)
        let sent = Sent(try await Self.client(server).reply(to: Archive.Store(.bytes(body))))
        #expect(sent.coding == "none" && sent.size == 100_000 && sent.body == body)
    }

    @Test func withoutACompressorItIsSentAsItIs() async throws {
        let server = try UnpackingServer()
        let client = Self.client(server, ChunkTransport(), compressor: nil)
        let sent = Sent(try await client.reply(to: Archive.Store(.bytes(Self.text(5_000)))))
        #expect(sent.coding == "none" && sent.size == 5_000)
    }

    /// The default transport, and the one over URLSession, without a setting.
    @Test(arguments: [SystemTransport.make(), URLSessionTransport()] as [any Transport])
    func theSystemsTransportsCompressByThemselves(_ transport: any Transport) async throws {
        let server = try UnpackingServer()
        let client = Self.client(server, transport, compressor: nil)
        let body = Self.text(100_000)
        let source = BodySource.replayable {
            AsyncStream { continuation in
                for start in stride(from: 0, to: 100_000, by: 1_000) {
                    continuation.yield(Array(body[start..<start + 1_000]))
                }
                continuation.finish()
            }
        }
        for given in [BodySource.bytes(body), source] {
            let sent = Sent(try await client.reply(to: Archive.Store(given)))
            #expect(sent.coding == "gzip" && sent.body == body)
            #expect(sent.size ?? 0 < 10_000)
        }
    }

    @Test func aCompressorWithoutMemoryIsNoCompressor() async throws {
        let server = try UnpackingServer()
        let client = Self.client(server, compressor: FailingCompressor())
        let sent = Sent(try await client.reply(to: Archive.Store(.bytes(Self.text(5_000)))))
        #expect(sent.coding == "none" && sent.body == Self.text(5_000))
    }

    @Test func interceptorsSeeTheBodyAsItWas() async throws {
        let server = try UnpackingServer()
        let body = Self.text(5_000)
        let witness = Witness(adding: nil)
        let sent = Sent(
            try await Self.client(server, interceptors: [witness]).reply(to: Archive.Store(.bytes(body))))
        #expect(sent.coding == "gzip" && sent.body == body)
        #expect(witness.seen.withLock { $0 } == body)
    }

    @Test func whatHasACodingAlreadyGetsNoSecondOne() async throws {
        let server = try UnpackingServer()
        let body = Self.text(5_000)
        let client = Self.client(server, interceptors: [Witness(adding: "identity")])
        let sent = Sent(try await client.reply(to: Archive.Store(.bytes(body))))
        #expect(sent.coding == "identity" && sent.body == body)
    }

    /// Any chunks, also empty ones and such as are larger than what is compressed at a time.
    @Test(arguments: (0..<10).map { _ in TestSeeds.SeededGenerator.newSeed() })
    func aStreamIsCompressedAsItComes(_ seed: UInt64) async throws {
        var numbers = TestSeeds.SeededGenerator(seed: seed)
        var chunks: [[UInt8]] = []
        for _ in 0..<Int.random(in: 0...12, using: &numbers) {
            let count = [0, 1, 100, 65_536, 200_000].randomElement(using: &numbers) ?? 0
            chunks.append(Bool.random(using: &numbers) ? Self.text(count) : Self.noise(count))
        }
        let server = try UnpackingServer()
        let transport = ChunkTransport()
        let given = chunks
        let body = BodySource.replayable {
            AsyncStream { continuation in
                for chunk in given { continuation.yield(chunk) }
                continuation.finish()
            }
        }
        let sent = Sent(try await Self.client(server, transport).reply(to: Archive.Store(body)))
        #expect(sent.body == Array(chunks.joined()), "seed \(seed)")
        #expect(sent.coding == "gzip")
        #expect(transport.largest.withLock { $0 } <= 80_000, "no more than a chunk is in memory")
    }

    @Test func aShortStreamIsSentAsItIs() async throws {
        let server = try UnpackingServer()
        let body = BodySource.bytes(Self.text(999)).reporting(to: TransferProgress())
        let sent = Sent(try await Self.client(server, ChunkTransport()).reply(to: Archive.Store(body)))
        #expect(sent.coding == "none" && sent.size == 999)
    }

    /// What can be read once is compressed once, and not sent a second time.
    @Test func aStreamThatCanBeReadOnceStaysSo() async throws {
        let stream = AsyncStream<[UInt8]> { continuation in
            continuation.yield(Self.text(5_000))
            continuation.finish()
        }
        let transport = ChunkTransport(isLosing: true)
        let client = Archive(
            "http://127.0.0.1:9",
            Dispatcher(transport: transport, settings: DispatcherSettings(compressor: GzipCompressor())))
        await #expect(throws: CommandFault.self) { try await client.reply(to: Archive.Store(.stream(stream))) }
        #expect(transport.count.withLock { $0 } == 1)
    }

    @Test func progressCountsWhatIsRead() async throws {
        let server = try UnpackingServer()
        let progress = TransferProgress()
        let body = BodySource.bytes(Self.text(300_000)).reporting(to: progress)
        let sent = Sent(try await Self.client(server, ChunkTransport()).reply(to: Archive.Store(body)))
        #expect(sent.coding == "gzip" && sent.body.count == 300_000)
        #expect(progress.current.bytes == 300_000 && progress.current.total == 300_000)
    }

    @Test func aStreamWithoutACompressorThatWorksFails() async throws {
        let client = Archive(
            "http://127.0.0.1:9",
            Dispatcher(transport: ChunkTransport(), settings: DispatcherSettings(compressor: FailingCompressor())))
        do {
            _ = try await client.reply(to: Archive.Store(.replayable { AsyncStream<[UInt8]> { $0.finish() } }))
            Issue.record("it was sent")
        } catch {
            let fault = error.context.underlying as? TransportFault
            #expect(fault?.underlying as? BodySourceError == .compressionFailed, "\(error)")
        }
    }
}

/// Has no memory.
private struct FailingCompressor: BodyCompressor {
    func begin(_ coding: BodyCompression.Coding) -> (any BodyCompressionStream)? { nil }
}

/// Keeps the body that it sees.
private struct Witness: Interceptor {
    let seen = LockedState<[UInt8]?> { nil }
    let coding: String?

    init(adding coding: String?) { self.coding = coding }

    func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
    ) async throws(TransportFault) -> TransportResponse {
        seen.withLock { $0 = request.body }
        var request = request
        if let coding { request.headers.append("Content-Encoding", coding) }
        return try await next(request)
    }
}

/// Streams bodies, which `URLSession` does on Apple's systems only: reads the chunks, and sends them as one body.
private final class ChunkTransport: Transport {
    let largest = LockedState { 0 }
    let count = LockedState { 0 }
    private let base = URLSessionTransport()
    private let isLosing: Bool

    init(isLosing: Bool = false) { self.isLosing = isLosing }

    var streamsRequestBodies: Bool { true }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        count.withLock { $0 += 1 }
        guard let body = request.streamedBody else { return try await base.send(request) }
        var bytes: [UInt8] = []
        do {
            var reader = try body.makeReader()
            while let chunk = try await reader.next() {
                largest.withLock { $0 = max($0, chunk.count) }
                bytes += chunk
            }
        } catch {
            throw TransportFault(.requestBody, evidence: .notSent, underlying: error)
        }
        if isLosing { throw TransportFault(.lost, evidence: .sent) }
        var request = request
        request.streamedBody = nil
        request.body = bytes
        return try await base.send(request)
    }
}
