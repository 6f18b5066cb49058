#if canImport(Security)
public import ErrandRuntime
public import Foundation
public import Security

/// An identity of the system, with the certificates between it and an authority that the server knows.
///
/// `Security` doesn't declare its types as `Sendable`. They are immutable.
struct SystemIdentity: @unchecked Sendable {
    let identity: SecIdentity
    let chain: [SecCertificate]
}

extension ClientCertificate {
    /// An identity that the app has: of the keychain, or of a profile.
    ///
    /// - Parameters:
    ///   - host: the name by which requests address the server, as in their URLs.
    ///   - chain: the certificates of the authorities between the identity and one that the server knows.
    public init(host: String, identity: SecIdentity, chain: [SecCertificate] = []) {
        self.init(host: host.lowercased(), .system(SystemIdentity(identity: identity, chain: chain)))
    }

    /// The identity of the keychain that has a label.
    ///
    /// - Throws: `ClientCertificateError.noIdentity` if the app can't find one.
    public init(host: String, label: String) throws(ClientCertificateError) {
        let query: [String: Any] = [
            kSecClass as String: kSecClassIdentity, kSecAttrLabel as String: label, kSecReturnRef as String: true,
        ]
        var found: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess,
            let identity = found.flatMap(Self.identity)
        else { throw .noIdentity(label: label) }
        self.init(host: host, identity: identity)
    }

    /// The identity of a file of PKCS#12 (`.p12`, `.pfx`), with the other certificates in it. On iOS, tvOS and watchOS it is not
    /// stored. On macOS, the system imports it into the default keychain.
    ///
    /// - Parameter password: the password of the file.
    /// - Throws: `ClientCertificateError.unreadableIdentity` for another file, or another password.
    public init(host: String, pkcs12: Data, password: String) throws(ClientCertificateError) {
        var found: CFArray?
        let options = [kSecImportExportPassphrase as String: password]
        guard pkcs12.count <= Self.maximumFileSize,
            SecPKCS12Import(pkcs12 as CFData, options as CFDictionary, &found) == errSecSuccess,
            let item = (found as? [[String: AnyObject]])?.first,
            let identity = item[kSecImportItemIdentity as String].flatMap(Self.identity)
        else { throw .unreadableIdentity(host: host.lowercased()) }
        let chain = item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
        // The first one is the identity's own.
        self.init(host: host, identity: identity, chain: Array(chain.dropFirst()))
    }

    /// The most that is read of a file: 256 KiB.
    private static let maximumFileSize = 256 << 10

    private static func identity(_ item: AnyObject) -> SecIdentity? {
        CFGetTypeID(item) == SecIdentityGetTypeID() ? unsafeDowncast(item, to: SecIdentity.self) : nil
    }
}
#endif
