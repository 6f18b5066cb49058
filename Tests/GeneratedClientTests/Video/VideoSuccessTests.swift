import Foundation
import TestServices
import Testing
import VideoClient

/// Each endpoint of the video service without faults.
@Suite(.serialized) struct VideoSuccessTests {
    @Test func logsInWithAForm() async throws {
        let service = try await VideoService.start()
        let session = Session()
        let video = try await Video.asAda(service, session: session)
        let request = try #require(await service.requests(on: "POST /sessions").first)
        #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
        #expect(request.bodyText == "Email=ada%40example.org&Passwd=lovelace&service=video")
        let token = try #require(session.tokens?.access)
        try await video.logOut()
        #expect(await service.requests(on: "DELETE /sessions").first?.header("Authorization") == "Token \(token)")
        #expect(session.tokens == nil)
        await service.end()
    }

    @Test func readsAPageOfTheFeed() async throws {
        let service = try await VideoService.start()
        let video = try await Video.asAda(service)
        let page = try await video.getFeed(
            feedID: "top/50 %", startIndex: 4, size: 2, order: .mostViewed, language: "de-DE")
        #expect(page.title == "top/50 %" && page.startIndex == 4 && page.total == 60)
        #expect(page.updated == Date(timeIntervalSince1970: 1_772_366_400))
        #expect(page.entries.map(\.id) == ["v4", "v5"])
        let entry = try #require(page.entries.first)
        #expect(entry.title == "Video № 4" && entry.author == "Ada")
        // 2026-02-03T04:05:06.789+01:00
        #expect(abs(entry.published.timeIntervalSince1970 - 1_770_087_906.789) < 0.0001)
        #expect(entry.recordedOn == nil && entry.seconds == 12.5 && entry.rating == 4.5)
        #expect(entry.views == 9_007_199_254_740_993 && entry.likes == 4)
        #expect(entry.quality == [.low, .high, .full, .unrecognized(2160)])
        #expect(entry.images["large"]?.absoluteString == "https://images.example/l.png?x=1&y=2")
        #expect(entry.images.count == 2 && entry.captions.isEmpty && !entry.repeats)
        #expect(page.entries.last?.author == "unknown", "the contract's default")
        #expect(page.entries.last?.rating == nil)

        let request = try #require(await service.requests(on: "GET /feeds/*").first)
        #expect(request.path == "/feeds/top%2F50%20%25")
        #expect(request.rawQuery == "start-index=4&max-results=2&order=most-viewed")
        #expect(request.header("Accept-Language") == "de-DE" && request.header("X-Platform") == "ios")
        await service.end()
    }

    @Test func takesASingleObjectWhereAListIsMeant() async throws {
        let service = try await VideoService.start()
        let video = try await Video.asAda(service)
        let page = try await video.getFeed(feedID: "single")
        #expect(page.entries.map(\.id) == ["v1"] && page.total == 1 && page.entries.first?.repeats == true)
        let query = await service.requests(on: "GET /feeds/*").first?.rawQuery
        #expect(query == "start-index=1&max-results=25&order=newest")

        #expect(try await video.listRelated(videoID: "v1").map(\.id) == ["v2"])
        #expect(try await video.listRelated(videoID: "v2").map(\.id) == ["v2", "v3", "v4"])
        await service.end()
    }

    @Test func dropsAndReportsBadEntries() async throws {
        let service = try await VideoService.start()
        await service.setBadEntries(true)
        let video = try await Video.asAda(service)
        let reply = try await video.reply(to: Video.ListRelated(videoID: "v2"))
        #expect(reply.value.map(\.id) == ["v2", "v3", "v4"])
        #expect(reply.skipped.map(\.path) == ["$.feed[1]", "$.feed[3].id"])
        #expect(reply.skipped.first?.code == .typeMismatch(found: .string))
        #expect(reply.skipped.allSatisfy { $0.byteOffset > 0 && !$0.expectation.isEmpty })
        #expect(reply.status == 200 && reply.headers["content-type"]?.hasPrefix("application/json") == true)
        await service.end()
    }

    @Test func readsVideosCommentsAndChannels() async throws {
        let service = try await VideoService.start()
        let video = try await Video.asAda(service)
        #expect(try await video.getVideo(videoID: "v3").recordedOn == CalendarDate("2026-02-01"))
        try await video.checkVideo(videoID: "v3")

        let comments = try await video.listComments(videoID: "v3")
        #expect(comments.total == 2 && comments.comments.map(\.id) == [1, 4])
        let second = try #require(comments.comments.first?.replies.first)
        #expect(second.text == "Second \u{1F600}" && second.written == Date(timeIntervalSince1970: 1_770_000_060))
        #expect(second.replies.first?.text == "Third" && second.replies.first?.replies.isEmpty == true)
        #expect(comments.comments.last?.text == "")
        #expect(try await video.channelTitles() == ["top": "Top videos", "new": "Neu & frisch"])
        await service.end()
    }

    @Test func ratesAndSaves() async throws {
        let service = try await VideoService.start()
        let video = try await Video.asAda(service)
        _ = try await video.rateVideo(videoID: "v3", stars: .five)
        let rating = try await video.rateVideo(videoID: "v3", stars: .two)
        #expect(rating.average == 3.5 && rating.count == 2)
        #expect(
            await service.requests(on: "PUT /videos/*/rating").map(\.bodyText) == [#"{"stars":5}"#, #"{"stars":2}"#])

        guard case .completed = try await video.saveVideo(videoID: "v3") else { throw Unexpected("was saved") }
        guard case .wasSaved = try await video.saveVideo(videoID: "v3") else { throw Unexpected("was not saved") }
        try await video.unsaveVideo(videoID: "v3")
        guard case .completed = try await video.saveVideo(videoID: "v3") else { throw Unexpected("was saved") }
        await service.end()
    }

    @Test func loadsBytesFromAnywhereWithoutTheSession() async throws {
        let service = try await VideoService.start()
        let video = try await Video.asAda(service)
        let picture: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff, 0xfe]
        let own = try #require(URL(string: service.imageURL("cat.png?a=%2F&b=1#part")))
        #expect(try await video.loadImage(imageURL: own) == picture, "even from the service itself")
        let request = try #require(await service.requests(on: "GET /images/*").first)
        #expect(request.path == "/images/cat.png" && request.rawQuery == "a=%2F&b=1")
        #expect(request.header("Authorization") == nil && request.header("X-Request-ID") == nil)

        let elsewhere = try await FaultServer(otherwise: .answer(WireAnswer(body: "not a picture, but bytes")))
        let url = try #require(URL(string: elsewhere.url + "/p.png"))
        #expect(try await video.loadImage(imageURL: url) == Array("not a picture, but bytes".utf8))
        #expect(await elsewhere.requests.first?.header("Authorization") == nil)
        await elsewhere.stop()

        let preview = try await video.preloadVideo(videoID: "v3")
        #expect(preview == (0..<10_000).map { UInt8(truncatingIfNeeded: $0) })
        await service.end()
    }

    @Test func makesARequestIDAnewForEachAttempt() async throws {
        let service = try await VideoService.start()
        let video = try await Video.asAda(service)
        await service.script(.status(500), on: "GET /videos/*")
        _ = try await video.getVideo(videoID: "v3")
        let ids = await service.requests().compactMap { $0.header("X-Request-ID") }
        #expect(ids.count == 3 && Set(ids).count == 3)
        #expect(ids.allSatisfy { UUID(uuidString: $0) != nil })
        await service.end()
    }
}
