import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// Uploads that are read while they are sent.
@Suite(.timeLimit(.minutes(1))) struct BodySourceTests {
    /// Takes what it is sent, a chunk at a time.
    private final class ReadingTransport: Transport {
        typealias Answer = @Sendable (_ number: Int) throws(TransportFault) -> TransportResponse
        let streamsRequestBodies = true
        private let answer: Answer
        private let state = LockedState<(bodies: [[UInt8]], largest: Int, lengths: [Int?])> { ([], 0, []) }

        init(_ answer: @escaping Answer = { _ in .json(200, "") }) { self.answer = answer }

        var bodies: [[UInt8]] { state.withLock { $0.bodies } }
        var largestChunk: Int { state.withLock { $0.largest } }
        var lengths: [Int?] { state.withLock { $0.lengths } }

        func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
            var bytes = request.body ?? []
            if let source = request.streamedBody {
                do throws(BodySourceError) {
                    var reader = try source.makeReader()
                    while let chunk = try await reader.next() {
                        state.withLock { $0.largest = max($0.largest, chunk.count) }
                        bytes += chunk
                    }
                } catch {
                    throw TransportFault(
                        .requestBody, evidence: error == .alreadyRead ? .notSent : .sent, underlying: error)
                }
            }
            let whole = bytes
            let number = state.withLock { state in
                state.bodies.append(whole)
                state.lengths.append(request.streamedBody?.length ?? request.body?.count)
                return state.bodies.count
            }
            return try answer(number)
        }
    }

    private struct Store: ServiceClient {
        var binding: ServiceBinding
        static let service = ServiceDescription(name: "Store", version: "1")

        init(_ transport: any Transport) {
            binding = ServiceBinding(
                Self.service, server: "https://store.example",
                on: Dispatcher(transport: transport, environment: DispatcherEnvironment(clock: InstantClock())),
                session: Session())
        }
    }

    private struct Put: ErrandRuntime.Command {
        typealias Service = Store
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = EndpointDescription(Store.service, "put", .put, effect: .idempotent, response: .none)
        let body: BodySource
        func encode(into request: inout RequestEncoder) {
            request.path("/put")
            request.body(body)
        }
    }

    private struct Post: ErrandRuntime.Command {
        typealias Service = Store
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = EndpointDescription(Store.service, "post", .post, effect: .idempotent, response: .none)
        let files: [FilePart]
        func encode(into request: inout RequestEncoder) {
            request.path("/post")
            request.beginBody(.multipart)
            request.field("title", "t")
            for file in files { request.file("file", file) }
        }
    }

    private func withFile(_ size: Int, _ body: (URL) async throws -> Void) async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data((0..<size).map { UInt8(truncatingIfNeeded: $0) }).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try await body(url)
    }

    private func chunks(_ count: Int) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            for number in 0..<count { continuation.yield([UInt8(truncatingIfNeeded: number)]) }
            continuation.finish()
        }
    }

    @Test func aFileIsSentInChunksAndSentAgain() async throws {
        try await withFile(300_000) { url in
            let transport = ReadingTransport { number throws(TransportFault) in
                if number == 1 { throw TransportFault(.lost, evidence: .sent) }
                return .json(200, "")
            }
            try await Store(transport).send(Put(body: .file(at: url)))
            let wanted = Array(try Data(contentsOf: url))
            #expect(transport.bodies == [wanted, wanted])
            #expect(transport.lengths == [300_000, 300_000])
            #expect(transport.largestChunk == BodySource.smallestChunk)
        }
    }

    @Test(arguments: [(1 << 20, 8), (16 << 20, 64), (64 << 20, 128)])
    func aLargeBodyHasLargerChunksButNotFewOfThem(_ size: Int, _ count: Int) async throws {
        var fromMemory = try BodySource.bytes([UInt8](repeating: 7, count: size)).makeReader()
        var sizes: [Int] = []
        while let chunk = try await fromMemory.next() { sizes.append(chunk.count) }
        #expect(sizes == [Int](repeating: size / count, count: count))
        try await withFile(0) { url in
            let file = try FileHandle(forWritingTo: url)
            try file.truncate(atOffset: UInt64(size))
            try file.close()
            var fromFile = try BodySource.file(at: url).makeReader()
            for size in sizes { #expect(try await fromFile.next()?.count == size) }
            #expect(try await fromFile.next() == nil)
        }
    }

    @Test(arguments: ["grows", "shrinks", "is written to", "is replaced"])
    func aFileThatChangesIsATypedFailure(_ change: String) async throws {
        try await withFile(100_000) { url in
            let body = try BodySource.file(at: url)
            let handle = try FileHandle(forWritingTo: url)
            switch change {
            case "grows":
                try handle.seekToEnd()
                try handle.write(contentsOf: Data([1]))
            case "shrinks": try handle.truncate(atOffset: 50_000)
            case "is written to": try handle.write(contentsOf: Data([9]))
            default:
                try FileManager.default.removeItem(at: url)
                try Data(repeating: 1, count: 100_000).write(to: url)
            }
            try handle.close()
            let transport = ReadingTransport()
            do throws(CommandFault) {
                try await Store(transport).send(Put(body: body))
                Issue.record("it was sent")
            } catch {
                #expect(error.context.name == "bodyChanged" && error.category == .nonRetryable)
                #expect(error.context.message == "The file changed while it was being sent.")
                #expect(error.context.brokenFields.map(\.name) == ["body"])
                #expect(error.context.applied == .never && error.context.evidence == .notSent)
                #expect(!error.description.contains(url.path), "\(error)")
            }
            #expect(transport.bodies.isEmpty)
        }
    }

    @Test func aFileThatChangesWhileItIsReadIsCutOff() async throws {
        try await withFile(200_000) { url in
            var reader = try BodySource.file(at: url).makeReader()
            #expect(try await reader.next()?.count == BodySource.smallestChunk)
            let handle = try FileHandle(forWritingTo: url)
            try handle.write(contentsOf: Data([9]))
            try handle.close()
            await #expect(throws: BodySourceError.fileChanged) { while try await reader.next() != nil {} }
        }
    }

    @Test func whatIsNoFileIsRefused() {
        #expect(throws: BodySourceError.unreadableFile) { try BodySource.file(at: URL(fileURLWithPath: "/")) }
        #expect(throws: BodySourceError.unreadableFile) { try BodySource.file(at: URL(fileURLWithPath: "/nowhere")) }
        #expect(throws: BodySourceError.unreadableFile) { try BodySource.file(at: URL(fileURLWithPath: "/dev/zero")) }
    }

    @Test func whatCanBeReadOnceIsNotSentTwice() async throws {
        for evidence in [Evidence.sent, .responded] {
            let transport = ReadingTransport { _ throws(TransportFault) in
                if evidence == .responded { return .json(503, "") }
                throw TransportFault(.lost, evidence: .sent)
            }
            do throws(CommandFault) {
                try await Store(transport).send(Put(body: .stream(chunks(10))))
                Issue.record("it succeeded")
            } catch {
                #expect(error.kind == (evidence == .sent ? .connectionLost : .unavailable))
            }
            #expect(transport.bodies.count == 1)
        }
    }

    @Test func whatWasNotReadMayBeSentAgain() async throws {
        let number = LockedState<Int> { 0 }
        // The connection is refused before the body is asked for.
        let transport = RefusingTransport { number.withLock { $0 += 1 } }
        _ = await Store(transport).result(of: Put(body: .stream(chunks(10))))
        #expect(number.withLock { $0 } == 3)
    }

    private struct RefusingTransport: Transport {
        let streamsRequestBodies = true
        let note: @Sendable () -> Void
        func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
            note()
            throw TransportFault(.refused, evidence: .notSent)
        }
    }

    @Test func aSequenceThatCanBeMadeAnewIsSentAgain() async throws {
        let transport = ReadingTransport { number throws(TransportFault) in
            if number < 3 { throw TransportFault(.lost, evidence: .sent) }
            return .json(200, "")
        }
        try await Store(transport).send(Put(body: .replayable(length: 10) { chunks(10) }))
        #expect(transport.bodies == Array(repeating: (0..<10).map { UInt8($0) }, count: 3))
    }

    @Test(arguments: [9, 11]) func aWrongLengthIsATypedFailure(_ length: Int) async {
        let transport = ReadingTransport()
        let result = await Store(transport).result(of: Put(body: .replayable(length: length) { chunks(10) }))
        guard case .failure(let fault) = result else { return #expect(Bool(false), "it was sent") }
        #expect(fault.kind == .invalidRequest)
        #expect(transport.bodies.isEmpty)
    }

    @Test func partsAreStreamed() async throws {
        try await withFile(150_000) { url in
            let transport = ReadingTransport()
            try await Store(transport).send(
                Post(files: [
                    FilePart(try .file(at: url), fileName: "a"), FilePart(Array("small".utf8), fileName: "b"),
                ]))
            let body = try #require(transport.bodies.first)
            #expect(transport.lengths == [body.count])
            let text = String(decoding: body, as: Unicode.ASCII.self)
            #expect(text.contains("name=\"title\"\r\n\r\nt\r\n--"))
            #expect(text.contains("filename=\"b\"\r\nContent-Type: application/octet-stream\r\n\r\nsmall\r\n--"))
            #expect(text.hasSuffix("--\r\n"))
            #expect(body.count > 150_000)
        }
    }

    @Test func aPartOfUnknownLengthMakesTheWholeUnknown() async throws {
        let transport = ReadingTransport()
        try await Store(transport).send(Post(files: [FilePart(.stream(chunks(10)), fileName: "a")]))
        #expect(transport.lengths == [nil])
    }

    @Test func aTransportWithoutStreamsGetsItInMemory() async throws {
        let transport = ScriptedTransport.scripted { request, _ in
            .json(request.body?.count == 10 && request.streamedBody == nil ? 200 : 400, "")
        }
        try await Store(transport).send(Put(body: .stream(chunks(10))))
        let block = [UInt8](repeating: 0, count: 1 << 20)
        let endless = AsyncStream<[UInt8]> { block }
        let result = await Store(transport).result(of: Put(body: .stream(endless)))
        guard case .failure(let fault) = result else { return #expect(Bool(false), "it was sent") }
        #expect(fault.kind == .invalidRequest)
    }

    @Test func nothingOfItIsPrinted() async throws {
        let body = BodySource.bytes(Array("secret".utf8))
        #expect(!"\(body)\(String(reflecting: body))".contains("secret"))
        var text = ""
        dump(Put(body: body), to: &text)
        #expect(!text.contains("115"))
    }
}
