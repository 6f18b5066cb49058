#if AsyncHTTPClient
import AsyncHTTPClient
import ErrandJSON
import ErrandRuntime
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOHTTPCompression

/// One request under way, and the state of its response. The client reports all of its events on one event loop.
final class Exchange: HTTPClientResponseDelegate {
    typealias Response = TransportResponse
    private typealias Completion = CheckedContinuation<Result<TransportResponse, TransportFault>, Never>

    private struct State {
        var task: HTTPClient.Task<TransportResponse>?
        var isCancelled = false
        var isHeadSent = false
        var head: HTTPResponseHead?
        var body: ByteCollector
        /// The announced size of the body; nil without one, and for a body that is coded.
        var announced: Int?
        /// The body of a response whose head was handed over.
        var stream: StreamedBodyBuffer?
        /// What arrived of it in this turn of the event loop. The reader gets it at the end of the turn, so that it is woken once.
        var gathered = GatheredParts()
        /// The promise that succeeds when the reader has room again.
        var room: EventLoopPromise<Void>?
        /// Nil once the response, or its head, was handed over.
        var completion: Completion?
        /// Reads the body of the request.
        var upload: Task<Void, Never>?
        /// Ends a request if its streamed response doesn't begin in time.
        var timer: Scheduled<Void>?

        var isBodyComplete: Bool { stream == nil && announced == body.count }
    }

    /// Ends an exchange from inside.
    private enum End: Error {
        case oversized, redirect
        /// The body has several content codings. The client unpacks only the first one, which wasn't the last one that the server
        /// applied.
        case severalCodings
    }

    /// The size up to which a body in memory is handed to the client at once: 16 KiB. If a server responds to a part of a larger one
    /// and closes, the client would report the end of the connection in place of the response, because it counts the request as
    /// sent before it is written. A streamed body is written chunk by chunk.
    private static let wholeSize = 16 << 10
    /// The number of bytes that a reader is woken for, plus or minus a part: 256 KiB.
    private static let largestDelivery = 256 << 10

    private let request: TransportRequest
    private let trust: ServerTrust
    private let stopsAtRedirects: Bool
    private let proxy: Proxy?
    private let eventLoop: any EventLoop
    /// Retained for as long as a response is under way.
    private let owner: AsyncHTTPClientTransport
    private let state: NIOLockedValueBox<State>

    /// - Parameters:
    ///   - stopsAtRedirects: whether the client might follow a redirect by itself, with all headers, and must be stopped.
    ///   - proxy: what the client connects to; nil for the server.
    init(
        _ request: TransportRequest, _ trust: ServerTrust, stopsAtRedirects: Bool, over proxy: Proxy?,
        on eventLoop: any EventLoop, holding owner: AsyncHTTPClientTransport
    ) {
        self.request = request
        self.trust = trust
        self.stopsAtRedirects = stopsAtRedirects
        self.proxy = proxy
        self.eventLoop = eventLoop
        self.owner = owner
        state = NIOLockedValueBox(State(body: ByteCollector(limit: request.maximumResponseSize)))
    }

    /// The body of the request. A streamed body is read as fast as the connection takes it: one chunk is read while the one
    /// before is written.
    func makeBody() -> HTTPClient.Body? {
        if let bytes = request.body, bytes.count <= Self.wholeSize { return .byteBuffer(ByteBuffer(bytes: bytes)) }
        guard let body = request.streamedBody ?? request.body.map(BodySource.bytes) else { return nil }
        return .stream(contentLength: body.length.map(Int64.init)) { [self] writer in
            let promise = eventLoop.makePromise(of: Void.self)
            let upload = Task {
                do {
                    var reader = try body.makeReader()
                    var written: EventLoopFuture<Void>?
                    while let chunk = try await reader.next() {
                        try await written?.get()
                        written = writer.write(.byteBuffer(ByteBuffer(bytes: chunk)))
                    }
                    try await written?.get()
                    promise.succeed()
                } catch {
                    promise.fail(error)
                }
            }
            let isOver = state.withLockedValue { state in
                state.upload = upload
                return state.isCancelled
            }
            if isOver { upload.cancel() }
            return promise.futureResult
        }
    }

    /// - Parameter isDemanding: whether the connection has to be on the loop too, even if another connection is idle.
    func carryOut(
        _ prepared: HTTPClient.Request, over client: HTTPClient, isDemanding: Bool, until deadline: NIODeadline
    ) async -> Result<TransportResponse, TransportFault> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The request starts from the event loop, so a cancellation comes either before it or after it.
                eventLoop.execute { [self] in
                    guard !state.withLockedValue({ $0.isCancelled }) else {
                        return continuation.resume(
                            returning: .failure(TransportFault(.cancelled, evidence: .notSent)))
                    }
                    state.withLockedValue { $0.completion = continuation }
                    let task = client.execute(
                        request: prepared, delegate: self,
                        eventLoop: isDemanding ? .delegateAndChannel(on: eventLoop) : .delegate(on: eventLoop),
                        deadline: request.streamsResponse ? nil : deadline)
                    task.futureResult.whenComplete { self.finish($0) }
                    if request.streamsResponse { setTimer(deadline, task) }
                    let isCancelled = state.withLockedValue { state in
                        if state.completion != nil { state.task = task }
                        return state.isCancelled
                    }
                    if isCancelled { task.cancel() }
                }
            }
        } onCancel: {
            cancel()
        }
    }

    private func setTimer(_ deadline: NIODeadline, _ task: HTTPClient.Task<TransportResponse>) {
        let timer = eventLoop.scheduleTask(deadline: deadline) { task.fail(reason: HTTPClientError.deadlineExceeded) }
        let isOver = state.withLockedValue { state in
            state.timer = timer
            return state.completion == nil
        }
        if isOver { timer.cancel() }
    }

    private func cancel() {
        let task = state.withLockedValue { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    private func finish(_ result: Result<TransportResponse, any Error>) {
        deliver(isLast: true)
        let state = state.withLockedValue { state in
            defer {
                // The closure retains this exchange.
                (state.task, state.completion, state.upload, state.timer) = (nil, nil, nil, nil)
            }
            return state
        }
        state.timer?.cancel()
        state.upload?.cancel()
        let outcome = outcome(result, state)
        if let completion = state.completion { return completion.resume(returning: outcome) }
        if case .failure(let fault) = outcome { state.stream?.finish(fault) } else { state.stream?.finish() }
    }

    private func outcome(
        _ result: Result<TransportResponse, any Error>, _ state: State
    ) -> Result<TransportResponse, TransportFault> {
        switch (result, state.head) {
        case (.success(let response), _): return .success(response)
        case (.failure(End.redirect), let head?): return .success(TransportResponse(head, body: []))
        case (.failure(let error as NIOHTTPDecompression.ExtraDecompressionError), let head?)
        where error == .truncatedData && isWithoutBody(head):
            return .success(TransportResponse(head, body: []))
        case (.failure(End.severalCodings), _): return .failure(TransportFault(.unreadable, evidence: .responded))
        case (.failure(let error), _):
            if error is End || state.body.isPastLimit {
                return .failure(TransportFault(.oversized, evidence: .responded))
            }
            // A response begins only after the server has accepted the certificate.
            if state.head == nil,
                let problem = trust.certificateProblem(error, of: request.url, isSent: state.isHeadSent)
            {
                return .failure(TransportFault(problem, isSent: state.isHeadSent))
            }
            let fault = TransportFault(
                error, isHeadSent: state.isHeadSent || state.head != nil, isAnswered: state.head != nil,
                isCancelled: state.isCancelled, isPlain: request.url.prefix(5).lowercased() == "http:", proxy: proxy)
            // The server has responded to a part of the body, and closed.
            if fault.kind == .lost, let head = state.head, state.isBodyComplete {
                return .success(TransportResponse(head, body: state.body.finish()))
            }
            return .failure(fault)
        }
    }

    /// Whether a response has no body, whatever its head says of one (RFC 9112 section 6.3). The client then misses the end of a coded
    /// body.
    private func isWithoutBody(_ head: HTTPResponseHead) -> Bool {
        request.method == .head || [204, 304].contains(head.status.code)
            || head.headers.first(name: "Content-Length") == "0"
    }

    // MARK: The client's reports

    func didSendRequestHead(task: HTTPClient.Task<TransportResponse>, _ head: HTTPRequestHead) {
        state.withLockedValue { $0.isHeadSent = true }
    }

    func didVisitURL(
        task: HTTPClient.Task<TransportResponse>, _ request: HTTPClient.Request, _ head: HTTPResponseHead
    ) {
        guard stopsAtRedirects, (300..<400).contains(head.status.code), head.headers.contains(name: "Location")
        else {
            return
        }
        state.withLockedValue { $0.head = head }
        task.fail(reason: End.redirect)
    }

    func didReceiveHead(task: HTTPClient.Task<TransportResponse>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        if request.method != .head, head.headers[canonicalForm: "Content-Encoding"].count > 1 {
            return task.eventLoop.makeFailedFuture(End.severalCodings)
        }
        if request.streamsResponse(ofStatus: Int(head.status.code)) {
            handOver(head)
            return task.eventLoop.makeSucceededVoidFuture()
        }
        // The body that the response to a HEAD announces is not sent.
        let announced =
            request.method == .head ? nil : head.headers.first(name: "Content-Length").flatMap { Int($0) }
        state.withLockedValue { state in
            state.head = head
            state.announced = head.headers.contains(name: "Content-Encoding") ? nil : announced
            state.body = ByteCollector(expectedSize: announced, limit: request.maximumResponseSize)
        }
        if let announced, announced > request.maximumResponseSize {
            return task.eventLoop.makeFailedFuture(End.oversized)
        }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    /// Hands the response to its caller, with a body that is still to come.
    private func handOver(_ head: HTTPResponseHead) {
        let stream = StreamedBodyBuffer()
        // The transport shuts its client down when it is released, so it is retained until the response has ended.
        stream.onCancel { [self, owner] in withExtendedLifetime(owner) { cancel() } }
        let (completion, timer) = state.withLockedValue { state in
            state.head = head
            state.stream = stream
            defer { (state.completion, state.timer) = (nil, nil) }
            return (state.completion, state.timer)
        }
        timer?.cancel()
        completion?.resume(returning: .success(TransportResponse(head, body: [], stream: stream.makeBody())))
    }

    func didReceiveBodyPart(task: HTTPClient.Task<TransportResponse>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        let (isTaken, isFirst, isMuch) = state.withLockedValue { state in
            guard state.stream != nil else {
                return (buffer.withUnsafeReadableBytes { state.body.append($0) }, false, false)
            }
            let isFirst = state.gathered.isEmpty
            state.gathered.append(buffer)
            return (true, isFirst, state.gathered.size >= Self.largestDelivery)
        }
        if isMuch { deliver() } else if isFirst { eventLoop.execute { self.deliver() } }
        if !isTaken { return task.eventLoop.makeFailedFuture(End.oversized) }
        // The client continues to read when this future succeeds.
        return state.withLockedValue { $0.room }?.futureResult ?? task.eventLoop.makeSucceededVoidFuture()
    }

    /// Gives the received bytes of a streamed response to its reader when it has room. Called on the event loop.
    private func deliver(isLast: Bool = false) {
        let (stream, gathered, full) = state.withLockedValue {
            state -> (StreamedBodyBuffer?, GatheredParts, EventLoopPromise<Void>?) in
            guard isLast || state.room == nil else { return (nil, GatheredParts(), nil) }
            defer { state.gathered = GatheredParts() }
            return (state.stream, state.gathered, state.room)
        }
        guard let stream, !gathered.isEmpty else { return }
        let room = full ?? eventLoop.makePromise(of: Void.self)
        if stream.push(gathered.chunk, orWait: { room.succeed() }) { return room.succeed() }
        guard full == nil else { return }
        state.withLockedValue { $0.room = room }
        room.futureResult.whenSuccess { [self] in
            state.withLockedValue { $0.room = nil }
            deliver()
        }
    }

    func didFinishRequest(task: HTTPClient.Task<TransportResponse>) throws -> TransportResponse {
        let state = state.withLockedValue { $0 }
        guard let head = state.head else { throw HTTPParserError.invalidEOFState }
        return TransportResponse(head, body: state.body.finish())
    }
}

/// Parts of a body on their way to its reader.
private struct GatheredParts {
    /// The size below which a part is copied after the one before it: 4 KiB. A large part stays in the buffer in which the
    /// connection received it. Small ones would each cost the reader a turn, and could each retain a large buffer.
    private static let copiedSize = 4 << 10

    private var parts: [ByteBuffer] = []
    /// The number of bytes in all parts.
    private(set) var size = 0

    var isEmpty: Bool { parts.isEmpty }

    mutating func append(_ part: ByteBuffer) {
        guard part.readableBytes > 0 else { return }
        size += part.readableBytes
        if part.readableBytes >= Self.copiedSize { return parts.append(part) }
        if parts.isEmpty { parts.append(ByteBuffer()) }
        parts[parts.count - 1].writeImmutableBuffer(part)
    }

    /// The parts as one chunk, because each chunk costs its readers switches of threads. The reader makes the array, so that the
    /// event loop can read on meanwhile.
    var chunk: StreamedBodyBuffer.Chunk {
        StreamedBodyBuffer.Chunk(size: size) { [parts, size] in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(size)
            for part in parts { part.withUnsafeReadableBytes { bytes.append(contentsOf: $0) } }
            return bytes
        }
    }
}

extension TransportResponse {
    fileprivate init(_ head: HTTPResponseHead, body: [UInt8], stream: StreamedBody? = nil) {
        let isReused = head.headers.contains(name: ReusedConnectionMark.name)
        let fields = head.headers.map { HTTPHeaders.Field($0.name, $0.value) }
        self.init(
            status: Int(head.status.code),
            headers: HTTPHeaders(isReused ? fields.filter { $0.name != ReusedConnectionMark.name } : fields),
            body: body,
            stream: stream, isReusedConnection: isReused)
    }
}
#endif
