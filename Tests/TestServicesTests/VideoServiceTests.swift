import Foundation
import TestServices
import Testing

@Suite struct VideoServiceTests {
    @Test func anEveningOfVideos() async throws {
        let video = try await VideoService.start()
        var client = RawClient(base: video.url)
        let wrong = try await logIn(client, password: "x")
        #expect(wrong.status == 401 && wrong.json?["error"]?["reason"] == "badCredentials")
        let token = try #require(try await logIn(client, password: "lovelace").json?["token"]?.text)
        client.headers["Authorization"] = "Token " + token

        let feed = "?start-index=59&max-results=25&order=newest"
        #expect(try await send(client, "GET", "/feeds/top" + feed).json?["feed"]?["entry"]?.elements?.count == 2)
        let single = try await send(client, "GET", "/feeds/single?start-index=1&max-results=25&order=newest")
        #expect(single.json?["feed"]?["entry"]?["id"] == "v1" && single.json?["feed"]?["total"] == "1")
        await video.setBadEntries(true)
        #expect(try await send(client, "GET", "/videos/v3/related?page=1").json?["feed"]?.elements?.count == 5)
        #expect(try await send(client, "GET", "/videos/v1/related?page=1").json?["feed"]?["id"] == "v2")
        #expect(try await send(client, "GET", "/videos/v404").status == 404)
        #expect(try await send(client, "HEAD", "/videos/v2").status == 200)
        #expect(try await send(client, "GET", "/videos/v451").json?["error"]?["allowed"] == ["DE", "AT"])
        #expect(try await send(client, "GET", "/videos/v2/preview").body.count == 10_000)
        #expect(try await send(client, "PUT", "/watchlist/v2").status == 201)
        #expect(try await send(client, "PUT", "/watchlist/v2").status == 200)
        #expect(
            try await send(client, "PUT", "/videos/v2/rating", body: Array("{\"stars\":4}".utf8)).json?["count"] == 1)
        #expect(try await send(client, "GET", "/videos/v2/comments?page=1").json?["total"] == 2)
        #expect(try await RawClient(base: video.imageURL("a.png")).send("GET", "").body.count == 11)
        #expect(await video.violations == [])

        await video.expireSessions()
        #expect(try await send(client, "GET", "/channels?page=1").status == 401)
        await video.setSessionLoss(.hangUp)
        // On a connection that it has used before, URLSession would ask a second time by itself.
        let fresh = RawClient(base: video.url, headers: client.headers)
        await #expect(throws: URLError.self) { try await send(fresh, "GET", "/channels?page=1") }
        await video.setSessionLoss(.status401)
        _ = try await client.send("GET", "/channels", ["X-Platform": "ios"])
        #expect(await video.violations == ["GET /channels: no request id"])
        await video.stop()
    }

    private func logIn(_ client: RawClient, password: String) async throws -> RawClient.Answer {
        try await client.form(
            "POST", "/sessions", ["X-Platform": "ios", "X-Request-ID": UUID().uuidString],
            [("Email", "ada@example.org"), ("Passwd", password), ("service", "video")])
    }

    @discardableResult
    private func send(_ client: RawClient, _ method: String, _ path: String, body: [UInt8]? = nil) async throws
        -> RawClient.Answer
    {
        try await client.send(method, path, ["X-Platform": "ios", "X-Request-ID": UUID().uuidString], body: body)
    }
}
