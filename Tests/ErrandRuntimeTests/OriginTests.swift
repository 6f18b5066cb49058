import Testing

@testable import ErrandRuntime

/// The origin of a URL (RFC 6454 section 4), with what URLs may hold (RFC 3986 section 3.2).
@Suite struct OriginTests {
    @Test(arguments: [
        ("https://api.bank.example", "https", "api.bank.example", 443),
        ("http://api.bank.example/v1?a=b#c", "http", "api.bank.example", 80),
        ("HTTPS://API.Bank.Example:8443/V1", "https", "api.bank.example", 8443),
        ("https://bank.example?next=https://other.example:1/", "https", "bank.example", 443),
        ("https://bank.example#@other.example", "https", "bank.example", 443),
        ("http://127.0.0.1:1", "http", "127.0.0.1", 1), ("http://127.0.0.1:65535", "http", "127.0.0.1", 65535),
        ("http://127.0.0.1:0080", "http", "127.0.0.1", 80),
        ("http://[::1]", "http", "[::1]", 80), ("http://[2001:DB8::1]:8080/", "http", "[2001:db8::1]", 8080),
    ])
    func aURLHasOne(_ url: String, _ scheme: String, _ host: String, _ port: Int) throws {
        let origin = try #require(Origin(url))
        #expect(origin.scheme == scheme && origin.host == host && origin.port == port)
        #expect(Origin(origin.description) == origin)
    }

    @Test(arguments: [
        "", "https", "https:/", "https://", "https:///path", "https://:443", "ftp://bank.example", "//bank.example",
        "/path",
        "https://user@bank.example", "https://user:password@bank.example", "https://bank.example@other.example",
        "https://bank.example:", "https://bank.example:0", "https://bank.example:65536", "https://bank.example:+80",
        "https://bank.example:99999999999999999999", "https://bank.example:8 0", "https://bank.example:80a",
        "https://::1", "https://a:b:1", "https://bank.example\\@other.example", "https://bank .example",
        "https://bank.example\n", "https://bänk.example", "https://bank.example/ä",
    ])
    func anythingElseHasNone(_ url: String) {
        #expect(Origin(url) == nil)
    }
}
