import Testing

@testable import TestServices

@Suite struct WireTests {
    @Test func numbersKeepTheirText() throws {
        let json = try #require(
            WireJSON(parsing: Array(#" {"a": 500.00, "b": [1e3, -0, "\u00e9\ud83d\ude00\n"], "a": null}"#.utf8)))
        #expect(json["a"]?.numberText == "500.00")
        #expect(json.description == "{\"a\":500.00,\"b\":[1e3,-0,\"é\u{1F600}\\n\"],\"a\":null}")
    }

    @Test(arguments: ["", "{", "[1,]", "01", "1.", "\"\\x\"", "\"\\ud800\"", "nul", "{\"a\" 1}", "1 2", "\"\n\"", "+1"])
    func whatIsNoJSON(text: String) {
        #expect(WireJSON(parsing: Array(text.utf8)) == nil)
    }

    @Test func parts() throws {
        let text =
            "--x\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nA\r\nB\r\n"
            + "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n\r\n--x--\r\n"
        let parts = try #require(
            MultipartBody.parts(of: Array(text.utf8), contentType: "multipart/form-data; boundary=x"))
        #expect(parts.map(\.name) == ["title", "f"])
        #expect(parts.first?.text == "A\r\nB")
        #expect(parts.last?.fileName == "a.png" && parts.last?.contentType == "image/png" && parts.last?.bytes == [])
        #expect(
            MultipartBody.parts(of: Array(text.dropLast(4).utf8), contentType: "multipart/form-data; boundary=x") == nil
        )
    }

    @Test func percentCoding() {
        #expect(PercentCoding.pairs("a=1+2&b=%C3%BC&c", plusIsSpace: true)?.map(\.value) == ["1 2", "ü", ""])
        #expect(PercentCoding.decoded("%4") == nil)
        #expect(PercentCoding.decoded("%ff") == nil)
    }
}
