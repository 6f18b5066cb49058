/// Finds the public key in a certificate.
///
/// Only what leads to the key is read. The certificate comes from a server, so its lengths are checked; the system has decided
/// before whether it is trusted.
enum CertificateKey {
    /// The version of the certificate, which is left out in the first one (RFC 5280 section 4.1).
    private static let version: UInt8 = 0xA0

    /// The SubjectPublicKeyInfo of a certificate (RFC 5280 section 4.1), with its own tag and length; nil for what is no certificate in
    /// DER.
    static func info(in certificate: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var whole = certificate
        guard var signed = DER.element(&whole, DER.sequence)?.content,
            var fields = DER.element(&signed, DER.sequence)?.content
        else { return nil }
        if fields.first == version { _ = DER.element(&fields, version) }
        // The number, the algorithm, the issuer, the validity, and the subject.
        guard DER.element(&fields, DER.integer) != nil else { return nil }
        for _ in 0..<4 {
            guard DER.element(&fields, DER.sequence) != nil else { return nil }
        }
        return DER.element(&fields, DER.sequence)?.whole
    }

    /// The bits of the public key in a SubjectPublicKeyInfo, without its algorithm; nil for what is none.
    static func bits(of info: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var whole = info
        guard var fields = DER.element(&whole, DER.sequence)?.content, DER.element(&fields, DER.sequence) != nil,
            let bits = DER.element(&fields, DER.bits)?.content, bits.first == 0
        else { return nil }
        return bits.dropFirst()
    }
}
