extension Dispatcher {
    /// Makes one attempt, and ends it when its time is over or the task is cancelled. Even then this method waits for the
    /// transport, since only the transport knows how far the attempt got.
    ///
    /// - Parameters:
    ///   - carrier: sends the request in place of the dispatcher's transport.
    ///   - turn: over when the transport has the request, or an interceptor that waits for something.
    ///   - isWanted: whether a response head announces a body that the command reads itself. All other responses are waited for as
    ///     a whole, within the same time.
    func attempt(
        _ request: TransportRequest, over carrier: (any Transport)? = nil, limit: Duration, turn: GateTurn? = nil,
        isWanted: @escaping @Sendable (TransportResponse) -> Bool
    ) async -> AttemptResult {
        let sending = RequestSending(
            request: request, transport: carrier ?? transport, compressor: compressor, isIntercepted: isIntercepted,
            isWanted: isWanted)
        return Self.named(
            await self.limit(to: limit, in: turn) { await sending.result() }, isCancelled: Task.isCancelled)
    }

    /// The result of an attempt that had a time limit. Cancelling looks like many things to a transport. It is called what it is.
    @inline(__always)
    static func named(
        _ ended: (value: AttemptResult?, isTimeOver: Bool), isCancelled: @autoclosure () -> Bool
    ) -> AttemptResult {
        guard case .failure(let fault)? = ended.value else {
            return ended.value ?? .failure(TransportFault(.lost, evidence: .sent))
        }
        if isCancelled() { return .failure(TransportFault(.cancelled, evidence: fault.evidence)) }
        if ended.isTimeOver { return .failure(TransportFault(.timeout, evidence: fault.evidence)) }
        return .failure(fault)
    }
}

/// What one attempt sends. An object with a function for each step: a request under way has frames for the steps that it needs, and not
/// room for all of them in one frame.
private final class RequestSending: Sendable {
    private let request: TransportRequest
    private let transport: any Transport
    private let compressor: (any BodyCompressor)?
    private let isIntercepted: Bool
    private let isWanted: @Sendable (TransportResponse) -> Bool

    init(
        request: TransportRequest, transport: any Transport, compressor: (any BodyCompressor)?, isIntercepted: Bool,
        isWanted: @escaping @Sendable (TransportResponse) -> Bool
    ) {
        self.request = request
        self.transport = transport
        self.compressor = compressor
        self.isIntercepted = isIntercepted
        self.isWanted = isWanted
    }

    @inline(never)
    func result() async -> AttemptResult {
        do throws(TransportFault) {
            let response = isPlain ? try await send(request) : try await sendPrepared()
            if response.stream == nil || isWanted(response) { return .success(response) }
            return .success(try await response.gathered(upTo: request.maximumResponseSize))
        } catch {
            return .failure(error)
        }
    }

    private var isGathered: Bool { request.streamedBody != nil && !transport.streamsRequestBodies }
    /// Interceptors see the uncompressed body, which is compressed after them.
    private var isCompressed: Bool { !isIntercepted && request.compression != nil }
    private var isPlain: Bool { !isGathered && !isCompressed }

    @inline(never)
    private func sendPrepared() async throws(TransportFault) -> TransportResponse {
        if isGathered { return try await sendGathered() }
        return try await send(await request.compressed(with: compressor))
    }

    @inline(never)
    private func sendGathered() async throws(TransportFault) -> TransportResponse {
        let gathered = try await request.gathered()
        if isCompressed { return try await send(await gathered.compressed(with: compressor)) }
        return try await send(gathered)
    }

    /// Redirects are followed after the interceptors.
    @inline(never)
    private func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        if isIntercepted { try await transport.send(request) } else { try await request.sent(over: transport) }
    }
}
