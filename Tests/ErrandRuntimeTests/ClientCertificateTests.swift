import Foundation
import TestCertificates
import Testing

@testable import ErrandRuntime

/// What is read of certificates and keys, which the `openssl` command makes.
@Suite(.serialized, .enabled(if: TestAuthority.isAvailable, "there is no openssl command here"))
struct ClientCertificateTests {
    private static let host = "api.test"

    private static func certificate(_ certificate: String, _ key: String) throws -> ClientCertificate {
        try ClientCertificate(host: "API.test", certificate: certificate, privateKey: key)
    }

    private static func authority(_ kind: TestAuthority.KeyKind = .curve) throws -> TestAuthority {
        let authority = try TestAuthority()
        _ = try authority.makeKey("client", kind)
        try authority.issue("client")
        return authority
    }

    @Test(arguments: TestAuthority.KeyKind.allCases) func eachKindOfKeyIsRead(_ kind: TestAuthority.KeyKind) throws {
        let authority = try Self.authority(kind)
        let (pem, key) = (try authority.text("client.pem"), try authority.text("client.key"))
        let root = String(decoding: authority.certificate, as: UTF8.self)
        let certificate = try Self.certificate(pem + root, key)
        #expect(certificate.host == Self.host)
        guard case .pem(let material) = certificate.material else {
            Issue.record("it is not PEM")
            return
        }
        #expect(material.certificates == [try authority.der("client"), Array(Self.bytes(root))])
        #expect(material.privateKey == key)
        // One text with everything, as some tools write it, and with lines between.
        #expect(throws: Never.self) { try Self.certificate("subject=x\n" + key + pem, key + pem) }
        guard kind != .edwards else { return }
        try authority.writeTraditionalKey("client")
        #expect(throws: Never.self) { try Self.certificate(pem, authority.text("client.old.key")) }
        // The parameters of a curve are a block before the key.
        let parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
        #expect(throws: Never.self) { try Self.certificate(pem, parameters + authority.text("client.old.key")) }
    }

    private static func bytes(_ pem: String) -> Data {
        Data(base64Encoded: pem.split(separator: "\n").dropFirst().dropLast().joined()) ?? Data()
    }

    /// What their public halves don't show is left to the transport.
    @Test(arguments: [TestAuthority.KeyKind.rsa, .curve], [TestAuthority.KeyKind.rsa, .curve, .largeCurve])
    func theKeyOfAnotherCertificateIsFound(_ one: TestAuthority.KeyKind, _ another: TestAuthority.KeyKind) throws {
        let authority = try Self.authority(one)
        _ = try authority.makeKey("other", another)
        let pem = try authority.text("client.pem")
        let key = try authority.text("other.key")
        if one == .rsa || another != .rsa {
            #expect(throws: ClientCertificateError.keyOfOtherCertificate(host: Self.host)) {
                try Self.certificate(pem, key)
            }
        } else {
            #expect(throws: Never.self) { try Self.certificate(pem, key) }
        }
    }

    @Test func anEncryptedKeyIsNamedAsOne() throws {
        let authority = try Self.authority(.rsa)
        for isTraditional in [false, true] {
            try authority.writeEncryptedKey("client", isTraditional: isTraditional)
            #expect(throws: ClientCertificateError.encryptedKey(host: Self.host)) {
                try Self.certificate(authority.text("client.pem"), authority.text("client.locked.key"))
            }
        }
        let text = ClientCertificateError.encryptedKey(host: Self.host).description
        #expect(text.contains(Self.host) && text.contains("encrypted"))
    }

    @Test func whatIsNoneIsAnError() throws {
        let authority = try Self.authority()
        let (pem, key) = (try authority.text("client.pem"), try authority.text("client.key"))
        let long = String(repeating: "\n", count: 256 << 10)
        for text in [
            "", "hello", key, String(pem.dropLast(40)), pem + long, pem.replacingOccurrences(of: "M", with: "!"),
        ] {
            #expect(throws: ClientCertificateError.unreadableCertificate(host: Self.host)) {
                try Self.certificate(text, key)
            }
        }
        let none = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        for text in ["", "hello", pem, String(key.dropLast(30)), key + long, none] {
            #expect(throws: ClientCertificateError.unreadableKey(host: Self.host)) { try Self.certificate(pem, text) }
        }
    }

    /// Keys that are cut, and keys in keys, end the reading.
    @Test(arguments: TestAuthority.KeyKind.allCases) func aBrokenKeyEndsNothing(_ kind: TestAuthority.KeyKind) throws {
        let authority = try Self.authority(kind)
        let key = Array(Self.bytes(try authority.text("client.key")))
        for count in 0..<key.count { #expect(PrivateKeyInfo(key[..<count]) == nil) }
        for index in key.indices {
            for bit in 0..<8 {
                var changed = key
                changed[index] ^= 1 << bit
                _ = PrivateKeyInfo(changed[...])
            }
        }
        var nested = key
        for _ in 0..<40 { nested = Self.pkcs8(nested) }
        #expect(PrivateKeyInfo(nested[...])?.publicBits == nil)
    }

    private static func pkcs8(_ key: [UInt8]) -> [UInt8] {
        func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
            [tag, 0x83, UInt8(content.count >> 16), UInt8(content.count >> 8 & 0xFF), UInt8(content.count & 0xFF)]
                + content
        }
        return element(0x30, [0x02, 0x01, 0x00] + element(0x30, []) + element(0x04, key))
    }

    @Test func nothingOfItIsShown() throws {
        let authority = try Self.authority()
        let certificate = try Self.certificate(authority.text("client.pem"), authority.text("client.key"))
        var shown = "\(certificate) \(String(reflecting: certificate))"
        dump(certificate, to: &shown)
        #expect(shown.contains(Self.host) && !shown.contains("PRIVATE"))
        #expect(Mirror(reflecting: certificate).children.map(\.label) == ["host"])
    }

    @Test(arguments: [
        (
            "OpenSSL SSL_read: OpenSSL/3.0.19: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0",
            true
        ),
        ("error:14094418:SSL routines:ssl3_read_bytes:tlsv1 alert unknown ca", true),
        ("Error: 268436501 error:10000415:SSL routines:OPENSSL_internal:SSLV3_ALERT_CERTIFICATE_EXPIRED", true),
        // `internal_error`, and an error of this side.
        ("error:0A000438:SSL routines::tlsv1 alert internal error", false),
        ("error:0A000086:SSL routines::certificate verify failed", false),
        ("error:", false), ("", false), ("error:FFFFFFFFFFFFFFFFFFFFFFFF", false),
    ])
    func theAlertsAboutCertificatesAreKnown(_ text: String, _ isRefusal: Bool) {
        #expect(CertificateRefusal.isReported(by: text, isSent: true) == isRefusal)
        #expect(CertificateRefusal.isReported(by: text, isSent: false) == isRefusal)
    }

    /// `handshake_failure` has other reasons, too, before the client has ended its part.
    @Test func aFailedHandshakeIsARefusalOnlyAfterIt() {
        let text = "error:0A000410:SSL routines::sslv3 alert handshake failure"
        #expect(CertificateRefusal.isReported(by: text, isSent: true))
        #expect(!CertificateRefusal.isReported(by: text, isSent: false))
    }

    @Test func theFaultsAreNeverRepeated() {
        let refused = TransportFault(ClientCertificateError.refused(host: Self.host), isSent: true)
        #expect(refused.builtIn == .insecure && refused.evidence == .unprocessed && refused.category == .nonRetryable)
        #expect("\(refused)".contains("api.test has refused the client certificate"))
        let unusable = TransportFault(ClientCertificateError.unusable(host: Self.host))
        #expect(unusable.builtIn == .invalidRequest && unusable.evidence == .notSent)
        #expect(unusable.category == .nonRetryable)
    }
}
