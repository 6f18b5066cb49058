extension TransportRequest {
    /// The same request with its body compressed, if the contract asks for that. The body stays uncompressed, which any server
    /// understands, if there is no compressor, or if the body is too small, has a coding already or would not become smaller.
    func compressed(with compressor: (any BodyCompressor)?) async -> TransportRequest {
        guard let compression else { return self }
        var request = self
        request.compression = nil
        guard let compressor, headers["Content-Encoding"] == nil else { return request }
        if let body {
            guard !body.isEmpty, body.count >= compression.minimumSize else { return request }
            let source = BodySource.bytes(body).compressed(as: compression.coding, with: compressor)
            guard let packed = try? await source.gather(), packed.count < body.count else { return request }
            request.body = packed
        } else if let streamedBody {
            if let length = streamedBody.length, length < max(1, compression.minimumSize) { return request }
            request.streamedBody = streamedBody.compressed(as: compression.coding, with: compressor)
        } else {
            return request
        }
        request.headers.append("Content-Encoding", compression.coding.rawValue)
        return request
    }
}
