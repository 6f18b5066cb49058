#if AsyncHTTPClient
import ErrandRuntime
import NIOSSL

/// The TLS settings of the hosts that have an authority of their own.
struct ServerTrust: Sendable {
    private let configurations: [String: TLSConfiguration]

    static let system = ServerTrust()

    private init() { configurations = [:] }

    /// - Parameter base: the other TLS settings for these hosts; nil for the client's defaults.
    init(_ authorities: [TrustedAuthority], base: TLSConfiguration?) throws(TrustedAuthorityError) {
        var anchors: [String: [NIOSSLCertificate]] = [:]
        for authority in authorities {
            for bytes in authority.certificates {
                guard let certificate = try? NIOSSLCertificate(bytes: bytes, format: .der) else {
                    throw .unreadableCertificate(host: authority.host)
                }
                anchors[authority.host, default: []].append(certificate)
            }
        }
        configurations = anchors.mapValues { certificates in
            var configuration = base ?? .makeClientConfiguration()
            configuration.trustRoots = .certificates(certificates)
            return configuration
        }
    }

    /// The configuration for the host of a URL; nil for the client's own configuration.
    func configuration(for url: String) -> TLSConfiguration? {
        configurations.isEmpty ? nil : Origin(url).flatMap { configurations[$0.host] }
    }
}
#endif
