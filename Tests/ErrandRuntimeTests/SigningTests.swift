import Foundation
import Testing

@testable import ErrandRuntime

@Suite struct SigningTests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
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
        #expect(hex(MD5.digest(Array(text.utf8))) == digest)
    }

    /// RFC 3174 section 7.3, and the empty text.
    @Test func sha1() {
        #expect(hex(SHA1.digest([])) == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
        #expect(hex(SHA1.digest(Array("abc".utf8))) == "a9993e364706816aba3e25717850c26c9cd0d89d")
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        #expect(hex(SHA1.digest(Array(long.utf8))) == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
    }

    /// RFC 6234 section 8.5.
    @Test func sha256() {
        #expect(
            hex(SHA256.digest([]))
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            hex(SHA256.digest(Array("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        #expect(
            hex(SHA256.digest(Array(long.utf8)))
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        #expect(
            hex(SHA256.digest([UInt8](repeating: 0x61, count: 1_000_000)))
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
            #expect(hex(HMAC<SHA256>.authenticate(message, key: key)) == long)
            #expect(hex(HMAC<SHA1>.authenticate(message, key: key)) == short)
        }
        let text = Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
        #expect(
            hex(HMAC<SHA256>.authenticate(text, key: [UInt8](repeating: 0xaa, count: 131)))
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        #expect(
            hex(HMAC<SHA1>.authenticate(text, key: [UInt8](repeating: 0xaa, count: 80)))
                == "aa4ae5e15272d00e95705637ce8a3b55ed402112")
    }

    @Test func parametersAreSortedSkippedTrimmedAndEncoded() {
        let rule = SigningRule(
            .md5, append: "&privateKey={key}", skipEmpty: true, trim: true, encode: .values,
            into: .header("sign"))
        let prepared = rule.prepare([
            SignedParameter(name: "b", value: " two words "), SignedParameter(name: "a", value: "1"),
            SignedParameter(name: "c", value: "  "), SignedParameter(name: "B", value: "ü"),
        ])
        #expect(prepared.map(\.name) == ["B", "a", "b"])
        #expect(prepared.map(\.value) == ["%C3%BC", "1", "two%20words"])
        let text = "B=%C3%BC&a=1&b=two%20words&privateKey=k"
        #expect(rule.sign(prepared, key: "k") == hex(MD5.digest(Array(text.utf8))))
    }

    private func request(
        _ method: HTTPMethod = .post, _ rule: SigningRule, _ write: (inout RequestEncoder) -> Void
    ) throws -> TransportRequest {
        var encoder = RequestEncoder(
            method: method, base: "https://a.example", isSigned: true, wallTime: Date(timeIntervalSince1970: 5),
            chance: ChanceSource(SeededGenerator(seed: 1)))
        write(&encoder)
        encoder.sign(rule, key: "k")
        return try encoder.finish(
            EncoderTests.endpoint(method),
            RequestLimits(timeout: .seconds(1), maximumRedirects: 5, maximumResponseSize: 1 << 20, priority: .normal)
        ).get().request
    }

    private func text(_ request: TransportRequest) -> String { String(decoding: request.body ?? [], as: UTF8.self) }

    /// The signature is a field where the body has fields, and a parameter of the query where it has none.
    @Test func aSignatureTravelsInTheBody() throws {
        let rule = SigningRule(.md5, append: "&key={key}", into: .body("sign"))
        let digest = hex(MD5.digest(Array("a=1&b=x y&key=k".utf8)))
        let form = try request(.post, rule) {
            $0.beginBody(.form)
            $0.field("b", "x y")
            $0.field("a", 1)
        }
        #expect(text(form) == "b=x+y&a=1&sign=\(digest)")
        let json = try request(.post, rule) {
            $0.beginBody(.json)
            $0.field("b", "x y")
            $0.parameter("a", 1)
        }
        #expect(text(json) == #"{"b":"x y","a":1,"sign":"\#(digest)"}"#)
        let query = try request(.get, rule) {
            $0.query("b", "x y")
            $0.query("a", 1)
        }
        #expect(query.url.hasSuffix("?b=x%20y&a=1&sign=\(digest)") && query.body == nil)
        let whole = try request(.post, rule) {
            $0.query("b", "x y")
            $0.query("a", 1)
            $0.bodyJSON { $0.write(7) }
        }
        #expect(whole.url.hasSuffix("&sign=\(digest)") && text(whole) == "7")
    }

    @Test func headersAreSignedAmongTheParameters() throws {
        let rule = SigningRule(.md5, append: "&key={key}", headers: ["x-time", "X-None"], into: .header("X-Sign"))
        let signed = try request(.post, rule) {
            $0.header("X-Time", 5)
            $0.header("X-Other", 6)
            $0.query("y", 1)
        }
        #expect(signed.headers["X-Sign"] == hex(MD5.digest(Array("x-time=5&y=1&key=k".utf8))))
    }

    /// The digest is over trimmed and encoded values; the headers have them as they are.
    @Test func parametersTravelAsHeadersWithTheirRawValues() throws {
        let rule = SigningRule(
            .md5, append: "{key}", skipEmpty: true, trim: true, encode: .values, into: .body("sign"), send: .headers)
        let sent = try request(.post, rule) {
            $0.beginBody(.form)
            $0.field("b", " a&b ")
            $0.field("none", " ")
        }
        #expect(sent.headers["b"] == " a&b ")
        #expect(sent.headers["none"] == nil && sent.headers["sign"] == nil)
        #expect(text(sent).hasSuffix("&sign=\(hex(MD5.digest(Array("b=a%26bk".utf8))))"))
    }

    /// A text that is written as JSON is signed without its quotes, as it would be in a query.
    @Test func textsOfAJSONBodyAreSignedWithoutQuotes() throws {
        let rule = SigningRule(.md5, append: "{key}", into: .header("X-Sign"))
        let sent = try request(.post, rule) {
            $0.beginBody(.json)
            $0.field("at") { $0.writeTimestamp(Date(timeIntervalSince1970: 0)) }
            $0.field("list") { $0.writeArray([1, 2]) { $1.write($0) } }
        }
        #expect(sent.headers["X-Sign"] == hex(MD5.digest(Array("at=1970-01-01T00:00:00Z&list=[1,2]k".utf8))))
    }

    @Test func lettersCanBeLarge() {
        let rule = SigningRule(.md5, case: .upper, into: .query("sign"))
        #expect(rule.sign([], key: "") == "D41D8CD98F00B204E9800998ECF8427E")
    }
}
