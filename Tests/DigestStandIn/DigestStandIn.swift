public import ErrandRuntime
import TestDigests

// What takes the place of ErrandDigests in the packages of `scripts/reduced-manifest`. They look at something else, and would
// spend minutes on a library of digests, each with flags of its own.

extension SigningRule.Algorithm {
    public static let hmacSHA256 = SigningRule.Algorithm { text, key in SHA256.authenticate(text, key: key) }
    public static let hmacSHA1 = SigningRule.Algorithm { text, key in SHA1.authenticate(text, key: key) }
    public static let md5 = SigningRule.Algorithm { text, _ in MD5.digest(text) }
}

extension FileChecksum {
    public static func sha256(_ digest: [UInt8]) -> FileChecksum { FileChecksum(digest) { WholeSHA256() } }
}

private struct WholeSHA256: ChecksumFunction {
    private var bytes: [UInt8] = []

    mutating func update(_ bytes: UnsafeRawBufferPointer) { self.bytes += bytes }
    func finalize() -> [UInt8] { SHA256.digest(bytes) }
}
