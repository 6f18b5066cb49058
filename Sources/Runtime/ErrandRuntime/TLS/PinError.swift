/// The reason why pins kept a request from its server (`PublicKeyPins`). It is the `underlying` error of the transport's fault. Nothing
/// was sent.
public enum PinError: Error, Sendable, Hashable {
    /// A pin, or the day on which the pins end, cannot be read.
    case malformed(reason: String)
    /// The transport can't compare the server's key with pins.
    case unsupported(transport: String)
    /// The URL is one without TLS, so the server has no key.
    case withoutTLS(host: String)
    /// The server has another key than one of these.
    case otherKey(host: String, wanted: [String])
}

extension PinError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed(let reason): "the pins cannot be used: \(reason)"
        case .unsupported(let transport): "\(transport) cannot compare a server's key with pins"
        case .withoutTLS(let host): "\(host) has pins, and is reached without TLS"
        case .otherKey(let host, let wanted):
            "\(host) has another key than \(wanted.joined(separator: " or "))"
        }
    }
}

extension PublicKeyPins {
    /// Compares the certificate that a server has shown, which is trusted otherwise.
    ///
    /// - Parameters:
    ///   - certificate: the server's own certificate (X.509) in DER.
    ///   - host: the server, for the error.
    ///   - digest: computes the SHA-256 (RFC 6234), with the library of the transport.
    /// - Throws: `PinError.otherKey` if its key has none of the pins, or can't be found.
    package func verify(
        _ certificate: [UInt8]?, of host: String, by digest: (ArraySlice<UInt8>) -> [UInt8]
    ) throws(PinError) {
        guard let key = certificate.flatMap({ CertificateKey.info(in: $0[...]) }), hashes.contains(digest(key)) else {
            throw .otherKey(host: host, wanted: pins)
        }
    }

    /// Refuses a request that cannot be checked, before anything is sent.
    ///
    /// - Parameters:
    ///   - isSecure: whether the request goes over TLS.
    ///   - transport: the transport if it can't compare keys; nil if it can.
    package func verify(_ host: String, isSecure: Bool, unsupportedBy transport: String?) throws(PinError) {
        if let problem { throw problem }
        guard isSecure else { throw .withoutTLS(host: host) }
        if let transport { throw .unsupported(transport: transport) }
    }
}
