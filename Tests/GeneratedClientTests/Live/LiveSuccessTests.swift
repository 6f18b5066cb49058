import Foundation
import LiveClient
import TestServices
import Testing

/// Each endpoint of the live rooms without faults, with an old server's loose types.
@Suite(.serialized) struct LiveSuccessTests {
    @Test func logsInAndOut() async throws {
        let service = try await LiveService.start()
        let session = Session()
        let live = Live.unknown(service, session: session)
        let login = try await live.logIn(phone: "+49301234567", code: "1234")
        #expect(login.host.id == 1 && login.host.name == "Host 1" && login.host.followed && login.host.signature == nil)
        #expect(session.tokens?.access == login.token && session.tokens?.identity == "1")
        let request = try #require(await service.requests(on: "POST /sessions").first)
        #expect(request.query.map(\.name) == ["sign"], "everything else is in the body")
        #expect(
            request.form?.map(\.name) == ["phone", "code", "platform", "appVersion", "channel", "requestID", "time"])
        try await live.logOut()
        let delete = try #require(await service.requests(on: "DELETE /sessions").first)
        #expect(
            delete.body.isEmpty && delete.queryValue("token") == login.token && delete.queryValue("platform") == "ios")
        #expect(session.tokens == nil)
        await service.end()
    }

    @Test(arguments: [false, true], [false, true])
    func listsRoomsFromEveryShape(codeIsLast: Bool, codesAreText: Bool) async throws {
        let service = try await LiveService.start()
        await service.setCodeIsLast(codeIsLast)
        await service.setCodesAreText(codesAreText)
        let live = Live.unknown(service)
        let rooms = try await live.listRooms(category: "", page: 1, size: 4)
        #expect(rooms.map(\.id) == [1, 2, 3, 4])
        #expect(rooms.map(\.watching) == [10, 20, 30, 40])
        #expect(rooms.map(\.open) == [false, true, true, true], "0, true, \"1\" and 1")
        #expect(rooms.allSatisfy { $0.startedAt == Date(timeIntervalSince1970: 1_770_000_000) })
        #expect(
            rooms.map(\.cover?.absoluteString) == [
                "https://images.example/cover.png", nil, "https://images.example/cover.png", nil,
            ])
        #expect(rooms.map(\.tags) == [["music", "live"], ["music"], ["music", "live"], ["music"]])
        #expect(rooms.map(\.level) == [.bronze, .silver, .gold, .unrecognized(4)])
        #expect(rooms.map(\.host.followed) == [true, false, true, false])
        await service.setListShape(.plainArray)
        #expect(try await live.listRooms(size: 3).map(\.id) == [1, 2, 3])
        await service.setListShape(.singleObject)
        #expect(try await live.listRanking().map(\.position) == [1], "one object where a list is meant")
        await service.end()
    }

    @Test func readsTheRanking() async throws {
        let service = try await LiveService.start()
        let live = Live.unknown(service)
        for shape in [LiveService.ListShape.inList, .plainArray] {
            await service.setListShape(shape)
            let ranks = try await live.listRanking()
            #expect(ranks.map(\.position) == [1, 2, 3])
            #expect(ranks.map(\.score) == ["999.1", "998.1", "997.1"].map { Decimal(string: $0) })
        }
        await service.end()
    }

    @Test func dropsAndReportsBadRooms() async throws {
        let service = try await LiveService.start()
        await service.setBadRooms(true)
        let live = Live.unknown(service)
        let reply = try await live.reply(to: Live.ListRooms(size: 3))
        #expect(reply.value.map(\.id) == [1, 2, 3])
        #expect(reply.skipped.map(\.path) == ["$.data.list[1]", "$.data.list[2].id"])
        #expect(reply.code == "100" && reply.message == "OK")
        await service.end()
    }

    @Test func readsTotalsBesideTheList() async throws {
        let service = try await LiveService.start()
        let live = Live.unknown(service)
        let page = try await live.searchRooms(text: "Cooking & more")
        #expect(page.total == 15 && page.page == 1 && page.list.count == 5)
        #expect(page.list.allSatisfy { $0.title.hasPrefix("Cooking & more") })
        #expect(await service.requests(on: "GET /room-matches").first?.queryValue("keyword") == "Cooking & more")
        #expect(try await live.getRoom(roomID: 45).title == "Piano 45")
        await service.end()
    }

    @Test func readsANoticeOrNone() async throws {
        let service = try await LiveService.start()
        let live = Live.unknown(service)
        #expect(try await live.getNotice() == nil)
        await service.setNotice(["title": "Pause", "text": "", "until": 1_770_000_000_123])
        let notice = try #require(try await live.getNotice())
        let until = try #require(notice.until)
        #expect(notice.title == "Pause" && notice.text.isEmpty)
        #expect(abs(until.timeIntervalSince1970 - 1_770_000_000.123) < 0.0001)
        await service.script(.body(#"{"code":100,"msg":"nothing"}"#), on: "GET /notice")
        #expect(try await live.getNotice() == nil, "no data at all")
        await service.end()
    }

    @Test func entersRoomsAndWaitsInLine() async throws {
        let service = try await LiveService.start()
        let live = try await Live.asAda(service)
        guard case .completed(let stream) = try await live.enterRoom(roomID: 8, quality: "hd") else {
            throw Unexpected("waits")
        }
        #expect(stream.streamURL.absoluteString == "rtmp://stream.example/8" && stream.watching == 128)
        guard case .waitsInLine(let line) = try await live.enterRoom(roomID: 7) else { throw Unexpected("entered") }
        #expect(line?.position == 12)
        await service.fail(code: 4100, data: ["position": "far"], on: "POST /room/*/viewers")
        guard case .waitsInLine(nil) = try await live.enterRoom(roomID: 7) else { throw Unexpected("data") }
        let qualities = await service.requests(on: "POST /room/*/viewers").map { $0.parameter("quality") }
        #expect(qualities == ["hd", "auto", "auto"])
        await service.end()
    }

    @Test func givesGifts() async throws {
        let service = try await LiveService.start()
        let live = try await Live.asAda(service)
        let receipt = try await live.sendGift(roomID: 3, giftID: 2, count: 3, greeting: "")
        #expect(receipt.giftID == 2 && receipt.coinsLeft == 40 && receipt.total == Decimal(string: "60.5"))
        #expect(await service.giftsSent == 3)
        #expect(await service.requests(on: "POST /room/*/gifts").first?.parameter("greeting") == "")
        await service.end()
    }

    /// The message of a success is for the user to see.
    @Test func theMessageOfASuccessIsReachable() async throws {
        let service = try await LiveService.start()
        let live = try await Live.asAda(service)
        let reply = try await live.reply(to: Live.FollowHost(hostID: 12))
        #expect(reply.message == "Now you follow host 12!" && reply.code == "100" && reply.status == 200)
        let request = try #require(await service.requests(on: "PUT /hosts/*/follower").first)
        #expect(request.query.map(\.name) == ["sign"] && request.parameter("platform") == "ios")
        await service.end()
    }

    @Test func uploadsACover() async throws {
        let service = try await LiveService.start()
        let live = try await Live.asAda(service)
        let picture = (0..<66_000).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8)) }
        let command = Live.UploadCover(cover: FilePart(picture, fileName: "c.png"), title: "Süß & \"bunt\"")
        let reply = try await live.reply(to: command)
        #expect(
            reply.value.cover.absoluteString == "https://images.example/cover.png" && reply.message == "Looks good!")
        #expect(await service.cover == picture)
        #expect(await service.requests(on: "POST /covers").first?.parameter("title") == "Süß & \"bunt\"")
        await service.end()
    }
}
