import Foundation
import TestServices
import Testing

@Suite struct LiveServiceTests {
    @Test func aNightOfRooms() async throws {
        let live = try await LiveService.start()
        let client = RawClient(base: live.url)
        let login = try await signed(client, "POST", "/sessions", [("phone", "+49 30"), ("code", "1234")])
        let token = (name: "token", value: try #require(login.json?["data"]?["token"]?.text))

        let paging = [(name: "page", value: "1"), ("size", "3"), ("category", "")]
        for (shape, count) in [(LiveService.ListShape.inList, 3), (.plainArray, nil), (.null, nil)]
            as [(LiveService.ListShape, Int?)]
        {
            await live.setListShape(shape)
            let data = try await signed(client, "GET", "/rooms", paging).json?["data"]
            #expect(data?["list"]?.elements?.count == count)
            if shape == .plainArray { #expect(data?.elements?.count == 3) }
            if shape == .null { #expect(data == .null) }
        }
        await live.setCodesAreText(false)
        #expect(
            try await signed(client, "GET", "/room-matches", [("keyword", "Cooking & more"), ("page", "1")]).json?[
                "data"]?["total"] == "15")
        #expect(try await signed(client, "GET", "/room/404", []).json?["code"] == 4040)
        #expect(try await signed(client, "GET", "/notice", []).json?["data"] == .null)
        let follow = try await signed(client, "PUT", "/hosts/3/follower", [token])
        #expect(follow.json?["msg"] == "Now you follow host 3!" && follow.json?["code"] == 100)
        #expect(
            try await signed(client, "POST", "/room/7/viewers", [token, ("quality", "auto")]).json?["code"] == 4100)
        let gift = [token, (name: "giftID", value: "6"), ("count", "1"), ("greeting", "  ")]
        #expect(try await signed(client, "POST", "/room/3/gifts", gift).json?["data"]?["coinsLeft"] == "40")
        #expect(try await signed(client, "POST", "/room/3/gifts", gift).json?["data"]?["price"] == 60)
        #expect(await live.giftsSent == 1)
        #expect(await live.violations == [])
        await live.expireSessions()
        #expect(try await signed(client, "DELETE", "/sessions", [token]).json?["code"] == 4010)
        #expect(try await signed(client, "GET", "/notice", [], key: "wrong").json?["code"] == 4030)
        #expect(await live.violations.count == 1)
        await live.stop()
    }

    private func signed(
        _ client: RawClient, _ method: String, _ path: String, _ fields: [(name: String, value: String)],
        key: String = LiveService.privateKey
    ) async throws -> RawClient.Answer {
        let all =
            fields + [
                (name: "platform", value: "ios"), ("appVersion", "1.0"), ("channel", "store"),
                ("requestID", UUID().uuidString), ("time", "2026-03-01T09:30:00Z"),
            ]
        let rule = Signature.Rule(
            algorithm: .md5, key: key, append: "&privateKey={key}", skipsEmpty: true, trims: true, encodesValues: true)
        let sign = "sign=" + Signature.of(all, by: rule)
        if ["GET", "DELETE"].contains(method) {
            return try await client.send(method, "\(path)?\(RawClient.encoded(all))&\(sign)")
        }
        return try await client.form(method, "\(path)?\(sign)", all)
    }
}
