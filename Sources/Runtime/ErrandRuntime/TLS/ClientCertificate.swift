/// The certificate by which this program shows one server who it is (mutual TLS), with its private key.
///
///     let certificate = try ClientCertificate(host: "api.bank.example", certificate: pem, privateKey: key)
///     try SystemTransport.make(presenting: [certificate])
///
/// A transport presents it to this host only, and only if the host asks for one (RFC 8446 section 4.3.2). A redirect to another host
/// does not get it, and neither does a proxy.
///
/// On Apple's systems, `URLSession` takes an identity of the keychain, or of a file of PKCS#12 (initializers of ErrandURLSession).
///
/// Descriptions and reflections of this value have the host, and nothing of the certificate and the key.
public struct ClientCertificate: Sendable {
    /// The host's name in lowercase, without a scheme or a port.
    public let host: String
    package let material: Material

    package enum Material: Sendable {
        case pem(PEM)
        /// An identity that only the system's own TLS can use. The transport knows its type.
        case system(any Sendable)
    }

    package struct PEM: Sendable {
        /// The certificates in DER, the one of the key first.
        package let certificates: [[UInt8]]
        /// One block of PEM.
        package let privateKey: String

        /// All certificates as blocks of PEM.
        package var certificateText: String { certificates.map { pemText("CERTIFICATE", $0) }.joined() }
    }

    /// The most that is read of each text: 256 KiB.
    private static let maximumSize = 256 << 10

    /// Reads a certificate and its key in PEM (RFC 7468). Both texts may be the same one, with all blocks.
    ///
    /// - Parameters:
    ///   - host: the name by which requests address the server, as in their URLs.
    ///   - certificate: the certificate, followed by those of the authorities between it and one that the server knows. 256 KiB at most.
    ///   - privateKey: the key in the form PKCS#8, PKCS#1 (RSA) or SEC1 (elliptic curves), without a password. 256 KiB at most.
    /// - Throws: `ClientCertificateError` if one of them can't be read, if the key is encrypted, or if it is the key of another
    ///   certificate. For kinds of keys that don't include their public half (Ed25519), only the
    ///   transport's TLS library finds the latter (`unusable`).
    public init(host: String, certificate: String, privateKey: String) throws(ClientCertificateError) {
        let host = host.lowercased()
        let chain = certificate.utf8.count > Self.maximumSize ? [] : PEMBlock.all(in: certificate)
        let certificates = chain.filter { $0.label == "CERTIFICATE" }.map { $0.bytes ?? [] }
        guard let leaf = certificates.first, certificates.allSatisfy({ CertificateKey.info(in: $0[...]) != nil }) else {
            throw .unreadableCertificate(host: host)
        }
        let blocks = privateKey.utf8.count > Self.maximumSize ? [] : PEMBlock.all(in: privateKey)
        guard let key = blocks.first(where: { $0.label.hasSuffix("PRIVATE KEY") }) else {
            throw .unreadableKey(host: host)
        }
        if key.isEncrypted || key.label == "ENCRYPTED PRIVATE KEY" { throw .encryptedKey(host: host) }
        guard let bytes = key.bytes, let info = PrivateKeyInfo(bytes[...]) else { throw .unreadableKey(host: host) }
        if info.belongs(to: leaf) == false { throw .keyOfOtherCertificate(host: host) }
        self.init(host: host, .pem(PEM(certificates: certificates, privateKey: pemText(key.label, bytes))))
    }

    /// - Parameter host: in lowercase.
    package init(host: String, _ material: Material) {
        self.host = host
        self.material = material
    }

    /// The certificates by their hosts.
    ///
    /// - Throws: `severalForHost` if two are for the same host.
    package static func byHost(
        _ certificates: [ClientCertificate]
    ) throws(ClientCertificateError) -> [String: ClientCertificate] {
        var found: [String: ClientCertificate] = [:]
        for certificate in certificates {
            guard found.updateValue(certificate, forKey: certificate.host) == nil else {
                throw .severalForHost(certificate.host)
            }
        }
        return found
    }
}

extension ClientCertificate: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The host alone.
    public var description: String { "ClientCertificate for \(host)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["host": host], displayStyle: .struct) }
}
