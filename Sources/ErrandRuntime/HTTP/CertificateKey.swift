/// Finds the public key in a certificate.
///
/// Only what leads to the key is read. The certificate comes from a server, so its lengths are checked; the system has decided
/// before whether it is trusted.
enum CertificateKey {
    private static let sequence: UInt8 = 0x30
    /// The version of the certificate, which is left out in the first one (RFC 5280 section 4.1).
    private static let version: UInt8 = 0xA0

    /// The SubjectPublicKeyInfo of a certificate (RFC 5280 section 4.1), with its own tag and length; nil for what is no certificate in
    /// DER.
    static func info(in certificate: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var whole = certificate
        guard var signed = element(&whole, sequence)?.content, var fields = element(&signed, sequence)?.content else {
            return nil
        }
        if fields.first == version { _ = element(&fields, version) }
        // The number, the algorithm, the issuer, the validity, and the subject.
        guard element(&fields, 0x02) != nil else { return nil }
        for _ in 0..<4 {
            guard element(&fields, sequence) != nil else { return nil }
        }
        return element(&fields, sequence)?.whole
    }

    /// Takes the next element; nil if it has another tag, or isn't complete.
    private static func element(
        _ bytes: inout ArraySlice<UInt8>, _ tag: UInt8
    ) -> (whole: ArraySlice<UInt8>, content: ArraySlice<UInt8>)? {
        let start = bytes.startIndex
        guard bytes.count >= 2, bytes[start] == tag else { return nil }
        var (length, head) = (Int(bytes[start + 1]), 2)
        if length >= 0x80 {
            let count = length - 0x80
            // Four bytes are more than any certificate has.
            guard (1...4).contains(count), bytes.count >= 2 + count else { return nil }
            length = bytes[(start + 2)..<(start + 2 + count)].reduce(0) { $0 << 8 | Int($1) }
            head += count
        }
        guard bytes.count - head >= length else { return nil }
        let whole = bytes[start..<(start + head + length)]
        bytes = bytes[whole.endIndex...]
        return (whole, whole.dropFirst(head))
    }
}
