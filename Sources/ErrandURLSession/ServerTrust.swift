#if canImport(Security)
import CryptoKit
import ErrandRuntime
import Foundation
import Security

/// The authorities that are trusted for one host each, ready to be compared with a server's certificate.
struct ServerTrust: @unchecked Sendable {
    private let anchors: [String: [SecCertificate]]

    /// Leaves all hosts to the system.
    init() { anchors = [:] }

    init(_ authorities: [TrustedAuthority]) throws(TrustedAuthorityError) {
        var anchors: [String: [SecCertificate]] = [:]
        for authority in authorities {
            for bytes in authority.certificates {
                guard let certificate = SecCertificateCreateWithData(nil, Data(bytes) as CFData) else {
                    throw .unreadableCertificate(host: authority.host)
                }
                anchors[authority.host, default: []].append(certificate)
            }
        }
        self.anchors = anchors
    }

    /// The credential by which a server is trusted; nil if the system has to decide. The system refuses certificates that these
    /// anchors don't vouch for, because it evaluates the same `SecTrust`.
    func credential(for space: URLProtectionSpace) -> URLCredential? {
        guard let anchors = anchors[space.host.lowercased()], let trust = space.serverTrust,
            SecTrustSetAnchorCertificates(trust, anchors as CFArray) == errSecSuccess,
            SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess,
            SecTrustEvaluateWithError(trust, nil)
        else { return nil }
        return URLCredential(trust: trust)
    }

    /// What becomes of a server's certificate. With pins, the system's verdict comes first.
    func verdict(_ space: URLProtectionSpace, _ pins: PublicKeyPins?) -> Verdict {
        let credential = credential(for: space)
        guard let pins else { return credential.map { .trusted($0) } ?? .systems }
        guard let trust = space.serverTrust, SecTrustEvaluateWithError(trust, nil) else { return .systems }
        do throws(PinError) {
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
            let certificate = chain?.first.map { Array(SecCertificateCopyData($0) as Data) }
            try pins.verify(certificate, of: space.host.lowercased()) { Array(SHA256.hash(data: $0)) }
            return .trusted(URLCredential(trust: trust))
        } catch {
            return .otherKey(error)
        }
    }

    enum Verdict {
        /// As without a delegate.
        case systems
        case trusted(URLCredential)
        case otherKey(PinError)
    }
}
#else
import ErrandRuntime

/// FoundationNetworking doesn't ask its delegate whether to trust a server.
struct ServerTrust: Sendable {
    init(_ authorities: [TrustedAuthority]) throws(TrustedAuthorityError) {
        guard authorities.isEmpty else { throw .unsupportedByTransport("URLSessionTransport") }
    }
}
#endif
