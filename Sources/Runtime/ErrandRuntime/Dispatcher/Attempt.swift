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
        let (transport, compressor, isIntercepted) = (carrier ?? transport, compressor, isIntercepted)
        let ended = await self.limit(to: limit, in: turn) { () -> AttemptResult in
            do throws(TransportFault) {
                var request = request
                let isGathered = request.streamedBody != nil && !transport.streamsRequestBodies
                if isGathered { request = try await request.gathered() }
                // Interceptors see the uncompressed body, which is compressed after them. Most requests are not
                // compressed.
                if !isIntercepted, request.compression != nil { request = await request.compressed(with: compressor) }
                // Redirects are followed after the interceptors.
                let response =
                    isIntercepted ? try await transport.send(request) : try await request.sent(over: transport)
                if response.stream == nil || isWanted(response) { return .success(response) }
                return .success(try await response.gathered(upTo: request.maximumResponseSize))
            } catch {
                return .failure(error)
            }
        }
        return Self.named(ended, isCancelled: Task.isCancelled)
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
