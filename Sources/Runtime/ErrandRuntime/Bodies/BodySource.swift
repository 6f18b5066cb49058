#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request body that is read while it is sent: from memory, from a file, or from an async sequence. No more than a few chunks
/// of it are in memory at a time.
///
///     try await photos.upload(body: .file(at: url))
///     try await photos.upload(body: .stream(recording, length: nil))
///
/// **Sent again.** Bytes, files and `replayable` sequences are read anew for each attempt. A `stream` can be read once. A
/// command that has begun to read a `stream` is not sent again, regardless of its effect, and fails with the failure of its
/// attempt.
public struct BodySource: Sendable {
    /// How many bytes it has, which becomes the `Content-Length`; nil if that is not known before the end, so that it is sent
    /// in chunks (RFC 9112 section 7.1). If the source gives another number of bytes, the attempt fails.
    public let length: Int?
    /// Whether it can be read more than once.
    public let isReplayable: Bool
    private let source: Source
    /// Finds a problem of the body before it is read; nil if nothing can be found then.
    private let check: Check?

    typealias Check = @Sendable () throws(BodySourceError) -> Void

    private enum Source: Sendable {
        case bytes([UInt8])
        case file(FileSnapshot)
        case sequence(@Sendable () -> ChunkIterator, OnceFlag?)
        case parts([BodySource])
    }

    /// The number of bytes in one chunk of a small file: 128 KiB. A smaller chunk costs more turns of a transport's loop.
    package static let smallestChunk = 128 << 10
    /// The number of bytes in one chunk of a large file: 512 KiB. A larger one is sent no faster.
    static let largestChunk = 512 << 10

    /// The number of bytes in one chunk of a file, or of bytes in memory. A large body has at least 64 chunks, so that a
    /// progress bar moves in small steps.
    static func chunkSize(ofBody length: Int) -> Int { min(max(length / 64, smallestChunk), largestChunk) }

    /// The number of bytes that a compressor takes at a time: 64 KiB.
    static let packedSize = 64 << 10

    private init(_ source: Source, length: Int?, isReplayable: Bool, _ check: Check? = nil) {
        self.source = source
        self.length = length
        self.isReplayable = isReplayable
        self.check = check
    }

    /// Bytes in memory.
    public static func bytes(_ bytes: [UInt8]) -> BodySource {
        BodySource(.bytes(bytes), length: bytes.count, isReplayable: true)
    }

    /// A file, which must not change until it is sent. A change ends the command as `bodyChanged`: other bytes are never sent.
    ///
    /// - Throws: `BodySourceError.unreadableFile` if the path isn't a regular file that can be read.
    public static func file(at url: URL) throws(BodySourceError) -> BodySource {
        let file = try FileSnapshot(path: url.path)
        return BodySource(.file(file), length: file.size, isReplayable: true) { () throws(BodySourceError) in
            _ = try file.open()
        }
    }

    /// Chunks of an async sequence, which is read once.
    ///
    /// - Parameters:
    ///   - chunks: is asked for a chunk when the connection takes it.
    ///   - length: the sum of all chunks in bytes, if it is known.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, length: Int? = nil
    ) -> BodySource where Chunks.Element == [UInt8] {
        BodySource(.sequence({ ChunkIterator(chunks) }, OnceFlag()), length: length, isReplayable: false)
    }

    /// Chunks of an async sequence that can be made anew for each attempt.
    ///
    /// - Parameter make: gives the same chunks each time that it is called.
    public static func replayable<Chunks: AsyncSequence & Sendable>(
        length: Int? = nil, _ make: @escaping @Sendable () -> Chunks
    ) -> BodySource where Chunks.Element == [UInt8] {
        BodySource(.sequence({ ChunkIterator(make()) }, nil), length: length, isReplayable: true)
    }

    /// Several bodies, one after the other.
    init(joining parts: [BodySource]) {
        var length: Int? = 0
        for part in parts {
            guard let known = length, let more = part.length else {
                length = nil
                break
            }
            let (sum, isOverflow) = known.addingReportingOverflow(more)
            length = isOverflow ? nil : sum
        }
        self.init(.parts(parts), length: length, isReplayable: parts.allSatisfy(\.isReplayable)) {
            () throws(BodySourceError) in
            for part in parts { try part.verify() }
        }
    }

    /// The same bytes, compressed while they are read. How many that will be is known at the end only.
    func compressed(as coding: BodyCompression.Coding, with compressor: any BodyCompressor) -> BodySource {
        BodySource(
            .sequence({ ChunkIterator(compressing: self, as: coding, with: compressor) }, nil), length: nil,
            isReplayable: isReplayable, check)
    }

    /// The same bytes, as another sequence gives them that reads this body.
    func passing<Chunks: AsyncSequence & Sendable>(through chunks: Chunks) -> BodySource
    where Chunks.Element == [UInt8] {
        BodySource(
            .sequence({ ChunkIterator(chunks) }, isReplayable ? nil : OnceFlag()), length: length,
            isReplayable: isReplayable, check)
    }

    /// Checks that a file is still what it was, so that an attempt with another one isn't begun.
    func verify() throws(BodySourceError) { try check?() }

    /// The whole body, if it is in memory anyway.
    var inMemory: [UInt8]? { if case .bytes(let bytes) = source { bytes } else { nil } }

    /// Whether it was begun to be read and cannot be read again.
    var isBodyConsumed: Bool {
        switch source {
        case .bytes, .file: false
        case .sequence(_, let once): once?.isSet ?? false
        case .parts(let parts): parts.contains(where: \.isBodyConsumed)
        }
    }

    /// Begins to read, for transports.
    ///
    /// - Throws: `BodySourceError.alreadyRead` if it was read before and can be read only once; problems of the file.
    public func makeReader() throws(BodySourceError) -> BodySourceReader {
        BodySourceReader(try makeChunks(), length: length)
    }

    private func makeChunks() throws(BodySourceError) -> ChunkIterator {
        switch source {
        case .bytes(let bytes): return ChunkIterator(bytes)
        case .file(let file): return ChunkIterator(try file.open(), size: file.size)
        case .sequence(let make, let once):
            if let once, !once.set() { throw .alreadyRead }
            return make()
        case .parts(let parts):
            // The next one is opened when its turn comes, so that one file is open at a time.
            var rest = parts[...]
            var current: ChunkIterator?
            return ChunkIterator { () async throws(BodySourceError) -> [UInt8]? in
                while true {
                    if let chunk = try await current?.next() { return chunk }
                    guard let part = rest.popFirst() else { return nil }
                    current = ChunkIterator(try part.makeReader())
                }
            }
        }
    }
}

extension BodySource: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The size, not the bytes.
    public var description: String { length.map { "\($0) bytes" } ?? "a body of unknown length" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["length": length as Any, "isReplayable": isReplayable], displayStyle: .struct)
    }
}

/// Why the body of a request could not be read to its end.
public enum BodySourceError: Error, Sendable, Hashable {
    /// The path isn't a regular file, or the file cannot be read.
    case unreadableFile
    /// The file is not what it was when the body was made.
    case fileChanged
    /// The source gave more or fewer bytes than its length.
    case wrongLength
    /// It can be read once, and was.
    case alreadyRead
    /// The async sequence threw an error.
    case sourceFailed
    /// The transport takes bodies in memory only, and this one is larger than 64 MiB.
    case tooLargeForTransport
    /// The compressor has no memory, or no longer knows the content coding.
    case compressionFailed
}

extension BodySourceError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadableFile: "must be a regular file that can be read"
        case .fileChanged: "must not change while it is sent"
        case .wrongLength: "must have as many bytes as its length says"
        case .alreadyRead: "can be read once, and was"
        case .sourceFailed: "must be read without an error"
        case .tooLargeForTransport: "must be 64 MiB or less with a transport that does not stream"
        case .compressionFailed: "must be compressed without an error"
        }
    }
}

/// Whether something that may happen once has happened.
private final class OnceFlag: Sendable {
    private let state = LockedState { false }

    var isSet: Bool { state.withLock { $0 } }

    /// False if it was set before.
    func set() -> Bool {
        state.withLock { isSet in
            defer { isSet = true }
            return !isSet
        }
    }
}
