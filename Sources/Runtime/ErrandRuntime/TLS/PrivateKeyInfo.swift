/// What the form of a private key says of it: whether it is one, and its public half.
struct PrivateKeyInfo {
    /// The bits of the public key as a certificate has them (RFC 5280 section 4.1.2.7); nil if the private key doesn't include them.
    let publicBits: [UInt8]?

    /// The optional public key of a SEC1 key (RFC 5915 section 3), and its optional parameters.
    private static let parameters: UInt8 = 0xA0
    private static let publicKey: UInt8 = 0xA1

    /// Nil for what is neither PKCS#8 (RFC 5958), nor PKCS#1 (RFC 8017 appendix A.1.2), nor SEC1 (RFC 5915) in DER.
    init?(_ key: ArraySlice<UInt8>) { self.init(key, isInner: false) }

    /// - Parameter isInner: whether it is the key inside of one in PKCS#8, which contains no further one.
    private init?(_ key: ArraySlice<UInt8>, isInner: Bool) {
        var whole = key
        guard var fields = DER.element(&whole, DER.sequence)?.content, whole.isEmpty,
            DER.element(&fields, DER.integer) != nil, let tag = fields.first
        else { return nil }
        switch tag {
        case DER.integer:
            // The modulus and the exponent, which are the whole of the public key.
            guard let modulus = DER.element(&fields, DER.integer)?.whole,
                let exponent = DER.element(&fields, DER.integer)?.whole
            else { return nil }
            publicBits = Array(modulus + exponent)
        case DER.octets:
            guard DER.element(&fields, DER.octets) != nil else { return nil }
            if fields.first == Self.parameters { _ = DER.element(&fields, Self.parameters) }
            var field = DER.element(&fields, Self.publicKey)?.content ?? []
            publicBits = DER.element(&field, DER.bits).map { Array($0.content.dropFirst()) }
        case DER.sequence where !isInner:
            guard DER.element(&fields, DER.sequence) != nil, let inner = DER.element(&fields, DER.octets)?.content
            else { return nil }
            // The keys of some algorithms are mere numbers.
            publicBits = PrivateKeyInfo(inner, isInner: true)?.publicBits
        default: return nil
        }
    }

    /// Whether a certificate is for this key; nil if only a TLS library can tell.
    func belongs(to certificate: [UInt8]) -> Bool? {
        guard let publicBits, let bits = CertificateKey.info(in: certificate[...]).flatMap(CertificateKey.bits) else {
            return nil
        }
        if bits.first == DER.sequence {
            var whole = bits
            return DER.element(&whole, DER.sequence).map { Array($0.content) == publicBits }
        }
        // A point on a curve has a long and a short form (SEC 1 section 2.3.3), which start with other bytes.
        return bits.first == publicBits.first ? bits.elementsEqual(publicBits) : nil
    }
}
