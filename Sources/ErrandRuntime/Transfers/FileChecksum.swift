/// The checksum that a downloaded file must have. The module `ErrandDigests` has those that servers use, such as
/// `.sha256(digest)`.
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
}

/// Computes a checksum over bytes that come in pieces.
public protocol ChecksumFunction {
    mutating func update(_ bytes: UnsafeRawBufferPointer)
    /// The checksum of all bytes. Called once, at the end.
    mutating func finalize() -> [UInt8]
}
