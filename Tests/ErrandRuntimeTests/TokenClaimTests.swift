import ErrandRuntime
import Foundation
import Testing

/// Reading the user from a JSON Web Token (RFC 7519).
@Suite struct TokenClaimTests {
    @Test(arguments: [
        (#"{"sub":"ada"}"#, "ada"), (#"{"sub":7}"#, "7"), (#"{"sub":12345678901234567890}"#, "12345678901234567890"),
        (#"{"iss":"x","sub":"søren?>"}"#, "søren?>"), (#"{"sub":"a"}"#, "a"), (#"{"sub":"ab"}"#, "ab"),
    ])
    func findsTheClaim(_ claims: String, _ wanted: String) {
        #expect(SessionTokens.claim("sub", of: Self.token(claims)) == wanted)
    }

    @Test(arguments: [
        "", "a.b", "a.b.c.d", "5f1c", "..", "a.!!!.c", "a." + encoded("no JSON") + ".c", token("[1]"), token("{}"),
        token(#"{"sub":null}"#),
        token(#"{"sub":""}"#), token(#"{"sub":["ada"]}"#), token(#"{"sub":true}"#), token(#"{"user":"ada"}"#),
    ])
    func findsNothing(_ token: String) {
        #expect(SessionTokens.claim("sub", of: token) == nil)
    }

    private static func token(_ claims: String) -> String {
        "\(encoded(#"{"alg":"HS256"}"#)).\(encoded(claims)).signature"
    }

    private static func encoded(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
            "=", with: "")
    }
}
