import TestDigests
import Testing

@testable import TestServices

/// The test suites of RFC 1321, FIPS 180 and RFC 4231.
@Suite struct DigestsTests {
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
    ])
    func md5(text: String, digest: String) {
        #expect(Signature.hexadecimal(MD5.digest(Array(text.utf8))) == digest)
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func sha256(text: String, digest: String) {
        #expect(Signature.hexadecimal(SHA256.digest(Array(text.utf8))) == digest)
    }

    @Test func hmac() {
        let short = SHA256.authenticate(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        #expect(Signature.hexadecimal(short) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let long = SHA256.authenticate(
            Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            key: [UInt8](repeating: 0xaa, count: 131))
        #expect(Signature.hexadecimal(long) == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }

    @Test func textThatIsSigned() {
        let rule = Signature.Rule(
            algorithm: .md5, key: "K", append: "&privateKey={key}", skipsEmpty: true, trims: true, encodesValues: true)
        let parameters = [("b", " two words "), ("a", "ü&="), ("empty", " "), ("B", "1")]
        #expect(Signature.signedText(parameters, by: rule) == "B=1&a=%C3%BC%26%3D&b=two%20words&privateKey=K")
    }
}
