#if WebSocket
import ErrandRuntime
import NIOSSL

/// The authorities that are trusted for one host each, and what is presented to one host each.
struct ServerTrust: Sendable {
    private let authorities: [String: [NIOSSLCertificate]]
    private let identities: [String: Identity]

    private struct Identity {
        let chain: [NIOSSLCertificateSource]
        let key: NIOSSLPrivateKeySource
    }

    init(_ authorities: [TrustedAuthority]) throws(TrustedAuthorityError) {
        self.authorities = try Self.anchors(authorities)
        identities = [:]
    }

    init(_ authorities: [TrustedAuthority], presenting certificates: [ClientCertificate]) throws {
        self.authorities = try Self.anchors(authorities)
        identities = try ClientCertificate.byHost(certificates).mapValues { try Self.identity($0) }
    }

    private static func anchors(
        _ authorities: [TrustedAuthority]
    ) throws(TrustedAuthorityError) -> [String: [NIOSSLCertificate]] {
        var anchors: [String: [NIOSSLCertificate]] = [:]
        for authority in authorities {
            for bytes in authority.certificates {
                guard let certificate = try? NIOSSLCertificate(bytes: bytes, format: .der) else {
                    throw .unreadableCertificate(host: authority.host)
                }
                anchors[authority.host, default: []].append(certificate)
            }
        }
        return anchors
    }

    private static func identity(_ certificate: ClientCertificate) throws(ClientCertificateError) -> Identity {
        guard case .pem(let pem) = certificate.material else { throw .unsupportedByTransport("WebSocketTransport") }
        let chain = pem.certificates.compactMap { try? NIOSSLCertificate(bytes: $0, format: .der) }
        guard chain.count == pem.certificates.count else { throw .unreadableCertificate(host: certificate.host) }
        guard let key = try? NIOSSLPrivateKey(bytes: Array(pem.privateKey.utf8), format: .pem) else {
            throw .unreadableKey(host: certificate.host)
        }
        let identity = Identity(chain: chain.map { .certificate($0) }, key: .privateKey(key))
        var configuration = TLSConfiguration.modern
        configuration.present(identity.chain, identity.key)
        // It compares the key with the certificate.
        guard (try? NIOSSLContext(configuration: configuration)) != nil else {
            throw .unusable(host: certificate.host)
        }
        return identity
    }

    func configuration(for host: String) -> TLSConfiguration {
        var configuration = TLSConfiguration.modern
        // Other protocols need other handshakes.
        configuration.applicationProtocols = ["http/1.1"]
        if let own = authorities[host] { configuration.trustRoots = .certificates(own) }
        if let identity = identities[host] { configuration.present(identity.chain, identity.key) }
        return configuration
    }

    /// What a host says that has refused this client because of its certificate.
    func certificateProblem(of host: String) -> ClientCertificateError {
        identities[host] == nil ? .demanded(host: host) : .refused(host: host)
    }
}

extension TLSConfiguration {
    /// TLS 1.2 or later: the versions before are deprecated (RFC 8996), and NIO's default takes them.
    static var modern: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        return configuration
    }

    fileprivate mutating func present(_ chain: [NIOSSLCertificateSource], _ key: NIOSSLPrivateKeySource) {
        certificateChain = chain
        privateKey = key
    }
}
#endif
