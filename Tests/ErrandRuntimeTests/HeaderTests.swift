import Testing

@testable import ErrandRuntime

@Suite struct HeaderTests {
    @Test(arguments: [
        ("a", "a"), (" a", "a"), ("a\t", "a"), ("\t a b \t ", "a b"), (" ", ""), ("\t", ""), ("", ""),
        ("\u{A0}a\r\n", "\u{A0}a\r\n"),
    ])
    func spaceAroundAValueIsNoPartOfIt(sent: String, value: String) {
        var headers: HTTPHeaders = ["X-Other": "b"]
        headers.append("X-Value", sent, isSensitive: true)
        let response = TransportResponse(status: 200, headers: headers)
        #expect(response.headers["X-Value"] == value)
        #expect(response.headers["X-Other"] == "b")
        #expect(response.headers.fields.map(\.isSensitive) == [false, true])
    }
}
