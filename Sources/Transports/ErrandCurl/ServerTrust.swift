#if os(Linux)
import CCurl
import ErrandRuntime

/// The authorities that are trusted for one host each, and what is presented to one host each.
struct ServerTrust: Sendable {
    private let authorities: [String: [UInt8]]
    private let identities: [String: Identity]

    /// A client certificate with its chain, and its key.
    struct Identity: Sendable {
        let certificate: [UInt8]
        let key: [UInt8]
    }

    init() { (authorities, identities) = ([:], [:]) }

    init(_ trusted: [TrustedAuthority]) throws(TrustedAuthorityError) {
        authorities = try Self.texts(trusted)
        identities = [:]
    }

    init(_ trusted: [TrustedAuthority], presenting certificates: [ClientCertificate]) throws {
        authorities = try Self.texts(trusted)
        if !certificates.isEmpty, !errand_curl_has_certificate_blobs() {
            throw ClientCertificateError.unsupportedByTransport("CurlTransport")
        }
        identities = try ClientCertificate.byHost(certificates).mapValues { certificate in
            guard case .pem(let pem) = certificate.material else {
                throw ClientCertificateError.unsupportedByTransport("CurlTransport")
            }
            return Identity(certificate: Array(pem.certificateText.utf8), key: Array(pem.privateKey.utf8))
        }
    }

    private static func texts(_ trusted: [TrustedAuthority]) throws(TrustedAuthorityError) -> [String: [UInt8]] {
        if !trusted.isEmpty, !isSupported { throw .unsupportedByTransport("CurlTransport") }
        var texts: [String: String] = [:]
        for authority in trusted {
            for certificate in authority.certificates {
                texts[authority.host, default: ""] += pemText("CERTIFICATE", certificate)
            }
        }
        return texts.mapValues { Array($0.utf8) }
    }

    /// The certificates of the authority that is trusted for a host, in PEM; nil if the system's authorities are trusted.
    func authority(of host: String) -> [UInt8]? { authorities.isEmpty ? nil : authorities[host] }

    /// What the host of an origin gets if it asks for a certificate; nil for nothing.
    func identity(for origin: Origin) -> Identity? {
        identities.isEmpty || origin.scheme != "https" ? nil : identities[origin.host]
    }

    /// Whether the TLS library of libcurl compares keys with pins. It is asked once.
    static let canPin: Bool = {
        guard errand_curl_is_available(), let easy = errand_curl_easy_make() else { return false }
        defer { errand_curl_easy_free(easy) }
        let pin = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        return errand_curl_set_text(easy, CInt(errand_curlopt_pinned_key), pin) == errand_curle_ok
    }()

    /// Whether the TLS library of libcurl takes certificates from memory.
    private static var isSupported: Bool {
        guard errand_curl_is_available(), let easy = errand_curl_easy_make() else { return false }
        defer { errand_curl_easy_free(easy) }
        return errand_curl_set_bytes(easy, CInt(errand_curlopt_ca_blob), "x", 1) == errand_curle_ok
    }
}
#endif
