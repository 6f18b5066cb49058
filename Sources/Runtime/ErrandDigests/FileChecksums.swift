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
        FileChecksum(digest) { RunningDigest<SHA256>() }
    }
}

extension ChecksumRule.Algorithm {
    /// SHA-256 (RFC 6234).
    public static let sha256 = ChecksumRule.Algorithm("sha-256", size: 32) { RunningDigest<SHA256>() }

    /// SHA-512 (RFC 6234).
    public static let sha512 = ChecksumRule.Algorithm("sha-512", size: 64) { RunningDigest<SHA512>() }

    /// SHA-1 (RFC 3174). It finds bytes that were damaged, and not bytes that an attacker has chosen.
    public static let sha1 = ChecksumRule.Algorithm("sha", size: 20) { RunningDigest<Insecure.SHA1>() }

    /// MD5 (RFC 1321). It finds bytes that were damaged, and not bytes that an attacker has chosen.
    public static let md5 = ChecksumRule.Algorithm("md5", size: 16) { RunningDigest<Insecure.MD5>() }
}

private struct RunningDigest<Function: HashFunction>: ChecksumFunction {
    private var function = Function()

    mutating func update(_ bytes: UnsafeRawBufferPointer) { function.update(bufferPointer: bytes) }
    mutating func finalize() -> [UInt8] { Array(function.finalize()) }
}

#else

@available(
    *, unavailable,
    message: "add \"Digests\" to the traits of the package errand: swift-crypto digests on this system"
)
extension FileChecksum {
    public static func sha256(_ digest: [UInt8]) -> FileChecksum { FileChecksum(digest) { NoChecksum() } }
}

@available(
    *, unavailable,
    message: "add \"Digests\" to the traits of the package errand: swift-crypto digests on this system"
)
extension ChecksumRule.Algorithm {
    public static var sha256: ChecksumRule.Algorithm { none }

    public static var sha512: ChecksumRule.Algorithm { none }

    public static var sha1: ChecksumRule.Algorithm { none }

    public static var md5: ChecksumRule.Algorithm { none }

    private static var none: ChecksumRule.Algorithm { ChecksumRule.Algorithm("", size: 0) { NoChecksum() } }
}

private struct NoChecksum: ChecksumFunction {
    func update(_ bytes: UnsafeRawBufferPointer) {}
    func finalize() -> [UInt8] { [] }
}

#endif
