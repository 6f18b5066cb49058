#if AsyncHTTPClient
import ErrandRuntime
import NIOSSL

/// The TLS settings of the hosts that have an authority of their own, or get a certificate.
struct ServerTrust: Sendable {
    private let configurations: [String: TLSConfiguration]
    /// The hosts that get a certificate.
    private let presenting: Set<String>

    static let system = ServerTrust()

    private init() { (configurations, presenting) = ([:], []) }

    /// - Parameter base: the other TLS settings for these hosts; nil for TLS 1.2 or later and the client's other defaults.
    init(_ authorities: [TrustedAuthority], base: TLSConfiguration?) throws(TrustedAuthorityError) {
        configurations = try Self.trusting(authorities, base)
        presenting = []
    }

    /// - Parameter base: as above, without a certificate of its own for these hosts.
    init(
        _ authorities: [TrustedAuthority], presenting certificates: [ClientCertificate], base: TLSConfiguration?
    ) throws {
        #if canImport(Network)
        // Network.framework has another form of identities, and the client ends the process.
        if !certificates.isEmpty { throw ClientCertificateError.unsupportedByTransport("AsyncHTTPClientTransport") }
        #endif
        var configurations = try Self.trusting(authorities, base)
        let byHost = try ClientCertificate.byHost(certificates)
        for (host, certificate) in byHost {
            var configuration = configurations[host] ?? base ?? .modern
            try configuration.present(certificate)
            configurations[host] = configuration
        }
        self.configurations = configurations
        presenting = Set(byHost.keys)
    }

    private static func trusting(
        _ authorities: [TrustedAuthority], _ base: TLSConfiguration?
    ) throws(TrustedAuthorityError) -> [String: TLSConfiguration] {
        var anchors: [String: [NIOSSLCertificate]] = [:]
        for authority in authorities {
            for bytes in authority.certificates {
                guard let certificate = try? NIOSSLCertificate(bytes: bytes, format: .der) else {
                    throw .unreadableCertificate(host: authority.host)
                }
                anchors[authority.host, default: []].append(certificate)
            }
        }
        return anchors.mapValues { certificates in
            var configuration = base ?? .modern
            configuration.trustRoots = .certificates(certificates)
            return configuration
        }
    }

    /// The configuration for the host of a URL; nil for the client's own configuration.
    func configuration(for url: String) -> TLSConfiguration? {
        configurations.isEmpty ? nil : Origin(url).flatMap { configurations[$0.host] }
    }

    /// What is wrong with the certificate of this client; nil for every other error.
    ///
    /// - Parameter isSent: whether the head of the request was written.
    func certificateProblem(_ error: any Error, of url: String, isSent: Bool) -> ClientCertificateError? {
        guard error is BoringSSLError || error is NIOSSLError, let host = Origin(url)?.host,
            CertificateRefusal.isReported(by: "\(error)", isSent: isSent)
        else { return nil }
        return presenting.contains(host) ? .refused(host: host) : .demanded(host: host)
    }
}

extension TLSConfiguration {
    /// TLS 1.2 or later: the versions before are deprecated (RFC 8996), and the client's default takes them.
    static var modern: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        return configuration
    }

    /// Has a server that asks for a certificate get this one.
    fileprivate mutating func present(_ certificate: ClientCertificate) throws(ClientCertificateError) {
        guard case .pem(let pem) = certificate.material else {
            throw .unsupportedByTransport("AsyncHTTPClientTransport")
        }
        do {
            certificateChain = try pem.certificates.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) }
        } catch {
            throw .unreadableCertificate(host: certificate.host)
        }
        guard let key = try? NIOSSLPrivateKey(bytes: Array(pem.privateKey.utf8), format: .pem) else {
            throw .unreadableKey(host: certificate.host)
        }
        // The client hashes keys in DER, and ends the process for one that BoringSSL can't write in it (Ed25519).
        guard (try? key.derBytes) != nil else { throw .unusable(host: certificate.host) }
        privateKey = .privateKey(key)
        // It compares the key with the certificate.
        guard (try? NIOSSLContext(configuration: self)) != nil else { throw .unusable(host: certificate.host) }
    }
}
#endif
