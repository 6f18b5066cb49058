@_spi(Measuring) import ErrandRuntime
import FeedClient
import FigureTables
import Foundation
import MeasuredTurns
import SyntheticProjects

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Measures reads that a cache has, reads that share a request, and a folder with responses.
struct CacheRows {
    let isQuick: Bool

    private var rounds: Int { isQuick ? 5 : 15 }
    private var slot: Double { isQuick ? 0.02 : 0.1 }

    // MARK: One read

    /// A read of a fresh response beside others that keep the same bytes. All of them read the response with the generated parser, so
    /// a ratio shows the cost of everything else.
    func reads() async throws -> FigureTable {
        var table = FigureTable(
            "A read that is in the memory of the cache, beside others that have the same bytes",
            columns: ["bytes", "beside", "cached read", "other", "added", "cached read ÷ other"])
        for size in [2_000, 20_000] {
            let body = KeptFeed.articles(bytes: size)
            let transport = ArticleTransport(body)
            let feed = KeptFeed.client(transport)
            _ = try await feed.keptArticles(page: 1)
            let ours = Contender { try await feed.keptArticles(page: 1).count }
            for (name, other) in try peers(body) {
                let found = try await Comparison.measure(rounds: rounds, slot: slot, ours: ours, theirs: other)
                table.add([
                    "\(body.count)", name, duration(found.ours), duration(found.theirs),
                    duration(found.ours - found.theirs),
                    "\(rounded(found.ours / found.theirs)) ×",
                ])
            }
            try Disagreement.check("the number of requests", await transport.sent, 1)
        }
        return table
    }

    private func peers(_ body: [UInt8]) throws -> [(String, Contender)] {
        let url = "https://feed.example/v1/kept/1"
        guard let address = URL(string: url),
            let response = HTTPURLResponse(
                url: address, statusCode: 200, httpVersion: "HTTP/1.1",
                headerFields: ["Content-Type": "application/json", "Cache-Control": "max-age=86400", "ETag": "\"1\""])
        else { throw Disagreement(what: "the URL") }
        let dictionary = [url: body]
        let cache = URLCache(memoryCapacity: 16 << 20, diskCapacity: 0, diskPath: nil)
        let request = URLRequest(url: address)
        cache.storeCachedResponse(CachedURLResponse(response: response, data: Data(body)), for: request)
        return [
            ("a dictionary", Contender { try Self.read(dictionary[url]) }),
            ("`URLCache`", Contender { try Self.read((cache.cachedResponse(for: request)?.data).map(Array.init)) }),
        ]
    }

    private static func read(_ body: [UInt8]?) throws -> Int {
        try body.flatMap { try Feed.KeptArticles.response(readFrom: $0) }?.count ?? 0
    }

    // MARK: Reads at once

    /// Equal reads at once, with and without `share: true`. Both clients have a transport that takes a while.
    func sharing() async throws -> FigureTable {
        var table = FigureTable(
            "Equal reads at once, processor time of each",
            columns: ["reads", "shared", "requests", "each on its own", "requests", "shared ÷ each on its own"])
        let body = KeptFeed.articles(bytes: 2_000)
        for count in isQuick ? [100] : [100, 1_000] {
            let (one, many) = (
                ArticleTransport(body, delay: .milliseconds(50)), ArticleTransport(body, delay: .milliseconds(50))
            )
            let (shared, plain) = (KeptFeed.client(one), KeptFeed.client(many))
            var times: [(ours: Double, theirs: Double)] = []
            for _ in 0..<rounds {
                let ours = try await Self.time(count) { try await shared.sharedArticles().count }
                let theirs = try await Self.time(count) { try await plain.listArticles().count }
                times.append((ours / Double(count), theirs / Double(count)))
            }
            table.add([
                "\(count)", duration(median(times.map(\.ours))), rounded(Double(await one.sent) / Double(rounds)),
                duration(median(times.map(\.theirs))), rounded(Double(await many.sent) / Double(rounds)),
                "\(rounded(median(times.map { $0.ours / $0.theirs }))) ×",
            ])
        }
        return table
    }

    /// Seconds of processor time.
    private static func time(_ count: Int, _ work: @escaping @Sendable () async throws -> Int) async throws -> Double {
        let start = ProcessUsage.processorTime()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count { group.addTask { try await work() } }
            _ = try await group.reduce(0, &+)
        }
        return ProcessUsage.processorTime() - start
    }

    // MARK: The disk

    /// Processes that start with a folder, and read what is in it without a network.
    func folder() async throws -> FigureTable {
        var table = FigureTable(
            "A process that starts with a folder of responses, and no network",
            columns: [
                "responses", "storing, each", "first read", "further reads, each", "a file and the reading", "memory",
            ])
        for count in isQuick ? [0, 10_000] : [0, 10_000, 100_000] {
            let folder = try BenchmarkFolder("cache")
            let body = KeptFeed.articles(bytes: 1_000)
            let feed = KeptFeed.client(ArticleTransport(body), folder: folder.path + "/kept", size: FolderStart.size)
            let start = ContinuousClock.now
            // A folder without any has one, so that there is something to read.
            let stored = max(count, 1)
            for page in 0..<stored { _ = try await feed.keptArticles(page: page) }
            let filled = (ContinuousClock.now - start) / .seconds(1)
            try Data(body).write(to: URL(fileURLWithPath: folder.path + "/kept.json"))
            let found = try FolderStart.inProcess(folder.path, reads: min(stored, 1_000), of: stored)
            let further = count == 0 ? ["", ""] : [duration(found.each), duration(found.plain)]
            table.add(
                ["\(stored)", duration(filled / Double(stored)), duration(found.first)] + further
                    + ["\(rounded(Double(found.memory) / 1_048_576)) MiB"])
        }
        return table
    }
}
