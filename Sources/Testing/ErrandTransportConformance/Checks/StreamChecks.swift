import ErrandRuntime
import Foundation

extension TransportConformance {
    private static let reason = "A transport that collects a stream delays its elements and fills the memory."
    private static let block = [UInt8](repeating: 97, count: 65_536)

    /// Streamed bodies. A transport may deliver a response as a whole, and take bodies only from memory
    /// (`Transport.streamsRequestBodies`). Fewer of these checks then apply.
    static let streamChecks: [Check] = [
        Check(
            "streamed-response",
            "A streamed response is returned with its head, and each chunk is available when it arrives.",
            because: reason
        ) { trial in
            let isHeard = Signal<Bool>()
            let server = try trial.serve { connection, _ in
                guard connection.readRequest() != nil else { return }
                connection.write("HTTP/1.1 200 OK\r\nX-Head: yes\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
                isHeard.block(within: .seconds(3))
                connection.write("3\r\ntwo\r\n0\r\n\r\n")
            }
            let response = try await trial.expectAnswer(to: streamed(server))
            trial.expect(response.headers["X-Head"] == "yes", "a header is missing")
            guard let stream = response.stream else {
                trial.expect(response.body.elementsEqual("onetwo".utf8), "the body is another one")
                return
            }
            trial.expect(isHeard.value == nil, "the head came after the body")
            var text = ""
            while let chunk = try await stream.next() {
                text += String(decoding: chunk, as: UTF8.self)
                if text == "one" { isHeard.give(true) }
            }
            trial.expect(text == "onetwo", "the chunks were \(text)")
        },
        Check(
            "cut-stream", "A truncated streamed response ends as `lost`, and not like a complete one.",
            because: "The app would take the first half of a list for all of it."
        ) { trial in
            for head in ["Content-Length: 100", "Transfer-Encoding: chunked"] {
                let server = try trial.serve(once: "HTTP/1.1 200 OK\r\n\(head)\r\n\r\n3\r\none\r\n")
                let outcome = await trial.outcome(of: streamed(server))
                guard case .answer(let response) = outcome, let stream = response.stream else {
                    try trial.expectFault(outcome, [.lost], .arrived)
                    continue
                }
                do throws(TransportFault) {
                    while try await stream.next() != nil {}
                    trial.note("the truncated body ended like a complete one (\(head))")
                } catch {
                    trial.expect(error.kind == .lost, "the truncated body ended with \(error) (\(head))")
                }
            }
        },
        Check(
            "closed-stream", "A streamed response without a length arrives complete, and ends with its connection.",
            because: "The reader finds out from the last element whether the response was cut."
        ) { trial in
            let server = try trial.serve(once: "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\none\ntw")
            let response = try await trial.expectAnswer(to: streamed(server))
            guard let stream = response.stream else {
                trial.expect(response.body.elementsEqual("one\ntw".utf8), "the body is another one")
                return
            }
            var text = ""
            while let chunk = try await stream.next() { text += String(decoding: chunk, as: UTF8.self) }
            trial.expect(text == "one\ntw", "the body was \(text)")
        },
        Check(
            "refused-stream",
            "A response that is not a success has its body in memory, even if the request asks for a stream.",
            because: "Contracts recognize errors by the body."
        ) { trial in
            let server = try trial.serve(once: message("422 Unprocessable Content", "", "why"))
            try await trial.expectAnswer(to: streamed(server), status: 422, body: "why")
        },
        Check(
            "abandoned-stream", "A streamed response that is not read to its end closes its connection.",
            because: "The server would go on sending for a screen that is already closed."
        ) { trial in
            for isCancelled in [true, false] {
                let isClosed = Signal<Bool>()
                let server = try trial.serve { connection, _ in
                    guard connection.readRequest() != nil else { return }
                    connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
                    isClosed.give(connection.isClosedByClient(within: 20))
                }
                let running = trial.start(streamed(server))
                do {
                    guard case .answer(let response) = await running.takeOutcome(within: .seconds(2)),
                        let stream = response.stream
                    else { return running.cancel() }
                    _ = try await stream.next()
                    if isCancelled { stream.cancel() }
                }
                trial.expect(await isClosed.wait() == true, "the connection stays open")
            }
        },
        Check(
            "slow-reader",
            "If a streamed response is read slowly, the transport slows the server down or ends as `oversized`, and does not collect the data.",
            because: reason, measuresMemory: true
        ) { trial in
            let memory = MemoryWatch()
            let server = try trial.serve { connection, _ in
                guard connection.readRequest() != nil else { return }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(512 << 20)\r\n\r\n")
                for _ in 0..<(512 << 4) where !connection.write(block) { return }
            }
            guard case .answer(let response) = await trial.outcome(of: streamed(server)), let stream = response.stream
            else { return }
            _ = try await stream.next()
            // The server continues until it is stopped.
            try? await Task.sleep(for: .seconds(2))
            stream.cancel()
            let growth = memory.stop()
            trial.expect(growth < 128 << 20, "the memory grew by \(growth >> 20) MB")
        },
        Check(
            "large-stream",
            "A streamed response that is read at varying speed arrives complete, byte for byte.",
            because: "A transport that slows the server down has to resume each time."
        ) { trial in
            let body = pattern(12 << 20)
            let server = try trial.serve { connection, _ in
                guard connection.readRequest() != nil else { return }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
                var sent = 0
                for size in [1, 100, 5_000, 70_000, 900_000] + Array(repeating: 1 << 20, count: 12) {
                    guard connection.write(Array(body[sent...].prefix(size))) else { return }
                    sent = min(sent + size, body.count)
                }
            }
            let response = try await trial.expectAnswer(to: streamed(server))
            guard let stream = response.stream else {
                trial.expect(response.body == body, "the body is another one")
                return
            }
            var received: [UInt8] = []
            var pauses = 0
            while let chunk = try await stream.next() {
                received += chunk
                guard received.count >> 20 > pauses else { continue }
                pauses += 1
                if pauses % 3 == 0 { try? await Task.sleep(for: .milliseconds(50)) }
            }
            trial.expect(received == body, "\(received.count) bytes came that are not those that were sent")
        },
        Check(
            "streamed-request", "A streamed body of known length is sent with its length, byte for byte.",
            because: "Servers find the end of a body by its length."
        ) { trial in
            guard trial.transport.streamsRequestBodies else { return }
            let body = pattern(3 << 20)
            let sent = try await send(.replayable(length: body.count) { Chunks(of: body, size: 100_003) }, trial)
            trial.expect(sent.head.lowercased().contains("content-length: \(body.count)\r\n"), "the length is missing")
            trial.expect(
                Array(sent.body) == body, "\(sent.body.count) bytes came that are not those that were sent")
        },
        Check(
            "streamed-request-without-length", "A streamed body of unknown length is sent in chunks.",
            because: "Without chunks, the server could not find the end of the body."
        ) { trial in
            guard trial.transport.streamsRequestBodies else { return }
            let sent = try await send(.stream(Chunks(of: pattern(300_000), size: 70_001)), trial)
            let head = sent.head.lowercased()
            trial.expect(head.contains("transfer-encoding: chunked"), "it is not sent in chunks")
            trial.expect(!head.contains("content-length"), "it has a length, too")
        },
        Check(
            "broken-source",
            "If a streamed body ends early, is too long, or fails, the fault is `requestBody`, and the server does not get a complete request.",
            because: "The server would take half of a file for all of it."
        ) { trial in
            guard trial.transport.streamsRequestBodies else { return }
            for length in [200_000, 50_000] {
                let isWhole = Signal<Bool>()
                let server = try trial.serve { connection, _ in isWhole.give(connection.readRequest() != nil) }
                let body = BodySource.replayable(length: length) { Chunks(of: pattern(100_000), size: 60_000) }
                let request = TransportRequest(
                    method: .post, url: server.url, timeout: .seconds(10), isRepeatable: false, streamedBody: body)
                try await trial.expectFault(of: request, [.requestBody], [.sent, .notSent])
                trial.expect(await isWhole.wait() != true, "a whole request came")
            }
        },
        Check(
            "changed-file",
            "If the file of a body changes while it is sent, the fault is `requestBody` with the reason, and the server does not get a complete request.",
            because: "The server would take the halves of two files for one."
        ) { trial in
            guard trial.transport.streamsRequestBodies else { return }
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: url) }
            try Data().write(to: url)
            let file = try FileHandle(forWritingTo: url)
            // More than the system's buffers hold.
            try file.truncate(atOffset: 48 << 20)
            let isWhole = Signal<Bool>()
            let server = try trial.serve { connection, _ in
                guard connection.readPart(1) else { return isWhole.give(false) }
                try? file.write(contentsOf: Data([1]))
                isWhole.give(connection.readRequest() != nil)
            }
            let request = TransportRequest(
                method: .post, url: server.url, timeout: .seconds(20), isRepeatable: false,
                streamedBody: try .file(at: url))
            let outcome = await trial.outcome(of: request)
            try trial.expectFault(outcome, [.requestBody], [.sent])
            if case .fault(let fault) = outcome {
                let problem = fault.underlying as? BodySourceError
                trial.expect(problem == .fileChanged, "the reason is \(problem.map { "\($0)" } ?? "not told")")
            }
            trial.expect(await isWhole.wait() != true, "a whole request came")
        },
        Check(
            "held-upload", "A streamed body is not read faster than it is sent.",
            because: "All of the body would be in memory, whatever its size."
        ) { trial in
            guard trial.transport.streamsRequestBodies else { return }
            let isOver = Signal<Bool>()
            let server = try trial.serve { connection, _ in
                _ = connection.readPart(1_000)
                isOver.block()
            }
            let taken = LockedState<Int> { 0 }
            let body = BodySource.replayable {
                Chunks(of: block, size: block.count, repeated: 4_096) { taken.withLock { $0 += block.count } }
            }
            let running = trial.start(
                TransportRequest(
                    method: .post, url: server.url, timeout: .seconds(30), isRepeatable: false, streamedBody: body))
            try? await Task.sleep(for: .seconds(1))
            running.cancel()
            _ = await running.outcome(within: .seconds(6))
            isOver.give(true)
            // The capacity of the system's buffers, with room to spare.
            trial.expect(taken.withLock { $0 } < 32 << 20, "\(taken.withLock { $0 } >> 20) MB were read ahead")
        },
    ]

    private static func streamed(_ server: RawServer) -> TransportRequest {
        TransportRequest(method: .get, url: server.url, timeout: .seconds(20), streamsResponse: true)
    }

    /// The part of a request with this body that a server reads.
    private static func send(
        _ body: BodySource, _ trial: TransportTrial
    ) async throws -> (head: String, body: ArraySlice<UInt8>) {
        let read = Signal<(bytes: [UInt8], headSize: Int)>()
        let server = try trial.serve { connection, _ in
            guard let message = connection.readMessage() else { return }
            read.give(message)
            connection.respond("200 OK")
        }
        let request = TransportRequest(
            method: .post, url: server.url, timeout: .seconds(20), isRepeatable: false, streamedBody: body)
        try await trial.expectAnswer(to: request)
        guard let message = await read.wait() else { throw TransportTrial.Abandoned() }
        let head = String(decoding: message.bytes[..<message.headSize], as: UTF8.self)
        return (head, message.bytes[message.headSize...])
    }
}

extension RunningRequest {
    /// The result, without keeping it: a response that is released has no other owner.
    func takeOutcome(within limit: Duration) async -> TransportTrial.Outcome {
        let outcome = await outcome(within: limit)
        forget()
        return outcome
    }
}

/// Bytes in chunks, as an app's async sequence gives them.
struct Chunks: AsyncSequence, Sendable {
    private let bytes: [UInt8]
    private let size: Int
    private let repeated: Int
    private let onTake: @Sendable () -> Void

    init(of bytes: [UInt8], size: Int, repeated: Int = 1, onTake: @escaping @Sendable () -> Void = {}) {
        self.bytes = bytes
        self.size = size
        self.repeated = repeated
        self.onTake = onTake
    }

    func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let chunks: Chunks
        private var start = 0
        private var round = 0

        fileprivate init(chunks: Chunks) { self.chunks = chunks }

        mutating func next() async -> [UInt8]? {
            if start >= chunks.bytes.count {
                round += 1
                start = 0
            }
            guard round < chunks.repeated, !chunks.bytes.isEmpty else { return nil }
            chunks.onTake()
            let end = Swift.min(start + chunks.size, chunks.bytes.count)
            defer { start = end }
            return Array(chunks.bytes[start..<end])
        }
    }
}
