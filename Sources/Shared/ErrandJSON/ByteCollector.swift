/// Assembles a document that arrives in chunks, and copies each byte at most once.
///
/// With an expected size, the bytes go directly into the final array. Without one, the chunks are kept without a copy, and are
/// joined once at the end, which needs memory for two documents at that moment. A single `[UInt8]` is returned unchanged. The
/// expected size is a claim of the other side. For any claim, all bytes are returned. At most `largestReservation` bytes are
/// reserved because of it alone; for a larger document, a sixteenth of it has to arrive first. A wrong claim costs a second copy.
///
///     var collector = ByteCollector(expectedSize: contentLength, limit: 10_000_000)
///     for chunk in chunks where !collector.append(chunk) { return .oversized }
///     let account = try JSON.scan(collector.finish(), Account.load)
public struct ByteCollector: Sendable {
    /// The largest expected size, in bytes, for which room is made before the bytes are there: 16 MiB.
    public static let largestReservation = 1 << 24

    /// How many bytes may arrive in all.
    public let limit: Int
    /// How many bytes have arrived; 0 past the limit.
    public private(set) var count = 0
    /// Whether more bytes came than allowed. The collected bytes are then released, and `finish` returns nothing.
    public private(set) var isPastLimit = false

    /// How many bytes go straight into the final array; 0 if the size isn't known.
    private let expectedSize: Int
    /// The final array, as far as it has come.
    private var joined: [UInt8] = []
    /// The chunks after that, or all of them before room is made.
    private var kept: [any Collection<UInt8> & Sendable] = []

    /// - Parameters:
    ///   - expectedSize: how many bytes the sender announced (`Content-Length`, RFC 9110 section 8.6), if
    ///     it did. No value does harm.
    ///   - limit: how many bytes are allowed.
    public init(expectedSize: Int? = nil, limit: Int = .max) {
        self.limit = max(0, limit)
        let size = expectedSize ?? 0
        let isBelieved = size > 0 && size <= self.limit
        self.expectedSize = isBelieved ? size : 0
    }

    /// Takes a chunk: `[UInt8]`, `Data`, or a slice of one. Borrowed memory isn't a `Sendable` collection; see below for it.
    ///
    /// - Returns: false if there are more bytes than allowed. Further chunks are then ignored.
    @discardableResult
    public mutating func append(_ chunk: some Collection<UInt8> & Sendable) -> Bool {
        let size = chunk.count
        guard accept(size) else { return false }
        if size == 0 { return true }
        if isJoining(size) { joined.append(contentsOf: chunk) } else { kept.append(chunk) }
        return true
    }

    /// Takes a chunk from memory that is valid during the call. It is copied now, and without an
    /// expected size once more at the end, unless no other comes.
    ///
    /// - Returns: false if there are more bytes than allowed; nothing is taken any more then.
    @discardableResult
    public mutating func append(_ chunk: UnsafeRawBufferPointer) -> Bool {
        guard accept(chunk.count) else { return false }
        if chunk.isEmpty { return true }
        if isJoining(chunk.count) { joined.append(contentsOf: chunk) } else { kept.append(Array(chunk)) }
        return true
    }

    /// All bytes, in one array; none past the limit.
    public func finish() -> [UInt8] {
        if kept.isEmpty, joined.count == expectedSize || joined.isEmpty { return joined }
        if joined.isEmpty, kept.count == 1, let only = kept[0] as? [UInt8] { return only }
        // Exactly the bytes that arrived, even if the header announced more.
        return Array(unsafeUninitializedCapacity: count) { buffer, filled in
            filled = buffer.initialize(fromContentsOf: joined)
            for chunk in kept { filled = Self.copy(chunk, to: buffer, from: filled) }
        }
    }

    private static func copy(
        _ chunk: some Collection<UInt8>, to buffer: UnsafeMutableBufferPointer<UInt8>, from start: Int
    ) -> Int {
        buffer[start...].initialize(fromContentsOf: chunk)
    }

    /// Counts this number of further bytes; false if they pass the limit.
    private mutating func accept(_ more: Int) -> Bool {
        if isPastLimit { return false }
        guard more <= limit - count else {
            isPastLimit = true
            (joined, kept, count) = ([], [], 0)
            return false
        }
        count += more
        return true
    }

    /// Whether a chunk that was counted goes straight into the final array.
    private mutating func isJoining(_ size: Int) -> Bool {
        // A single chunk with all bytes costs no copy, or one later. After the expected size, chunks are kept.
        guard count <= expectedSize, size < expectedSize else { return false }
        if joined.isEmpty {
            guard expectedSize <= Self.largestReservation || count >= expectedSize / 16 else { return false }
            joined.reserveCapacity(expectedSize)
            for chunk in kept { Self.append(chunk, to: &joined) }
            kept = []
        }
        return true
    }

    private static func append(_ chunk: some Collection<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: chunk)
    }
}
