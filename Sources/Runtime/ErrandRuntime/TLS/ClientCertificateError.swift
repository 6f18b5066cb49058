#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Why a client certificate cannot be presented, or wasn't accepted.
///
/// An initializer throws it, or it is the `underlying` error of a transport's fault. Nothing was processed by the server.
public enum ClientCertificateError: Error, Sendable, Hashable {
    /// The certificate for this host isn't PEM, or is too long.
    case unreadableCertificate(host: String)
    /// The private key for this host isn't PEM, is too long, or is of a kind that is unknown here.
    case unreadableKey(host: String)
    /// The private key for this host needs a password.
    case encryptedKey(host: String)
    /// The private key for this host isn't the one of the first certificate.
    case keyOfOtherCertificate(host: String)
    /// The TLS library cannot use the certificate for this host with its key.
    case unusable(host: String)
    /// A file of PKCS#12 for this host can't be read with this password.
    case unreadableIdentity(host: String)
    /// The keychain has no identity with this label.
    case noIdentity(label: String)
    /// One transport has two certificates for this host.
    case severalForHost(String)
    /// This transport cannot present a certificate on this system, or with its TLS library.
    case unsupportedByTransport(String)
    /// This transport needs an identity of the keychain or of a file of PKCS#12, and cannot use PEM.
    case identityNeeded(host: String, transport: String)
    /// The server demands a certificate, and this transport has none for it.
    case demanded(host: String)
    /// The server has refused the certificate: an authority that it doesn't know has signed it, it has expired, or it was revoked.
    case refused(host: String)
}

extension ClientCertificateError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadableCertificate(let host): "the client certificate for \(host) is not PEM"
        case .unreadableKey(let host): "the private key for \(host) is not PEM, or of an unknown kind"
        case .encryptedKey(let host):
            "the private key for \(host) is encrypted; `openssl pkey -in key.pem -out plain.pem` decrypts it"
        case .keyOfOtherCertificate(let host):
            "the private key for \(host) is not that of its first certificate"
        case .unusable(let host): "the TLS library cannot use the client certificate for \(host) with its key"
        case .unreadableIdentity(let host): "the identity for \(host) is not PKCS#12, or has another password"
        case .noIdentity(let label): "the keychain has no identity with the label \(label)"
        case .severalForHost(let host): "there are two client certificates for \(host)"
        case .unsupportedByTransport(let transport): "\(transport) cannot present a client certificate here"
        case .identityNeeded(let host, let transport):
            "\(transport) cannot use PEM for \(host); give it an identity of the keychain, or a file of PKCS#12"
        case .demanded(let host): "\(host) demands a client certificate"
        case .refused(let host): "\(host) has refused the client certificate"
        }
    }
}

/// Recognizes that a server refuses a client because of its certificate.
package enum CertificateRefusal {
    /// The numbers of alerts (RFC 8446 section 6.2) that a server ends the handshake with: `handshake_failure`, `bad_certificate`,
    /// `unsupported_certificate`, `certificate_revoked`, `certificate_expired`, `certificate_unknown`, `unknown_ca`, `access_denied`,
    /// `decrypt_error`, `certificate_required`.
    private static let alerts: Set<Int> = [handshakeFailure, 42, 43, 44, 45, 46, 48, 49, 51, 116]
    private static let handshakeFailure = 40

    /// Whether a text of OpenSSL or of BoringSSL reports such an alert of the server. Both number the reasons of their errors alike:
    /// 1000, and the number of the alert.
    ///
    /// - Parameters:
    ///   - text: `error:0A000418:SSL routines::tlsv1 alert unknown ca`, with anything around it.
    ///   - isSent: whether the client had finished its part of the handshake. Before that, `handshake_failure` has other reasons, too.
    package static func isReported(by text: String, isSent: Bool) -> Bool {
        guard let start = text.range(of: "error:")?.upperBound,
            let code = Int(text[start...].prefix { $0.isHexDigit }, radix: 16)
        else { return false }
        let alert = code & 0xFFF - 1_000
        return alerts.contains(alert) && (isSent || alert != handshakeFailure)
    }
}
