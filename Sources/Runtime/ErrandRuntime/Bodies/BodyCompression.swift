/// Which content coding the bodies of an endpoint's requests get (RFC 9110 section 8.4), and from which size on.
public struct BodyCompression: Sendable, Hashable {
    /// A content coding, as `Content-Encoding` names it.
    public enum Coding: String, Sendable, CaseIterable {
        /// RFC 1952.
        case gzip
    }

    public let coding: Coding
    /// The size in bytes below which a body is not compressed, if its size is known.
    public let minimumSize: Int

    /// Gzip, for bodies of `minimumSize` bytes or more. A smaller body fits into one packet uncompressed.
    public static func gzip(minimumSize: Int = 1_024) -> BodyCompression {
        BodyCompression(coding: .gzip, minimumSize: minimumSize)
    }
}

/// Compresses the bodies of requests that the contract declares as compressed (`compression`). The product
/// `ErrandCompression` has one over zlib.
public protocol BodyCompressor: Sendable {
    /// Begins one body.
    ///
    /// - Returns: nil if the compressor doesn't know the coding or has no memory.
    func begin(_ coding: BodyCompression.Coding) -> (any BodyCompressionStream)?
}

/// Compresses one body, a part after the other. Used by one task.
public protocol BodyCompressionStream: AnyObject {
    /// Takes the next bytes, 64 KiB at most, and gives what can be sent by now, which may be nothing.
    func append(_ bytes: ArraySlice<UInt8>) throws(BodySourceError) -> [UInt8]

    /// Gives the rest, after the last bytes. Called once.
    func finish() throws(BodySourceError) -> [UInt8]
}

extension ChunkIterator {
    /// The bytes of a body, compressed as they are read: no more than a chunk of it is in memory.
    init(compressing body: BodySource, as coding: BodyCompression.Coding, with compressor: any BodyCompressor) {
        var source: (reader: BodySourceReader, stream: any BodyCompressionStream)?
        var rest: ArraySlice<UInt8> = []
        var isOver = false
        self.init { () async throws(BodySourceError) -> [UInt8]? in
            if isOver { return nil }
            if source == nil {
                guard let stream = compressor.begin(coding) else { throw .compressionFailed }
                source = (try body.makeReader(), stream)
            }
            while let stream = source?.stream {
                if rest.isEmpty {
                    guard let chunk = try await source?.reader.next() else {
                        isOver = true
                        return try stream.finish()
                    }
                    rest = chunk[...]
                }
                // A large body in memory takes seconds.
                if Task.isCancelled { throw .sourceFailed }
                let piece = rest.prefix(BodySource.packedSize)
                rest = rest.dropFirst(piece.count)
                let packed = try stream.append(piece)
                if !packed.isEmpty { return packed }
            }
            return nil
        }
    }
}
