extension TransportRequest {
    /// The same request with its body compressed, if the contract asks for that. The body stays uncompressed, which any server
    /// understands, if there is no compressor, or if the body is too small, has a coding already or would not become smaller.
    @inline(never)
    func compressed(with compressor: (any BodyCompressor)?) async -> TransportRequest {
        switch packing(with: compressor) {
        case .none: return uncompressed
        case .stream(let source): return streaming(source)
        case .memory(let source): return holding(try? await source.gather())
        }
    }

    /// How a body is compressed.
    private enum Packing {
        case none
        case stream(BodySource)
        /// Before it is sent, because one that would not become smaller stays as it is.
        case memory(BodySource)
    }

    @inline(never)
    private func packing(with compressor: (any BodyCompressor)?) -> Packing {
        guard let compression, let compressor, headers["Content-Encoding"] == nil else { return .none }
        if let body {
            guard !body.isEmpty, body.count >= compression.minimumSize else { return .none }
            return .memory(BodySource.bytes(body).compressed(as: compression.coding, with: compressor))
        }
        guard let streamedBody else { return .none }
        if let length = streamedBody.length, length < max(1, compression.minimumSize) { return .none }
        return .stream(streamedBody.compressed(as: compression.coding, with: compressor))
    }

    private var uncompressed: TransportRequest {
        @inline(never) get {
            var request = self
            request.compression = nil
            return request
        }
    }

    @inline(never)
    private func streaming(_ source: BodySource) -> TransportRequest {
        var request = uncompressed
        request.streamedBody = source
        if let compression { request.headers.append("Content-Encoding", compression.coding.rawValue) }
        return request
    }

    /// - Parameter packed: nil if it could not be compressed.
    @inline(never)
    private func holding(_ packed: [UInt8]?) -> TransportRequest {
        var request = uncompressed
        guard let packed, let body, packed.count < body.count else { return request }
        request.body = packed
        if let compression { request.headers.append("Content-Encoding", compression.coding.rawValue) }
        return request
    }
}
