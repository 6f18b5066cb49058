extension TransportRequest {
    /// Whether it has a body, in memory or streamed.
    public var hasBody: Bool { body != nil || streamedBody != nil }

    /// The same request with its body in memory, for a transport that does not stream.
    package func gathered() async throws(TransportFault) -> TransportRequest {
        guard let streamedBody else { return self }
        var request = self
        do throws(BodySourceError) {
            request.body = try await streamedBody.gather()
        } catch {
            throw TransportFault(.requestBody, evidence: .notSent, underlying: error)
        }
        request.streamedBody = nil
        return request
    }
}

extension TransportRequest {
    /// Whether a response of this status is handed over with its head.
    package func streamsResponse(ofStatus status: Int) -> Bool { streamsResponse && (200..<300).contains(status) }
}

extension TransportResponse {
    /// The same with all of its body in memory.
    ///
    /// - Throws: `oversized` if it is longer than `limit` bytes.
    public func gathered(upTo limit: Int) async throws(TransportFault) -> TransportResponse {
        guard let stream else { return self }
        var collector = ByteCollector(expectedSize: headers["Content-Length"].flatMap { Int($0) }, limit: limit)
        while let chunk = try await stream.next() {
            guard collector.append(chunk) else {
                stream.cancel()
                throw TransportFault(.oversized, evidence: .responded)
            }
        }
        var whole = self
        (whole.body, whole.stream) = (collector.finish(), nil)
        return whole
    }
}
