import ErrandDigests
import Foundation
import TestDigests
import Testing

@testable import ErrandRuntime

@Suite struct SigningTests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
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
            chance: RandomSource(SeededGenerator(seed: 1)))
        write(&encoder)
        encoder.sign(rule, key: "k")
        return try encoder.finish(
            EncoderTests.endpoint(method),
            RequestLimits(timeout: .seconds(1), maximumRedirects: 5, maximumResponseSize: 1 << 20, priority: .normal),
            home: Origin("https://a.example")
        ).get().request
    }

    private func text(_ request: TransportRequest) -> String { String(decoding: request.body ?? [], as: UTF8.self) }

    /// The signature is a field if the body has fields, and otherwise a parameter of the query.
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

    /// The digest is over trimmed and encoded values; the headers have them without an encoding. Blanks around the value of a
    /// header are not a part of it.
    @Test func parametersTravelAsHeadersWithTheirRawValues() throws {
        let rule = SigningRule(
            .md5, append: "{key}", skipEmpty: true, trim: true, encode: .values, into: .body("sign"), send: .headers)
        let sent = try request(.post, rule) {
            $0.beginBody(.form)
            $0.field("b", " a&b ")
            $0.field("none", " ")
        }
        #expect(sent.headers["b"] == "a&b")
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
