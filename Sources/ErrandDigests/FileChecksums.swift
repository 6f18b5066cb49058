public import ErrandRuntime

#if canImport(CryptoKit)
import CryptoKit
#elseif Digests || Tool
import Crypto
#endif

#if canImport(CryptoKit) || Digests || Tool

extension FileChecksum {
    /// The SHA-256 (RFC 6234) that a file must have.
    ///
    ///     try await download.finish(checksum: .sha256(digest))
    ///
    /// - Parameter digest: the 32 bytes.
    public static func sha256(_ digest: [UInt8]) -> FileChecksum {
        FileChecksum(digest) { RunningSHA256() }
    }
}

private struct RunningSHA256: ChecksumFunction {
    private var hash = SHA256()

    mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }
    mutating func finalize() -> [UInt8] { Array(hash.finalize()) }
}

#else

extension FileChecksum {
    @available(
        *, unavailable,
        message: "add \"Digests\" to the traits of the package errand: swift-crypto digests on this system"
    )
    public static func sha256(_ digest: [UInt8]) -> FileChecksum { FileChecksum(digest) { NoChecksum() } }
}

private struct NoChecksum: ChecksumFunction {
    func update(_ bytes: UnsafeRawBufferPointer) {}
    func finalize() -> [UInt8] { [] }
}

#endif
