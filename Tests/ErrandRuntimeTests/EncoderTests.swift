import ErrandDigests
import Foundation
import TestDigests
import Testing

@testable import ErrandRuntime

@Suite struct EncoderTests {
    static func endpoint(_ method: HTTPMethod) -> EndpointDescription {
        EndpointDescription(
            Shop.service, "test", method, effect: .read, response: .none)
    }

    func encode(
        _ method: HTTPMethod = .post, isSigned: Bool = false, _ write: (inout RequestEncoder) -> Void
    ) -> Result<AssembledRequest, InvalidRequest> {
        var encoder = RequestEncoder(
            method: method, base: "https://a.example/v1", isSigned: isSigned,
            wallTime: Date(timeIntervalSince1970: 5), chance: RandomSource(SeededGenerator(seed: 1)))
        write(&encoder)
        let endpoint = Self.endpoint(method)
        return encoder.finish(
            endpoint,
            RequestLimits(timeout: .seconds(1), maximumRedirects: 5, maximumResponseSize: 1 << 20, priority: .normal),
            home: Origin("https://a.example"))
    }

    func text(_ result: Result<AssembledRequest, InvalidRequest>) throws -> String {
        String(decoding: try result.get().request.body ?? [], as: UTF8.self)
    }

    static let segments: [(String, String)] = [
        ("simple", "simple"), ("a/b", "a%2Fb"), ("a b", "a%20b"), ("é?#&", "%C3%A9%3F%23%26"),
        ("%2e", "%252e"), ("~-._", "~-._"), ("a\r\nb", "a%0D%0Ab"), ("\0", "%00"), ("@evil", "%40evil"),
    ]

    @Test(arguments: segments) func segmentsAreEncoded(value: String, wanted: String) throws {
        let request = try encode(.get) {
            $0.path("/users/")
            $0.segment(value)
            $0.path("/friends")
        }.get()
        #expect(request.request.url == "https://a.example/v1/users/\(wanted)/friends")
    }

    @Test(arguments: ["", ".", ".."]) func segmentsThatLeadElsewhereAreRefused(value: String) {
        #expect(throws: InvalidRequest.self) { try encode(.get) { $0.segment(value) }.get() }
    }

    @Test func jsonHasTheMediaTypeOfTheContract() throws {
        for isWhole in [true, false] {
            let request = try encode {
                $0.contentType("application/vnd.api+json")
                if isWhole {
                    $0.bodyJSON { $0.write("a") }
                } else {
                    $0.beginBody(.json)
                    $0.field("a", 1)
                }
            }.get()
            #expect(request.request.headers["Content-Type"] == "application/vnd.api+json")
            #expect(request.request.body == Array((isWhole ? "\"a\"" : "{\"a\":1}").utf8))
        }
        #expect(try encode { $0.contentType("application/vnd.api+json") }.get().request.headers["Content-Type"] == nil)
    }

    @Test func queriesAreEncoded() throws {
        let request = try encode(.get) {
            $0.path("/q")
            $0.query("a b", "1&2=3+4")
            $0.query("n", -5)
            $0.query("d", Decimal(string: "0.1") ?? 0)
            $0.query("b", true)
            $0.query("x", [UInt8]([255, 254]))
            $0.parameter("p", 1.5)
        }.get()
        #expect(
            request.request.url == "https://a.example/v1/q?a%20b=1%262%3D3%2B4&n=-5&d=0.1&b=true&x=%2F%2F4%3D&p=1.5")
        #expect(request.request.body == nil)
    }

    /// RFC 9110 section 5.5: blanks around a value are not part of it. A value of nothing else is an empty value, and a required
    /// header is sent with it.
    @Test(arguments: [("", ""), (" ", ""), (" \t ", ""), (" a b ", "a b"), ("a", "a")])
    func blanksAroundAHeaderAreNoPartOfIt(value: String, sent: String) throws {
        let request = try encode { $0.header("X-Name", value) }.get().request
        #expect(request.headers["X-Name"] == sent)
    }

    @Test(arguments: ["a\r\nX-Evil: 1", "a\nb", "a\0b", "a\u{7F}", "\u{1}"])
    func headersCannotBeInjected(value: String) {
        let result = encode { $0.header("X-Name", value) }
        guard case .failure(let problem) = result else {
            Issue.record("it was sent")
            return
        }
        #expect(problem.broken.map(\.name) == ["X-Name"])
    }

    @Test func jsonBodiesTakeParameters() throws {
        let result = encode {
            $0.beginBody(.json)
            $0.field("s", "q\"uote")
            $0.field("list") { writer in
                writer.beginArray()
                writer.write(1)
                writer.endArray()
            }
            $0.parameter("platform", "linux")
            $0.add("t0ken", at: SessionPlacement(parameter: "token"))
        }
        #expect(try text(result) == #"{"s":"q\"uote","list":[1],"platform":"linux","token":"t0ken"}"#)
    }

    /// In a body they are JSON, elsewhere text; a list doesn't repeat its key.
    @Test func parametersHaveTheFormOfTheirPlace() throws {
        func write(_ request: inout RequestEncoder) {
            request.parameter("tags", list: ["a", "b"])
            request.parameter("none", list: [Int]())
            request.parameter("at", UnixTimestamp(Date(timeIntervalSince1970: 1.5)))
            request.parameter("ms", MillisecondTimestamp(Date(timeIntervalSince1970: 1.5)))
        }
        #expect(try text(encode { write(&$0) }) == #"{"tags":["a","b"],"none":[],"at":1.5,"ms":1500}"#)
        let form = encode {
            $0.beginBody(.form)
            write(&$0)
        }
        #expect(try text(form) == "tags=a&tags=b&at=1.5&ms=1500")
        let url = try encode(.get) {
            $0.path("/q")
            write(&$0)
        }.get().request.url
        #expect(url == "https://a.example/v1/q?tags=a&tags=b&at=1.5&ms=1500")
    }

    @Test func aPostWithoutABodyGetsOneForParameters() throws {
        #expect(try text(encode { $0.parameter("a", 1) }) == #"{"a":1}"#)
        let whole = encode {
            $0.bodyJSON { $0.write(7) }
            $0.parameter("a", 1)
        }
        #expect(try text(whole) == "7")
        #expect(try whole.get().request.url.hasSuffix("?a=1"))
        #expect(try text(encode { $0.beginBody(.json) }) == "{}")
    }

    @Test func anIdempotencyKeyIsTheLastFieldOfAnyBody() throws {
        let place = KeyPlacement.field("a\"b")
        #expect(try text(encode { $0.add("k\\", at: place) }) == #"{"a\"b":"k\\"}"#)
        let empty = encode {
            $0.bodyJSON { writer in
                writer.beginObject()
                writer.endObject()
            }
            $0.add("k", at: place)
        }
        #expect(try text(empty) == #"{"a\"b":"k"}"#)
        let whole = encode {
            $0.bodyJSON { writer in
                writer.beginObject()
                writer.key("n")
                writer.write(1)
                writer.endObject()
            }
            $0.add("k", at: place)
            $0.parameter("p", 1)
        }
        #expect(try text(whole) == #"{"n":1,"a\"b":"k"}"#)
        let list = encode {
            $0.bodyJSON { writer in
                writer.beginArray()
                writer.endArray()
            }
            $0.add("k", at: place)
        }
        #expect(throws: InvalidRequest.self) { try list.get() }
        let form = encode {
            $0.beginBody(.form)
            $0.field("n", 1)
            $0.add("k", at: place)
        }
        #expect(try text(form) == "n=1&a%22b=k")
    }

    /// A key in the body is signed as any other parameter is.
    @Test func anIdempotencyKeyInABodyIsSigned() throws {
        var signatures: Set<String?> = []
        for key in ["a", "b"] {
            let request = encode(isSigned: true) {
                $0.beginBody(.form)
                $0.add(key, at: .field("key"))
                $0.sign(SigningRule(.hmacSHA256, into: .header("X-Sign")), key: "secret")
            }
            signatures.insert(try request.get().request.headers["X-Sign"])
        }
        #expect(signatures.count == 2)
    }

    @Test func formBodies() throws {
        let result = encode {
            $0.beginBody(.form)
            $0.field("a b", "c d&e")
            $0.field("é", "~+")
        }
        #expect(try text(result) == "a+b=c+d%26e&%C3%A9=%7E%2B")
        #expect(try result.get().request.headers["content-type"] == "application/x-www-form-urlencoded")
    }

    /// As Stripe and most frameworks of servers read them. The brackets are percent-encoded as everything else is.
    @Test func valuesInsideOfValuesAreFieldsInBracketsInAForm() throws {
        let lines = [["price": "a b"], [:], ["price": "é"]]
        let result = encode {
            $0.beginBody(.form)
            $0.field("a&b") { $0.writeMap(["k y": 1]) { $1.write($0) } }
            $0.field("lines") { writer in
                writer.writeArray(lines) { line, writer in
                    writer.writeMap(line) { $1.write($0) }
                }
            }
            $0.field("inner") { writer in
                writer.beginObject()
                writer.key("list")
                writer.writeArray([true, false]) { $1.write($0) }
                writer.key("nothing")
                writer.writeNull()
                writer.key("at")
                writer.writeUnixTimestamp(Date(timeIntervalSince1970: 1.5))
                writer.key("empty")
                writer.writeArray([Int]()) { $1.write($0) }
                writer.endObject()
            }
        }
        #expect(
            try text(result)
                == "a%26b%5Bk+y%5D=1&lines%5B0%5D%5Bprice%5D=a+b&lines%5B2%5D%5Bprice%5D=%C3%A9"
                + "&inner%5Blist%5D%5B0%5D=true&inner%5Blist%5D%5B1%5D=false&inner%5Bat%5D=1.5")
    }

    /// A key of the app's user must not reach another field.
    @Test(arguments: ["", "a][b", "a]"]) func keysThatLeadElsewhereAreRefused(key: String) {
        let result = encode {
            $0.beginBody(.form)
            $0.field("metadata") { $0.writeMap([key: "x"]) { $1.write($0) } }
        }
        #expect(throws: InvalidRequest.self) { try result.get() }
    }

    @Test func valuesInsideOfValuesAreSignedOneByOneInAForm() throws {
        var signatures: Set<String?> = []
        for value in ["a", "b"] {
            let request = encode(isSigned: true) {
                $0.beginBody(.form)
                $0.field("metadata") { $0.writeMap(["k": value]) { $1.write($0) } }
                $0.sign(SigningRule(.hmacSHA256, into: .header("X-Sign")), key: "secret")
            }
            signatures.insert(try request.get().request.headers["X-Sign"])
        }
        let flat = encode(isSigned: true) {
            $0.beginBody(.form)
            $0.field("metadata[k]", "a")
            $0.sign(SigningRule(.hmacSHA256, into: .header("X-Sign")), key: "secret")
        }
        signatures.insert(try flat.get().request.headers["X-Sign"])
        #expect(signatures.count == 2)
    }

    @Test func whatCannotBeWrittenIsRefused() {
        for result in [
            encode {
                $0.beginBody(.multipart)
                $0.field("f", "x", contentType: "a\r\nb")
            },
            encode {
                $0.beginBody(.multipart, nesting: .brackets)
                $0.field("f") { writer in
                    writer.beginObject()
                    writer.key(dynamic: "a]b")
                    writer.write("x")
                    writer.endObject()
                }
            },
            encode { $0.query("n", Double.nan) },
            encode {
                $0.beginBody(.json)
                $0.field("n", Double.infinity)
            },
            encode { $0.file("f", FilePart([], fileName: "x")) },
            encode {
                $0.beginBody(.multipart)
                $0.file("f", FilePart([], fileName: "x", contentType: "a\r\nb"))
            },
        ] {
            #expect(throws: InvalidRequest.self) { try result.get() }
        }
    }

    @Test func wholeURLsKeepTheirQuery() throws {
        let url = try #require(URL(string: "https://cdn.example/i.png?v=1#top"))
        let request = try encode(.get) {
            $0.wholeURL(url)
            $0.query("w", 2)
            let isAtHome = $0.isAtHome
            #expect(!isAtHome)
        }.get()
        #expect(request.request.url == "https://cdn.example/i.png?v=1&w=2")
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://a.example/x", "https://u:p@a.example/", "data:,x"])
    func otherSchemesAreRefused(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(throws: InvalidRequest.self) { try encode(.get) { $0.wholeURL(url) }.get() }
    }

    @Test func sensitiveValuesAreBlankedInThePrintedURL() throws {
        let request = try encode(.get) {
            $0.path("/u/")
            $0.segment("s3cret1", sensitive: true)
            $0.path("/x")
            $0.query("a", 1)
            $0.query("k", "s3cret2", sensitive: true)
            $0.query("b", 2)
        }.get()
        #expect(request.request.url == "https://a.example/v1/u/s3cret1/x?a=1&k=s3cret2&b=2")
        #expect(request.printedURL == "https://a.example/v1/u/•••/x?a=1&k=•••&b=2")
    }

    @Test func signaturesTravelWithTheirParameters() throws {
        let rule = SigningRule(
            .md5, append: "&key={key}", skipEmpty: true, into: .header("sign"), send: .headers)
        let request = try encode(.get, isSigned: true) {
            $0.query("b", "2")
            $0.query("a", "1")
            $0.query("c", "")
            $0.sign(rule, key: "s3cret")
        }.get().request
        #expect(request.headers["a"] == "1" && request.headers["b"] == "2" && request.headers["c"] == nil)
        let digest = MD5.digest(Array("a=1&b=2&key=s3cret".utf8))
        #expect(request.headers["sign"] == digest.map { String(format: "%02x", $0) }.joined())
    }

    static let origins: [(String, String?)] = [
        ("https://A.example", "https://a.example"), ("https://a.example:443/x", "https://a.example"),
        ("http://a.example:8080?q", "http://a.example:8080"), ("http://[::1]:80/", "http://[::1]"),
        ("https://a.example@evil.example/", nil), ("https://", nil), ("//a.example", nil),
        ("https://a.example:0", nil), ("https://a.example:x", nil), ("https://a.example\\@b", nil),
        ("https://a b", nil), ("javascript:alert(1)", nil),
    ]

    @Test(arguments: origins) func originsAreRead(url: String, wanted: String?) {
        #expect(Origin(url)?.description == wanted)
    }
}
