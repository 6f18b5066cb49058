/// Reads a request body once, chunk by chunk. Used by one task.
public struct BodySourceReader {
    private var chunks: ChunkIterator
    private let length: Int?
    private var count = 0

    init(_ chunks: ChunkIterator, length: Int?) {
        self.chunks = chunks
        self.length = length
    }

    /// The next bytes, never none of them; nil after the last.
    ///
    /// - Throws: if the source can't be read, or has another length than it declared. No chunk exceeds the length.
    public mutating func next() async throws(BodySourceError) -> [UInt8]? {
        while let chunk = try await chunks.next() {
            if chunk.isEmpty { continue }
            count += chunk.count
            if let length, count > length { throw .wrongLength }
            return chunk
        }
        if let length, count != length { throw .wrongLength }
        return nil
    }
}

/// Gives the chunks of a body, regardless of their source.
struct ChunkIterator {
    private let advance: () async throws(BodySourceError) -> [UInt8]?

    init(_ advance: @escaping () async throws(BodySourceError) -> [UInt8]?) { self.advance = advance }

    init<Chunks: AsyncSequence>(_ chunks: Chunks) where Chunks.Element == [UInt8] {
        var iterator = chunks.makeAsyncIterator()
        self.init { () async throws(BodySourceError) -> [UInt8]? in
            do { return try await iterator.next() } catch { throw error as? BodySourceError ?? .sourceFailed }
        }
    }

    init(_ bytes: [UInt8]) {
        let size = BodySource.chunkSize(ofBody: bytes.count)
        var rest = bytes[...]
        self.init { () async throws(BodySourceError) -> [UInt8]? in
            guard !rest.isEmpty else { return nil }
            let chunk = bytes.count <= size ? bytes : Array(rest.prefix(size))
            rest = rest.dropFirst(chunk.count)
            return chunk
        }
    }

    init(_ file: OpenFile, size: Int) {
        let size = BodySource.chunkSize(ofBody: size)
        self.init { () async throws(BodySourceError) -> [UInt8]? in try file.read(upTo: size) }
    }

    init(_ reader: BodySourceReader) {
        var reader = reader
        self.init { () async throws(BodySourceError) -> [UInt8]? in try await reader.next() }
    }

    func next() async throws(BodySourceError) -> [UInt8]? { try await advance() }
}

extension BodySource {
    /// The most bytes that are gathered for a transport that takes bodies in memory only.
    static let largestGathered = 64 << 20

    /// All of it, in memory.
    func gather() async throws(BodySourceError) -> [UInt8] {
        if let length, length > Self.largestGathered { throw .tooLargeForTransport }
        var reader = try makeReader()
        var bytes: [UInt8] = []
        if let length { bytes.reserveCapacity(length) }
        while let chunk = try await reader.next() {
            guard chunk.count <= Self.largestGathered - bytes.count else { throw .tooLargeForTransport }
            bytes += chunk
        }
        return bytes
    }
}
