import Foundation
import Testing

@testable import ErrandRuntime

/// A cache against a straightforward model of RFC 9111, which keeps each response that there ever was with what the server meant by its
/// headers, and reads no header. Users read, write, log out and log in again, time passes, and dates are wrong.
@Suite struct CacheModelTests {
    /// `ERRAND_CACHE_SEEDS` says how many simulations; the daily ones are few.
    @Test func noAnswerIsOneThatTheRulesForbid() {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["ERRAND_SEED"].flatMap(UInt64.init) ?? .random(in: 1...999_999_999)
        let count =
            environment["ERRAND_SEED"] == nil ? environment["ERRAND_CACHE_SEEDS"].flatMap(UInt64.init) ?? 300 : 1
        var total = CacheWorld.Counts()
        for seed in first..<first + count {
            var world = CacheWorld(seed: seed, limit: seed % 3 == 0 ? 12_000 : 1 << 24)
            for step in 0..<300 {
                world.step()
                if let violation = world.violation {
                    Issue.record("seed \(seed), step \(step): \(violation)")
                    return
                }
            }
            total.add(world.counts)
        }
        print("cache: \(count) seeds from \(first), \(total)")
        // A model that is never asked proves nothing.
        #expect(
            total.fresh > 0 && total.revalidating > 0 && total.confirmed > 0 && total.stale > 0 && total.offline > 0)
    }
}

/// What the server means by the headers of a response.
private struct Meaning {
    var maxAge: Int?
    var expiresIn: Int?
    var changedAgo: Int?
    var age = 0
    var whileRevalidate: Int?
    var ifError: Int?
    var isNoStore = false
    var isNoCache = false
    var mustRevalidate = false
    var varies = false
    var tag: String?

    /// In seconds, for a private cache.
    var lifetime: Int {
        if let maxAge { return maxAge }
        if let expiresIn { return max(0, expiresIn) }
        if let changedAgo { return min(changedAgo / 10, 86_400) }
        return 0
    }

    func lines(at date: Int64) -> [String] {
        var directives: [String] = []
        if let maxAge { directives.append("max-age=\(maxAge)") }
        if let whileRevalidate { directives.append("stale-while-revalidate=\(whileRevalidate)") }
        if let ifError { directives.append("stale-if-error=\(ifError)") }
        if isNoStore { directives.append("no-store") }
        if isNoCache { directives.append("no-cache") }
        if mustRevalidate { directives.append("must-revalidate") }
        var lines = ["Date: \(CacheBench.text(ofDate: date))"]
        if !directives.isEmpty { lines.append("Cache-Control: \(directives.joined(separator: ", "))") }
        if let expiresIn { lines.append("Expires: \(CacheBench.text(ofDate: date + Int64(expiresIn)))") }
        if let changedAgo { lines.append("Last-Modified: \(CacheBench.text(ofDate: date - Int64(changedAgo)))") }
        if age > 0 { lines.append("Age: \(age)") }
        if varies { lines.append("Vary: Accept-Language") }
        if let tag { lines.append("ETag: \(tag)") }
        return lines
    }
}

/// One simulation.
private struct CacheWorld {
    struct Counts: CustomStringConvertible {
        var fresh = 0
        var revalidating = 0
        var confirmed = 0
        var stale = 0
        var offline = 0
        var nothing = 0

        mutating func add(_ other: Counts) {
            fresh += other.fresh
            revalidating += other.revalidating
            confirmed += other.confirmed
            stale += other.stale
            offline += other.offline
            nothing += other.nothing
        }

        var description: String {
            "\(fresh) fresh, \(revalidating) while revalidating, \(confirmed) confirmed, \(stale) after errors, \(offline) offline, \(nothing) sent"
        }
    }

    /// A response that the server has given, as the model knows it.
    private struct Given {
        let owner: Int
        let resource: Int
        let language: String?
        var meaning: Meaning
        /// When it came, or was last confirmed, and how long that took.
        var received: Duration
        var delay: Duration
        /// Whether it must not be used any more: replaced, changed by a write, or of a login that is over.
        var isGone = false
    }

    /// A request whose response is still to come.
    private struct Flight {
        let lookup: CacheLookup
        let number: Int
        let owner: Int
        let resource: Int
        let language: String?
        let sent: Duration
        let confirms: (id: Int, stored: StoredResponse)?
        let isRevalidation: Bool
        var isVoid = false
    }

    private var chance: SeededGenerator
    private let bench = CacheBench()
    private let isRoomy: Bool
    private var owners: [CacheOwner]
    private let sessions: [SessionIdentity]
    /// The logins so far, one after the other over all users.
    private var logins: [Int]
    private var given: [Given] = []
    private var flights: [Flight] = []
    private var revalidated: Set<[Int]> = []
    private(set) var counts = Counts()
    private(set) var violation: String?

    init(seed: UInt64, limit: Int) {
        chance = SeededGenerator(seed: seed)
        bench.state = HTTPCacheState(limit: limit)
        isRoomy = limit > 1 << 20
        bench.rule = CacheRule(offline: seed % 2 == 0 ? .seconds(120) : nil)
        sessions = (0..<3).map { _ in SessionIdentity() }
        owners = sessions.map { CacheOwner($0, .epoch(1)) }
        logins = [0, 1, 2]
    }

    private mutating func random(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &chance) }
    private mutating func maybe(_ values: [Int], in bound: Int) -> Int? {
        random(bound) == 0 ? values[random(values.count)] : nil
    }

    mutating func step() {
        switch random(20) {
        case 0..<9: read()
        case 9..<14: land()
        case 14: bench.now += .milliseconds(random(6) == 0 ? random(400_000) : random(20_000))
        case 15: if random(4) == 0 { write() }
        case 16: if random(6) == 0 { change(random(3)) }
        default: bench.now += .milliseconds(random(3_000))
        }
    }

    // MARK: Reads

    private mutating func read() {
        let (user, resource) = (random(3), random(4))
        let language = [nil, "de", "en"][random(3)]
        var lines = language.map { ["Accept-Language: \($0)"] } ?? []
        let demand: (line: String?, noCache: Bool, maxAge: Int?, minFresh: Int?) =
            switch random(12) {
            case 0: ("no-cache", true, nil, nil)
            case 1: ("max-age=20", false, 20, nil)
            case 2: ("min-fresh=10", false, nil, 10)
            default: (nil, false, nil, nil)
            }
        if let line = demand.line { lines.append("Cache-Control: \(line)") }
        let lookup = bench.lookup(
            lines, url: "https://a.example/\(resource)", owner: owners[user], endpoint: "Bank.e\(resource % 3)")
        let login = logins[user]
        let known = given.indices.filter { index in
            let one = given[index]
            return one.owner == login && one.resource == resource && !one.isGone
                && (!one.meaning.varies || one.language == language)
        }
        // What the rules say about each of them.
        func age(_ index: Int) -> Duration {
            .seconds(given[index].meaning.age) + given[index].delay + (bench.now - given[index].received)
        }
        func isFresh(_ index: Int) -> Bool {
            let (meaning, age) = (given[index].meaning, age(index))
            if meaning.isNoStore || meaning.isNoCache || demand.noCache { return false }
            if let most = demand.maxAge, age > .seconds(most) { return false }
            return age + .seconds(demand.minFresh ?? 0) <= .seconds(meaning.lifetime)
                && age < .seconds(meaning.lifetime)
        }
        func mayBeStale(_ index: Int, _ limit: Int?) -> Bool {
            let (meaning, age) = (given[index].meaning, age(index))
            guard let limit, !meaning.isNoStore, !meaning.isNoCache, !meaning.mustRevalidate else { return false }
            if demand.noCache || demand.minFresh != nil { return false }
            if let most = demand.maxAge, age > .seconds(most) { return false }
            return age <= .seconds(meaning.lifetime + limit)
        }
        let answer = bench.state.look(lookup, at: bench.now)
        var stored: StoredResponse?
        switch answer {
        case .nothing:
            counts.nothing += 1
            if isRoomy, let missed = known.first(where: isFresh) {
                fail("response \(missed) is fresh, and was not found")
            }
        case .fresh(let response):
            counts.fresh += 1
            let index = id(of: response)
            if !known.contains(index) || !isFresh(index) { fail("\(given[index]) is not fresh for \(lines)") }
        case .whileRevalidating(let response, let isFirst):
            counts.revalidating += 1
            let index = id(of: response)
            if !known.contains(index) || isFresh(index) || !mayBeStale(index, given[index].meaning.whileRevalidate) {
                fail("\(given[index]) must not be used while it is revalidated, for \(lines)")
            }
            let place = [login, resource]
            if isFirst != revalidated.insert(place).inserted { fail("a second revalidation, or none") }
            guard isFirst else { return }
            return send(lookup, user, resource, language, response, isRevalidation: true)
        case .stale(let response):
            stored = response
            let index = id(of: response)
            if !known.contains(index) || isFresh(index) || mayBeStale(index, given[index].meaning.whileRevalidate) {
                fail("\(given[index]) is not merely stale")
            }
            let offline = bench.rule.offline.map { Int($0.components.seconds) }
            for (use, limit) in [(StoredResponse.StaleUse.ifError, given[index].meaning.ifError), (.offline, offline)] {
                let isAllowed = response.allows(use, at: bench.now, for: lookup.demand)
                if isAllowed != mayBeStale(index, limit) { fail("\(given[index]) for \(use): \(isAllowed)") }
                if isAllowed { if use == .offline { counts.offline += 1 } else { counts.stale += 1 } }
            }
        }
        if case .fresh = answer { return }
        send(lookup, user, resource, language, stored, isRevalidation: false)
    }

    private mutating func send(
        _ lookup: CacheLookup, _ user: Int, _ resource: Int, _ language: String?, _ stored: StoredResponse?,
        isRevalidation: Bool
    ) {
        let confirms = stored.flatMap { $0.condition == nil ? nil : (id: id(of: $0), stored: $0) }
        flights.append(
            Flight(
                lookup: lookup, number: bench.state.begin(lookup.key), owner: logins[user], resource: resource,
                language: language, sent: bench.now, confirms: confirms, isRevalidation: isRevalidation))
    }

    // MARK: Responses

    private mutating func land() {
        guard !flights.isEmpty else { return }
        let flight = flights.remove(at: random(flights.count))
        defer {
            bench.state.end(flight.number)
            if flight.isRevalidation {
                bench.state.endRevalidation(of: flight.lookup.key)
                revalidated.remove([flight.owner, flight.resource])
            }
        }
        if random(5) == 0 { return }
        let date = bench.date + Int64(random(3) - 1) * 40_000
        var meaning = Meaning()
        meaning.maxAge = random(5) < 3 ? [0, 20, 120, 600][random(4)] : nil
        meaning.expiresIn = maybe([-10, 0, 20, 60], in: 4)
        meaning.changedAgo = maybe([50, 400, 4_000], in: 4)
        meaning.age = maybe([3, 40], in: 4) ?? 0
        meaning.whileRevalidate = maybe([10, 60], in: 4)
        meaning.ifError = maybe([10, 60], in: 3)
        meaning.isNoStore = random(12) == 0
        meaning.isNoCache = random(12) == 0
        meaning.mustRevalidate = random(8) == 0
        meaning.varies = random(3) == 0
        if random(2) == 0 { meaning.tag = "\"\(random(1_000_000))\"" }
        if let confirmed = flight.confirms, random(2) == 0 {
            confirm(confirmed, flight, meaning, date)
        } else {
            let headers = bench.headers(meaning.lines(at: date))
            keep(meaning, headers, flight, body: given.count)
        }
    }

    /// The server confirms a stored response, and says something new about its lifetime, or nothing.
    private mutating func confirm(
        _ confirmed: (id: Int, stored: StoredResponse), _ flight: Flight, _ new: Meaning, _ date: Int64
    ) {
        counts.confirmed += 1
        var meaning = given[confirmed.id].meaning
        var message = Meaning()
        message.age = new.age
        if random(2) == 0 {
            message.maxAge = new.maxAge ?? 7
            message.whileRevalidate = new.whileRevalidate
            message.ifError = new.ifError
            message.isNoStore = new.isNoStore
            message.isNoCache = new.isNoCache
            message.mustRevalidate = new.mustRevalidate
            (meaning.maxAge, meaning.whileRevalidate, meaning.ifError) = (
                message.maxAge, message.whileRevalidate, message.ifError
            )
            (meaning.isNoStore, meaning.isNoCache, meaning.mustRevalidate) = (
                message.isNoStore, message.isNoCache, message.mustRevalidate
            )
        }
        // Dates of the stored response are dates still, so that they say something else counted from the new one.
        message.expiresIn = meaning.expiresIn.map { _ in 25 }
        message.changedAgo = nil
        meaning.expiresIn = message.expiresIn
        meaning.age = message.age
        if let changed = confirmed.stored.headers["Last-Modified"].flatMap({ HTTPDate.seconds($0, now: date) }) {
            meaning.changedAgo = changed < date ? Int(date - changed) : nil
        }
        guard let headers = confirmed.stored.headers(confirmedBy: bench.headers(message.lines(at: date))) else {
            return fail("a confirmation without a validator was not taken")
        }
        keep(meaning, headers, flight, body: given.count)
    }

    private mutating func keep(_ meaning: Meaning, _ headers: HTTPHeaders, _ flight: Flight, body: Int) {
        let response = StoredResponse(
            status: 200, headers: headers, body: Array("\(body)".utf8), to: flight.lookup.headers, rule: bench.rule,
            sent: flight.sent, received: bench.now, date: bench.date)
        if meaning.isNoStore, response != nil { fail("stored in spite of no-store") }
        _ = bench.state.store(response, flight.lookup, of: flight.number)
        var new = Given(
            owner: flight.owner, resource: flight.resource, language: flight.language, meaning: meaning,
            received: bench.now, delay: bench.now - flight.sent)
        new.isGone = flight.isVoid
        if !flight.isVoid {
            // It takes the place of what its request selects.
            for index in given.indices
            where given[index].owner == flight.owner && given[index].resource == flight.resource
                && (!given[index].meaning.varies || given[index].language == flight.language)
            {
                given[index].isGone = true
            }
        }
        given.append(new)
    }

    private func id(of response: StoredResponse) -> Int { Int(String(decoding: response.body, as: UTF8.self)) ?? 0 }

    // MARK: Events

    private mutating func write() {
        let resource = random(4)
        let clears = random(2) == 0 ? [random(3)] : []
        bench.state.invalidate(
            targets: CacheKey.targets(ofWriteTo: "https://a.example/\(resource)", nil),
            endpoints: clears.map { "Bank.e\($0)" })
        for index in given.indices
        where given[index].resource == resource || clears.contains(given[index].resource % 3) {
            given[index].isGone = true
        }
        for index in flights.indices
        where flights[index].resource == resource || clears.contains(flights[index].resource % 3) {
            flights[index].isVoid = true
        }
    }

    /// A user logs out, and another one logs in.
    private mutating func change(_ user: Int) {
        bench.state.remove(owners[user])
        for index in given.indices where given[index].owner == logins[user] { given[index].isGone = true }
        for index in flights.indices where flights[index].owner == logins[user] { flights[index].isVoid = true }
        logins[user] = (logins.max() ?? 0) + 1
        owners[user] = CacheOwner(sessions[user], .epoch(logins[user]))
    }

    private mutating func fail(_ text: String) { violation = violation ?? text }
}
