extension TransportFault {
    /// The fault of an attempt that pins kept from the server.
    public init(_ error: PinError) {
        let kind: Kind =
            switch error {
            case .malformed, .unsupported, .withoutTLS: .unreadable
            case .otherKey: .tls
            }
        self.init(kind, evidence: .notSent, underlying: error)
    }

    /// The fault of an attempt that a client certificate kept from the server.
    ///
    /// - Parameter isSent: whether bytes of the request were written. With TLS 1.3, a server refuses a certificate after the client has
    ///   begun to send (RFC 8446 section 4.4.2.4), and processes nothing of that.
    public init(_ error: ClientCertificateError, isSent: Bool = false) {
        let kind: Kind =
            switch error {
            case .demanded, .refused: .tls
            default: .unreadable
            }
        self.init(kind, evidence: isSent ? .unprocessed : .notSent, underlying: error)
    }
}
