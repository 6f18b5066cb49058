import ErrandStubs
import ErrandTesting
import Foundation
import TestServices
import Testing
import VideoClient

/// The feed of the video service, from its first page to its last.
@Suite(.serialized) struct VideoPageTests {
    @Test func walksTheFeed() async throws {
        let service = try await VideoService.start()
        let video = try await Video.asAda(service)
        let walk = video.pages(of: Video.GetFeed(feedID: "top", size: 7)).makeAsyncIterator()
        let first = try #require(try await walk.next())
        #expect(first.totalElements == 60 && first.elements.count == 7 && first.reply.value.title == "top")
        var ids = first.elements.map(\.id)
        while let page = try await walk.next() { ids += page.elements.map(\.id) }
        #expect(ids == (1...60).map { "v\($0)" })
        let starts = await service.requests(on: "GET /feeds/*").map { $0.queryValue("start-index") ?? "" }
        #expect(starts == (0...8).map { "\($0 * 7 + 1)" })
        await service.end()
    }

    @Test func aSessionThatEndsOnTheWayIsRenewedForAllPages() async throws {
        let service = try await VideoService.start()
        let session = Session { Video.LogIn(email: "ada@example.org", password: "lovelace") }
        let video = Video(Video.Server(url: service.url), on: .brisk(), session: session)
        var ids: [String] = []
        for try await entry in video.elements(of: Video.GetFeed(feedID: "top", startIndex: 31, size: 10)) {
            ids.append(entry.id)
            if ids.count == 10 { await service.expireSessions() }
        }
        #expect(ids == (31...60).map { "v\($0)" })
        #expect(await service.logins == 2)
        await service.end()
    }

    @Test func aFeedOfOneEntryIsOnePage() async throws {
        let service = try await VideoService.start()
        let video = try await Video.asAda(service)
        var ids: [String] = []
        for try await entry in video.elements(of: Video.GetFeed(feedID: "single")) { ids.append(entry.id) }
        #expect(ids == ["v1"])
        await service.end()
    }

    @Test func downloadsAVideo() async throws {
        let service = try await VideoService.start()
        let video = try await Video.asAda(service)
        let wanted = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let download = video.download(Video.PreloadVideo(videoID: "v7"), to: file)
        try await download.finish()
        #expect(FileManager.default.contents(atPath: file.path).map(Array.init) == wanted)
        #expect(download.progress.current.bytes == 10_000)
        await service.end()

        let stubbed = Video().stubbed { $0.on(Video.PreloadVideo.self) { _ in [1, 2, 3] } }
        try await stubbed.download(Video.PreloadVideo(videoID: "v7"), to: file).finish()
        #expect(FileManager.default.contents(atPath: file.path).map(Array.init) == [1, 2, 3])
    }

    @Test func aStubIsOnePage() async throws {
        let page = Video.FeedPage(title: "", updated: .now, entries: [], startIndex: 1, total: 99)
        let video = Video().stubbed { $0.on(Video.GetFeed.self) { _ in page } }
        let walk = video.pages(of: Video.GetFeed(feedID: "top")).makeAsyncIterator()
        #expect(try await walk.next()?.isLast == true)
        #expect(try await walk.next() == nil)
    }
}
