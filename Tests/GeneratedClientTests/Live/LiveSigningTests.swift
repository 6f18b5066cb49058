import Foundation
import LiveClient
import TestServices
import Testing

/// The live server works every signature out anew and refuses what does not match.
@Suite(.serialized) struct LiveSigningTests {
    @Test(arguments: [
        "plain", "  spaces around\t", "ünï\u{308}cødé 直播 \u{1F469}\u{200D}\u{1F4BB}", "a=b&c=d?e/f+g%20h", "~._-*!'()",
        " ",
        "k3y", "{key}",
    ])
    func signsWhateverIsSent(text: String) async throws {
        let service = try await LiveService.start()
        let live = Live.unknown(service)
        _ = try await live.searchRooms(text: text)
        _ = try await live.logIn(phone: "123456", code: "1234")
        _ = try await live.enterRoom(roomID: 2, quality: text)
        _ = try await live.sendGift(roomID: 2, giftID: 1, greeting: text)
        _ = try await live.uploadCover(cover: FilePart([1, 2], fileName: text), title: text)
        #expect(await service.requests(on: "GET /room-matches").first?.queryValue("keyword") == text)
        await service.end()
    }

    /// Empty values are sent and not signed.
    @Test func leavesEmptyValuesOut() async throws {
        let service = try await LiveService.start()
        let live = Live.unknown(service, channel: "")
        _ = try await live.listRooms(category: "")
        let request = try #require(await service.requests().first)
        #expect(request.queryValue("channel") == "" && request.queryValue("category") == "")
        #expect(request.queryValue("sign")?.count == 32)
        await service.end()
    }

    @Test func makesParametersAnewForEachAttempt() async throws {
        let service = try await LiveService.start()
        let live = Live.unknown(service)
        await service.script(.status(503), times: 2, on: "GET /rooms")
        _ = try await live.listRooms(size: 1)
        let requests = await service.requests(on: "GET /rooms")
        #expect(requests.count == 3)
        #expect(Set(requests.map { $0.queryValue("requestID") }).count == 3)
        #expect(Set(requests.map { $0.queryValue("sign") }).count == 3)
        let time = try #require(requests.first?.queryValue("time"))
        let sent = try #require(
            try? Date.ISO8601FormatStyle(includingFractionalSeconds: time.contains(".")).parse(time))
        #expect(abs(sent.timeIntervalSinceNow) < 60)
        await service.end()
    }

    @Test func aWrongKeyIsRefused() async throws {
        let service = try await LiveService.start()
        let live = Live(.init(url: service.url), on: .brisk(), common: .init(appVersion: "1"), privateKey: "wrong")
        let failure = try await live.fault(of: Live.ListRooms())
        #expect(failure.kind == .rejected && failure.context.code == "4030")
        #expect(await service.violations.count == 1, "the server does look")
        await service.stop()
    }
}
