public import ErrandRuntime

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(CryptoKit)
import CryptoKit
#elseif Digests || Tool
import Crypto
#endif

#if canImport(CryptoKit) || Digests || Tool

extension SigningRule.Algorithm {
    /// A keyed hash (RFC 2104) with SHA-256.
    public static let hmacSHA256 = SigningRule.Algorithm { text, key in
        Array(HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: key)))
    }

    /// A keyed hash (RFC 2104) with SHA-1, for servers that ask for it.
    public static let hmacSHA1 = SigningRule.Algorithm { text, key in
        Array(HMAC<Insecure.SHA1>.authenticationCode(for: text, using: SymmetricKey(data: key)))
    }

    /// The digest MD5 (RFC 1321) of the text alone, to which the contract appends the key. For old servers only.
    public static let md5 = SigningRule.Algorithm { text, _ in Array(Insecure.MD5.hash(data: text)) }
}

#else

/// Without the trait this system has no library of digests. The names remain, so that the compiler can say what to add.
@available(
    *, unavailable,
    message: "add \"Digests\" to the traits of the package errand: swift-crypto signs on this system"
)
extension SigningRule.Algorithm {
    public static var hmacSHA256: SigningRule.Algorithm { SigningRule.Algorithm { _, _ in [] } }

    public static var hmacSHA1: SigningRule.Algorithm { SigningRule.Algorithm { _, _ in [] } }

    public static var md5: SigningRule.Algorithm { SigningRule.Algorithm { _, _ in [] } }
}

#endif
