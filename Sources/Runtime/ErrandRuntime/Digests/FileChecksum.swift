/// The checksum that bytes must have. The module `ErrandDigests` has those that servers use, such as `.sha256(digest)`.
public struct FileChecksum: Sendable {
    let expected: [UInt8]
    let makeFunction: @Sendable () -> any ChecksumFunction

    /// - Parameters:
    ///   - expected: what the function must come to.
    ///   - makeFunction: a function that has not taken any bytes yet.
    public init(_ expected: [UInt8], by makeFunction: @escaping @Sendable () -> any ChecksumFunction) {
        self.expected = expected
        self.makeFunction = makeFunction
    }

    /// Whether all bytes have it.
    func isRight(for bytes: [UInt8]) -> Bool {
        var running = RunningChecksum(self)
        running.update(bytes)
        return running.isRight()
    }
}

/// Computes a checksum over bytes that come in pieces.
public protocol ChecksumFunction {
    mutating func update(_ bytes: UnsafeRawBufferPointer)
    /// The checksum of all bytes. Called once, at the end.
    mutating func finalize() -> [UInt8]
}

/// A checksum that is being computed, and what it must come to.
struct RunningChecksum {
    private let expected: [UInt8]
    private var function: any ChecksumFunction

    init(_ checksum: FileChecksum) {
        expected = checksum.expected
        function = checksum.makeFunction()
    }

    mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { function.update($0) } }
    mutating func update(_ bytes: UnsafeRawBufferPointer) { function.update(bytes) }

    /// Whether all bytes have come to the expected checksum. Called once, at the end.
    mutating func isRight() -> Bool { function.finalize() == expected }
}
