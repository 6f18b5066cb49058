import Foundation
import TestServices
import Testing

@Suite struct ConversationsServiceTests {
    @Test func aConversation() async throws {
        let service = try await ConversationsService.start()
        var client = RawClient(base: service.url, headers: ["X-Device-ID": UUID().uuidString, "Accept-Language": "de"])
        let login = try await client.json("POST", "/sessions", ["user_name": "ada", "password": "lovelace"])
        client.headers["X-Session"] = try #require(login.json?["data"]?["token"]?.text)
        let known = "/conversations/\(ConversationsService.known)"

        let all = try await client.send("GET", "/conversations?page_size=50&page=1").json?["data"]?.elements
        #expect(all?.count == 2 && all?.first?["last_message"]?["quoted"]?["kind"] == "text")
        let page = try await client.send("GET", known + "/messages?limit=3").json?["data"]
        #expect(page?["messages"]?.elements?.count == 3 && page?["earlier_cursor"] == "3")
        let rest = try await client.send("GET", known + "/messages?limit=3&cursor=3").json?["data"]
        #expect(rest?["messages"]?.elements?.count == 1 && rest?["earlier_cursor"] == .null)

        let draft: WireJSON = ["draft": ["kind": "text", "text": "Hi"], "notify": true]
        let said = try await client.json("POST", known + "/messages", ["Idempotency-Key": "1"], draft)
        let again = try await client.json("POST", known + "/messages", ["Idempotency-Key": "1"], draft)
        #expect(said.status == 201 && said.body == again.body)
        #expect(await service.said == ["Hi"])
        let closed = "/conversations/\(ConversationsService.closed)/messages"
        #expect(
            try await client.json("POST", closed, ["Idempotency-Key": "2"], draft).json?["error"]?["code"]
                == "conversation_closed")

        #expect(
            try await client.json("POST", "/conversations", ["member_ids": [2]]).json?["error"]?["code"]
                == "conversation_exists")
        #expect(
            try await client.json("POST", "/conversations", ["member_ids": [3]]).json?["error"]?["code"]
                == "recipient_blocked")
        #expect(try await client.json("POST", "/conversations", ["member_ids": [2, 4]]).status == 201)

        _ = try await client.json("PATCH", known, ["muted_until": 1_800_000_000])
        let patched = try await client.json("PATCH", known, ["title": nil]).json?["data"]
        #expect(patched?["title"] == .null && patched?["muted_until"] == 1_800_000_000)
        #expect(try await client.json("PUT", known + "/read-marker", ["message_id": "x"]).status == 204)
        let picture = try await client.send(
            "PUT", "/images/abc", ["Content-Type": "application/octet-stream", "X-Media-Type": "image/png"],
            body: [1, 2, 0xff])
        #expect(picture.status == 200)
        #expect(await service.pictures["abc"] == [1, 2, 0xff])
        #expect(try await client.send("DELETE", known + "?keep_history=true").status == 200)
        #expect(try await client.send("GET", known + "/recent?limit=1").status == 404)
        await service.fail(code: "x", kind: "not_stored", status: 500)
        #expect(try await client.send("GET", "/conversations").json?["error"]?["kind"] == "not_stored")
        #expect(await service.violations == [])
        await service.stop()
    }
}
