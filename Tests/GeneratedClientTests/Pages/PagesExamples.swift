import ErrandRuntime
import VideoClient

// The examples of docs/pages.md, as they are there.
func walkTheFeed(_ video: Video) async throws {
    for try await entry in video.elements(of: Video.GetFeed(feedID: "top")) {
        print(entry.title)
    }
}

func walkWithOptions(_ video: Video) async throws {
    let patient = video.with {
        $0.timeout = .seconds(60)
        $0.maximumPages = 500
    }
    for try await page in patient.pages(of: Video.GetFeed(feedID: "top", size: 50)) {
        print("\(page.elements.count) of \(page.totalElements ?? 0)")
    }
}

@MainActor final class FeedModel {
    private(set) var videos: [Video.Entry] = []
    private let pages: Pages<Video.GetFeed>.Iterator

    init(_ video: Video) { pages = video.pages(of: Video.GetFeed(feedID: "top")).makeAsyncIterator() }

    func loadMore() async throws(Video.Failure) {
        if let page = try await pages.next() { videos += page.elements }
    }
}
