import ErrandDigests
import Foundation
import Testing

@testable import ErrandRuntime

/// The algorithms of signatures and checksums are those of their RFCs.
@Suite struct DigestVectorTests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
    }

    private func sha256(_ pieces: [[UInt8]]) -> [UInt8] {
        var function = FileChecksum.sha256([]).makeFunction()
        for piece in pieces { piece.withUnsafeBytes { function.update($0) } }
        return function.finalize()
    }

    /// RFC 1321, appendix A.5.
    static let md5Vectors: [(String, String)] = [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        (
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            "d174ab98d277d9f5a5611c2c9f419d9f"
        ),
        (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
    ]

    @Test(arguments: md5Vectors) func md5(text: String, digest: String) {
        #expect(hex(SigningRule.Algorithm.md5.digest(Array(text.utf8), [])) == digest)
        #expect(hex(SigningRule.Algorithm.md5.digest(Array(text.utf8), [1])) == digest, "the key is part of the text")
    }

    /// RFC 6234 section 8.5.
    @Test func sha256() {
        #expect(hex(sha256([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            hex(sha256([Array("abc".utf8)])) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        #expect(
            hex(sha256([Array(long.utf8)])) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        #expect(
            hex(sha256([[UInt8](repeating: 0x61, count: 1_000_000)]))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    /// RFC 4231 (SHA-256) and RFC 2202 (SHA-1): cases 1, 2, 3 and 6.
    @Test func hmac() {
        let cases: [([UInt8], [UInt8], String, String)] = [
            (
                [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
                "b617318655057264e28bc0b6fb378c8ef146be00"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
                "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
            ),
            (
                [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
                "125d7342b9ac11cd91a39af48aa17b4f63f175d3"
            ),
        ]
        for (key, message, long, short) in cases {
            #expect(hex(SigningRule.Algorithm.hmacSHA256.digest(message, key)) == long)
            #expect(hex(SigningRule.Algorithm.hmacSHA1.digest(message, key)) == short)
        }
        let text = Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
        #expect(
            hex(SigningRule.Algorithm.hmacSHA256.digest(text, [UInt8](repeating: 0xaa, count: 131)))
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        #expect(
            hex(SigningRule.Algorithm.hmacSHA1.digest(text, [UInt8](repeating: 0xaa, count: 80)))
                == "aa4ae5e15272d00e95705637ce8a3b55ed402112")
    }

    @Test(arguments: [0, 1, 55, 56, 63, 64, 65, 1_000]) func aChecksumOfPiecesIsTheChecksum(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for size in [1, 13, 64, 999] {
            let pieces = stride(from: 0, to: count, by: size).map { Array(bytes[$0..<min(count, $0 + size)]) }
            #expect(sha256(pieces) == sha256([bytes]))
        }
    }

    /// What Python's `hmac` and `hashlib` make of keys and texts of every length around a block: the SHA-256 of all results.
    @Test func everyLengthIsDigestedAsPythonDoes() {
        func all(_ algorithm: SigningRule.Algorithm) -> String {
            var digests: [[UInt8]] = []
            for keyLength in 0..<140 {
                let key = (0..<keyLength).map { UInt8(($0 * 7 + 3) & 255) }
                for length in stride(from: 0, to: 140, by: 3) {
                    digests.append(algorithm.digest((0..<length).map { UInt8(($0 * 11 + keyLength) & 255) }, key))
                }
            }
            return hex(sha256(digests))
        }
        #expect(all(.hmacSHA256) == "a4efb2bcf32537e257e52c92910da9b6642575917dd89d83a0b6196ebfe4e2a9")
        #expect(all(.hmacSHA1) == "1b8d5785ac6ae2e23ad6273335c6e2c8b9d723441feb1a2aeeccbcba63f95a5f")
        #expect(all(.md5) == "409050e06af289b37fbc45ee0d60177606c4820c8568ab3c8291498adebab9c1")
    }
}
