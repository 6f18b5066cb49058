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
    public static func sha256(_ digest: [UInt8]) -> FileChecksum {
        FileChecksum(digest) { WholeDigest(digest: SHA256.digest) }
    }
}

extension ChecksumRule.Algorithm {
    public static let sha256 = ChecksumRule.Algorithm("sha-256", size: 32) { WholeDigest(digest: SHA256.digest) }
    public static let sha1 = ChecksumRule.Algorithm("sha", size: 20) { WholeDigest(digest: SHA1.digest) }
    public static let md5 = ChecksumRule.Algorithm("md5", size: 16) { WholeDigest(digest: MD5.digest) }
}

private struct WholeDigest: ChecksumFunction {
    let digest: ([UInt8]) -> [UInt8]
    private var bytes: [UInt8] = []

    init(digest: @escaping ([UInt8]) -> [UInt8]) { self.digest = digest }

    mutating func update(_ bytes: UnsafeRawBufferPointer) { self.bytes += bytes }
    func finalize() -> [UInt8] { digest(bytes) }
}
