import Foundation

@testable import ErrandRuntime

/// Caches on one folder, with clocks in the test's hand. Each cache is a process, as far as the folder can tell.
final class FileBench: Sendable {
    let path: String
    private let seal: StorageSeal?
    private let limit: Int
    /// The seconds that have passed, and by how many the date is wrong.
    private let clock = LockedState<(passed: Int64, wrong: Int64)> { (0, 0) }

    init(seal: StorageSeal? = nil, limit: Int = 1 << 20, path: String? = nil) {
        self.seal = seal
        self.limit = limit
        self.path =
            path ?? FileManager.default.temporaryDirectory.appendingPathComponent("files-\(UUID().uuidString)").path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var now: Duration { .seconds(clock.withLock { $0.passed }) }
    func pass(_ seconds: Int64) { clock.withLock { $0.passed += seconds } }
    func setDate(off seconds: Int64) { clock.withLock { $0.wrong = seconds } }

    func files() -> CacheFiles {
        CacheFiles(
            HTTPCacheFolder(path: path, maximumSize: limit, seal: seal),
            date: { [clock] in clock.withLock { (1_767_225_600 + $0.passed + $0.wrong) * 1_000 } }, start: { $0() })
    }

    /// A process that has just started.
    func cache() -> HTTPCache { HTTPCache(limit: 8 << 20, files: files()) }

    func lookup(
        _ name: String = "x", login: String? = "ada", rule: CacheRule = CacheRule(offline: .seconds(60)),
        asked: HTTPHeaders = [:], endpoint: String = "Bank.read", body: [UInt8]? = nil
    ) -> CacheLookup {
        let owner = CacheOwner(SessionIdentity(), .epoch(1))
        return CacheLookup(
            CacheKey(
                owner: owner, endpoint: endpoint, method: "GET", url: "https://a.example/\(name)", headers: asked,
                body: body, tokenField: "Authorization"), asked, at: CachePlace(login: login, rule: rule))
    }

    /// Sends a request, and stores its response.
    func load(
        _ lookup: CacheLookup, _ text: @autoclosure () -> String = "1", in cache: HTTPCache, _ more: HTTPHeaders = [:],
        control: String = "max-age=100", meanwhile: () -> Void = {}
    ) {
        let exchange = cache.begin(lookup, validating: nil, at: now)
        meanwhile()
        let text = text()
        var headers = more
        headers.set("Cache-Control", control)
        headers.set("ETag", "\"\(text.prefix(8))\"")
        let response = lookup.place.flatMap { place in
            StoredResponse(
                status: 200, headers: headers, body: Array(text.utf8), to: lookup.headers, rule: place.rule, sent: now,
                received: now, date: 1_767_225_600)
        }
        cache.store(response, of: exchange) { nil }
    }

    /// What a cache has: `1, fresh`, `1, stale`, or nil.
    func told(_ lookup: CacheLookup, by cache: HTTPCache) -> String? {
        guard let stored = cache.find(lookup, at: now) else { return nil }
        let text = String(decoding: stored.body, as: UTF8.self)
        return "\(text), \(stored.isFresh(at: now, for: lookup.demand) ? "fresh" : "stale")"
    }

    /// The responses on the disk.
    var names: [String] {
        let all = FileManager.default.subpaths(atPath: path + "/1") ?? []
        return all.filter { $0.contains("/") }.sorted()
    }

    /// All bytes on the disk.
    var bytes: Data {
        let all = FileManager.default.subpaths(atPath: path) ?? []
        return all.reduce(into: Data()) { $0 += FileManager.default.contents(atPath: path + "/" + $1) ?? Data() }
    }

    func path(_ name: String) -> String { path + "/1/" + name }
}
