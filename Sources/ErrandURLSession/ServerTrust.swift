#if canImport(Security)
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
