/// A certificate authority that is trusted for one host: that of a development server, which no system knows.
///
///     try SystemTransport.make(trusting: [TrustedAuthority(host: "dev.local", certificate: pem)])
///
/// The host is trusted if one of these certificates vouches for it, and not otherwise. Every other host is trusted as
/// before: by the system's authorities.
public struct TrustedAuthority: Sendable, Hashable {
    /// The host's name in lowercase, without a scheme or a port.
    public let host: String
    /// The authority's certificates (X.509) in DER.
    public let certificates: [[UInt8]]

    /// - Parameters:
    ///   - host: the name by which requests address the server, as in their URLs.
    ///   - certificate: the authority's certificate, or several: PEM (RFC 7468) or DER.
    /// - Throws: `TrustedAuthorityError.unreadableCertificate` for anything else.
    public init(host: String, certificate: [UInt8]) throws(TrustedAuthorityError) {
        self.host = host.lowercased()
        let text = String(decoding: certificate, as: UTF8.self)
        let blocks = PEMBlock.all(in: text).filter { $0.label == "CERTIFICATE" }
        let found = blocks.isEmpty ? [certificate] : blocks.map { $0.bytes ?? [] }
        // A certificate is a sequence (RFC 5280 section 4.1).
        guard found.allSatisfy({ $0.first == 0x30 }) else { throw .unreadableCertificate(host: self.host) }
        certificates = found
    }

    /// The same with a certificate in PEM, as text.
    public init(host: String, certificate: String) throws(TrustedAuthorityError) {
        try self.init(host: host, certificate: Array(certificate.utf8))
    }
}

/// Why an authority cannot be trusted.
public enum TrustedAuthorityError: Error, Sendable, Hashable {
    /// The certificate for this host isn't PEM or DER.
    case unreadableCertificate(host: String)
    /// This transport cannot trust an authority for one host on this system.
    case unsupportedByTransport(String)
}

extension TrustedAuthorityError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadableCertificate(let host): "The certificate of the authority for \(host) is neither PEM nor DER."
        case .unsupportedByTransport(let transport):
            "\(transport) can't trust an authority for one host on this system. Use CurlTransport or AsyncHTTPClientTransport."
        }
    }
}
