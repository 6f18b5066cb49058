import Foundation
import TestServices
import Testing

@Suite struct FriendsServiceTests {
    @Test func sessionsAreShared() async throws {
        let auth = try await AuthService.start()
        let friends = try await FriendsService.start(auth: auth)
        let authClient = RawClient(base: auth.url)
        let client = RawClient(base: friends.url)

        let login = try await signed(authClient, "POST", "/sessions", [("user", "ada"), ("password", "lovelace")])
        let token = try #require(login.json?["token"]?.text)
        #expect(try await signed(authClient, "GET", "/me", [("token", token)]).json?["id"] == 1)
        let wrong = try await signed(authClient, "POST", "/sessions", [("user", "ada"), ("password", "é ü")])
        #expect(wrong.json?["error"] == "wrong_password")
        let refresh = [(name: "refreshToken", value: login.json?["refreshToken"]?.text ?? "")]
        #expect(try await signed(authClient, "POST", "/sessions/renewal", refresh).status == 200)
        #expect(try await signed(authClient, "POST", "/sessions/renewal", refresh).json?["error"] == "invalid_grant")
        #expect(await auth.refreshes == 1)
        #expect(await auth.violations == [])
        _ = try await authClient.send("GET", "/me?client_id=errand-tests&nonce=\(UUID().uuidString)&sent_at=1770000000")
        #expect(await auth.violations.count == 1)

        let common = "api=3&device_id=device-1&locale=en&token=\(token)"
        await friends.setBadUsers(true)
        #expect(try await client.send("GET", "/users?page=3&size=20&\(common)").json?.elements?.count == 8)
        #expect(try await client.send("GET", "/users/46?\(common)").json?["message"] == "no such user")
        #expect(
            try await client.send("GET", "/people?q=ada&page=1&api=3&device_id=device-1&locale=en").json?["total"] == 9)
        let fields = [
            ("user_id", "4"), ("closeness", "1"), ("api", "3"), ("device_id", "device-1"), ("locale", "en"),
            ("token", token),
        ]
        #expect(try await client.form("POST", "/friendships", fields.map { (name: $0.0, value: $0.1) }).status == 201)
        #expect(try await client.form("POST", "/friendships", fields.map { (name: $0.0, value: $0.1) }).status == 409)
        #expect(
            try await client.send("GET", "/users/1/friends?page=1&closeness=1&\(common)").json?.elements?.count == 1)
        #expect(try await client.send("DELETE", "/friendships/4?\(common)").status == 204)
        let patch: WireJSON = [
            "e_mail": nil, "tags": ["x"], "api": "3", "device_id": "device-1", "locale": "en", "token": .string(token),
        ]
        #expect(try await client.json("PATCH", "/profile", patch).json?["e_mail"] == .null)
        #expect(await friends.violations == [])
        await auth.expireSessions()
        #expect(try await client.send("GET", "/users?page=1&size=20&\(common)").status == 401)
        _ = try await client.send("GET", "/people?q=x&page=1&api=2&device_id=device-1&locale=en")
        #expect(await friends.violations == ["GET /people: api should be 3, is 2"])
        await friends.stop()
        await auth.stop()
    }

    private func signed(
        _ client: RawClient, _ method: String, _ path: String, _ fields: [(name: String, value: String)]
    ) async throws -> RawClient.Answer {
        let common = [
            (name: "client_id", value: AuthService.clientID), ("nonce", UUID().uuidString),
            ("sent_at", "2026-03-01T09:30:00Z"),
        ]
        let rule = Signature.Rule(algorithm: .hmacSHA256, key: AuthService.clientSecret)
        let headers = ["X-Signature": Signature.of(fields + common, by: rule)]
        if method == "GET" {
            return try await client.send(method, path + "?" + RawClient.encoded(fields + common), headers)
        }
        return try await client.form(method, path, headers, fields + common)
    }
}

extension RawClient {
    func form(_ method: String, _ path: String, _ fields: [(name: String, value: String)]) async throws -> Answer {
        try await form(method, path, [:], fields)
    }
}
