import Testing

@testable import ErrandRuntime

/// What is stored, for whom, and what leaves.
@Suite struct HTTPCacheStateTests {
    private static let fresh = ["Cache-Control: max-age=600"]

    @Test func eachOwnerHasResponsesOfItsOwn() {
        let bench = CacheBench()
        let (first, second) = (SessionIdentity(), SessionIdentity())
        let owners = [
            CacheOwner(first, .epoch(1)), CacheOwner(first, .epoch(2)), CacheOwner(first, .none),
            CacheOwner(second, .epoch(1)),
        ]
        for owner in owners {
            #expect(bench.react(to: bench.lookup(owner: owner)) == .fetched)
            bench.load(bench.lookup(owner: owner), Self.fresh)
        }
        #expect(bench.state.count == 4)
        bench.state.remove(owners[0])
        #expect(bench.react(to: bench.lookup(owner: owners[0])) == .fetched)
        for owner in owners.dropFirst() { #expect(bench.react(to: bench.lookup(owner: owner)) == .reused) }
        bench.state.removeAll()
        #expect(bench.state.count == 0 && bench.state.size == 0 && bench.state.isIdle)
    }

    /// What the app itself sends as a secret tells users apart, also without a session.
    @Test func anotherCredentialIsAnotherOwner() {
        func key(_ value: String, sensitive: Bool) -> CacheKey {
            var headers = HTTPHeaders()
            headers.append("X-Key", value, isSensitive: sensitive)
            return CacheKey(
                owner: CacheBench.owner, endpoint: "e", method: "GET", url: "https://a.example", headers: headers,
                tokenField: "Authorization")
        }
        #expect(key("1", sensitive: true) != key("2", sensitive: true))
        #expect(key("1", sensitive: true) == key("1", sensitive: true))
        #expect(key("1", sensitive: false) == key("2", sensitive: false))
    }

    @Test func theWholeRequestIsTheKey() {
        let bench = CacheBench()
        bench.load(bench.lookup(), Self.fresh)
        let others = [
            bench.lookup(url: "https://a.example/x?y=1"), bench.lookup(url: "https://b.example/x"),
            bench.lookup(url: "https://a.example/X"), bench.lookup(endpoint: "Bank.other"),
            bench.lookup(method: "QUERY"), bench.lookup(body: [1]),
        ]
        for other in others { #expect(bench.react(to: other) == .fetched) }
        for same in ["https://A.example/x", "https://a.example:443/x", "https://a.example/x#part"] {
            #expect(bench.react(to: bench.lookup(url: same)) == .reused)
        }
    }

    @Test func aWriteRemovesWhatItMayHaveChanged() {
        let bench = CacheBench()
        let urls = ["https://a.example/x", "https://a.example/y", "https://a.example/z", "https://b.example/z"]
        for url in urls { bench.load(bench.lookup(url: url), Self.fresh) }
        bench.load(bench.lookup(url: urls[3], endpoint: "Bank.list"), Self.fresh)
        let targets = CacheKey.targets(
            ofWriteTo: "https://a.example/x", ["Location": "/y", "Content-Location": "https://b.example/z"])
        #expect(targets == ["https://a.example/x", "https://a.example/y"])
        bench.state.invalidate(targets: targets, endpoints: ["Bank.list"])
        let reactions = urls.map { bench.react(to: bench.lookup(url: $0)) }
        #expect(reactions == [.fetched, .fetched, .reused, .reused])
        #expect(bench.react(to: bench.lookup(url: urls[3], endpoint: "Bank.list")) == .fetched)
    }

    /// A response that was on its way when something happened may be from before it.
    @Test func whatWasSentBeforeAWriteIsNotStored() {
        let bench = CacheBench()
        let steps: [(inout HTTPCacheState) -> Void] = [
            { $0.invalidate(targets: ["https://a.example/x"], endpoints: []) },
            { $0.invalidate(targets: [], endpoints: ["Bank.read"]) },
            { $0.remove(CacheBench.owner) }, { $0.removeAll() },
        ]
        for (number, step) in steps.enumerated() {
            let lookup = bench.lookup()
            let request = bench.state.begin(lookup.key)
            step(&bench.state)
            let response = StoredResponse(
                status: 200, headers: bench.headers(Self.fresh), body: [], to: [:], rule: CacheRule(), sent: bench.now,
                received: bench.now, date: bench.date)
            _ = bench.state.store(response, lookup, of: request)
            bench.state.end(request)
            #expect(bench.state.count == 0, "step \(number)")
        }
        bench.load(bench.lookup(), Self.fresh)
        #expect(bench.state.count == 1 && bench.state.counts.underWay == 0)
    }

    @Test func whatMustNotBeStoredReplacesWhatIsThere() {
        let bench = CacheBench()
        bench.load(bench.lookup(), Self.fresh)
        bench.load(bench.lookup(), ["Cache-Control: no-store"])
        #expect(bench.react(to: bench.lookup()) == .fetched)
        bench.load(bench.lookup(["Accept-Language: de"]), Self.fresh + ["Vary: Accept-Language"])
        bench.load(bench.lookup(["Accept-Language: en"]), Self.fresh + ["Vary: Accept-Language"])
        bench.load(bench.lookup(["Accept-Language: en"]), ["Cache-Control: no-store"])
        #expect(bench.react(to: bench.lookup(["Accept-Language: de"])) == .reused)
        #expect(bench.react(to: bench.lookup(["Accept-Language: en"])) == .fetched)
    }

    @Test func theNumberOfVariantsIsBounded() {
        let bench = CacheBench()
        for number in 1...40 {
            bench.load(bench.lookup(["X: \(number)"]), Self.fresh + ["Vary: X"])
            #expect(bench.state.count <= HTTPCacheState.maximumVariants)
        }
        #expect(bench.react(to: bench.lookup(["X: 40"])) == .reused)
        #expect(bench.react(to: bench.lookup(["X: 1"])) == .fetched)
    }

    @Test func theLeastRecentlyUsedLeavesFirst() throws {
        let bench = CacheBench()
        bench.state = HTTPCacheState(limit: 16_000)
        func url(_ number: Int) -> String { "https://a.example/\(number)" }
        for number in 1...8 {
            bench.load(bench.lookup(url: url(number)), Self.fresh, body: [UInt8](repeating: 0, count: 900))
        }
        let full = bench.state.count
        #expect(full == 8)
        #expect(bench.react(to: bench.lookup(url: url(1))) == .reused)
        for number in 9...14 {
            bench.load(bench.lookup(url: url(number)), Self.fresh, body: [UInt8](repeating: 0, count: 900))
        }
        #expect(bench.state.size <= 16_000)
        #expect(bench.react(to: bench.lookup(url: url(2))) == .fetched)
        #expect(bench.react(to: bench.lookup(url: url(1))) == .reused)
        #expect(bench.react(to: bench.lookup(url: url(14))) == .reused)
        // One that would take the place of many is not stored.
        bench.load(bench.lookup(url: url(99)), Self.fresh, body: [UInt8](repeating: 0, count: 3_000))
        #expect(bench.react(to: bench.lookup(url: url(99))) == .fetched)
        #expect(bench.react(to: bench.lookup(url: url(14))) == .reused)
    }

    @Test func aCacheWithoutRoomStoresNothing() {
        let bench = CacheBench()
        bench.state = HTTPCacheState(limit: 0)
        bench.load(bench.lookup(), Self.fresh)
        #expect(bench.state.count == 0)
    }

    /// Two reads come at the end of the revalidation that a third one has started: none of them starts another one.
    @Test func onlyOneRevalidates() {
        let bench = CacheBench()
        let lookup = bench.lookup()
        let lines = ["Cache-Control: max-age=1, stale-while-revalidate=600"]
        bench.load(lookup, lines)
        bench.now += .seconds(10)
        var firsts = 0
        func look() -> HTTPCacheState.Answer {
            let answer = bench.state.look(lookup, at: bench.now)
            if case .whileRevalidating(_, isFirst: true) = answer { firsts += 1 }
            return answer
        }
        for _ in 1...3 { _ = look() }
        bench.load(lookup, lines)
        guard case .fresh = look() else { return #expect(Bool(false), "not fresh after its revalidation") }
        bench.state.endRevalidation(of: lookup.key)
        guard case .fresh = look() else { return #expect(Bool(false), "not fresh after the end") }
        #expect(firsts == 1)
        bench.now += .seconds(10)
        for _ in 1...3 { _ = look() }
        #expect(firsts == 2)
    }

    /// A watch for the end of a login is there as long as a response of it is.
    @Test func aWatchEndsWithTheLastResponse() {
        let cache = HTTPCache(limit: 1 << 20)
        let ends = LockedState { 0 }
        var begun = 0
        let bench = CacheBench()
        func load(_ url: String) {
            let exchange = cache.begin(bench.lookup(url: url), validating: nil, at: bench.now)
            let response = StoredResponse(
                status: 200, headers: bench.headers(Self.fresh), body: [], to: [:], rule: CacheRule(), sent: bench.now,
                received: bench.now, date: bench.date)
            cache.store(response, of: exchange) {
                begun += 1
                return { ends.withLock { $0 += 1 } }
            }
        }
        load("https://a.example/1")
        load("https://a.example/2")
        #expect(begun == 1 && ends.withLock { $0 } == 0)
        cache.invalidate(targets: ["https://a.example/1"], endpoints: [])
        #expect(ends.withLock { $0 } == 0)
        cache.invalidate(targets: ["https://a.example/2"], endpoints: [])
        #expect(ends.withLock { $0 } == 1)
        load("https://a.example/3")
        #expect(begun == 2)
        cache.removeAll()
        #expect(ends.withLock { $0 } == 2 && cache.isIdle)
    }
}
