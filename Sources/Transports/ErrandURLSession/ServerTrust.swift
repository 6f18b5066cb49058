#if canImport(Security)
import CryptoKit
import ErrandRuntime
import Foundation
import Security

/// The authorities that are trusted for one host each, ready to be compared with a server's certificate, and what is presented to one
/// host each.
struct ServerTrust: @unchecked Sendable {
    private let anchors: [String: [SecCertificate]]
    private let identities: [String: SystemIdentity]

    /// Leaves all hosts to the system.
    init() { (anchors, identities) = ([:], [:]) }

    init(_ authorities: [TrustedAuthority]) throws(TrustedAuthorityError) {
        anchors = try Self.anchors(authorities)
        identities = [:]
    }

    init(_ authorities: [TrustedAuthority], presenting certificates: [ClientCertificate]) throws {
        anchors = try Self.anchors(authorities)
        identities = try ClientCertificate.byHost(certificates).mapValues { certificate in
            guard case .system(let identity) = certificate.material, let identity = identity as? SystemIdentity else {
                throw ClientCertificateError.identityNeeded(host: certificate.host, transport: "URLSession")
            }
            return identity
        }
    }

    private static func anchors(
        _ authorities: [TrustedAuthority]
    ) throws(TrustedAuthorityError) -> [String: [SecCertificate]] {
        var anchors: [String: [SecCertificate]] = [:]
        for authority in authorities {
            for bytes in authority.certificates {
                guard let certificate = SecCertificateCreateWithData(nil, Data(bytes) as CFData) else {
                    throw .unreadableCertificate(host: authority.host)
                }
                anchors[authority.host, default: []].append(certificate)
            }
        }
        return anchors
    }

    /// What a server gets that asks for a client certificate; nil for nothing. A server that has refused it does not get it again.
    func identity(for challenge: URLAuthenticationChallenge) -> URLCredential? {
        let space = challenge.protectionSpace
        guard space.authenticationMethod == NSURLAuthenticationMethodClientCertificate, !space.isProxy(),
            challenge.previousFailureCount == 0, let identity = identities[space.host.lowercased()]
        else { return nil }
        return URLCredential(identity: identity.identity, certificates: identity.chain, persistence: .none)
    }

    /// What an error says of the certificate of this client; nil if it says nothing of that.
    func certificateProblem(_ error: URLError, of host: String) -> ClientCertificateError? {
        switch error.code {
        case .clientCertificateRequired: .demanded(host: host)
        case .clientCertificateRejected: identities[host] == nil ? .demanded(host: host) : .refused(host: host)
        default: nil
        }
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

/// FoundationNetworking doesn't ask its delegate whether to trust a server, and has no setting for a client certificate.
struct ServerTrust: Sendable {
    init(_ authorities: [TrustedAuthority]) throws(TrustedAuthorityError) {
        guard authorities.isEmpty else { throw .unsupportedByTransport("URLSessionTransport") }
    }

    init(_ authorities: [TrustedAuthority], presenting certificates: [ClientCertificate]) throws {
        try self.init(authorities)
        guard certificates.isEmpty else { throw ClientCertificateError.unsupportedByTransport("URLSessionTransport") }
    }
}
#endif
