/// The stored responses, within a number of bytes, and the requests under way whose responses may be stored. A value without a lock, a
/// clock or a task.
struct HTTPCacheState: Sendable {
    private struct Entry {
        let key: CacheKey
        let response: StoredResponse
        let size: Int
        /// When the file on the disk was last told of a use; nil before the first time.
        var told: Duration?
        /// The neighbors in the order of their last use.
        var older: Int?
        var newer: Int?
    }

    private struct Owner {
        var count = 0
        /// Ends the watch for the end of its login.
        var unwatch: (@Sendable () -> Void)?
    }

    /// A request whose response may be stored.
    private struct UnderWay {
        let key: CacheKey
        /// Whether something has happened since it was sent that its response may not show.
        var isVoid = false
    }

    /// How many responses to one request are kept that differ by `Vary`.
    static let maximumVariants = 16

    /// In bytes.
    let limit: Int
    /// How many bytes the stored responses take.
    private(set) var size = 0
    private var entries: [Int: Entry] = [:]
    private var oldest: Int?
    private var newest: Int?
    private var variants: [CacheKey: [Int]] = [:]
    private var targets: [String: Set<Int>] = [:]
    private var endpoints: [String: Set<Int>] = [:]
    private var owners: [CacheOwner: Owner] = [:]
    private var underWay: [Int: UnderWay] = [:]
    private var revalidated: Set<CacheKey> = []
    private var lastNumber = 0
    /// Counts what makes stored responses out of date: writes, ends of logins, and responses that say so.
    private(set) var changes = 0

    init(limit: Int) { self.limit = max(0, limit) }

    var count: Int { entries.count }
    /// Whether nothing is stored, and nothing is about to be.
    var isIdle: Bool { entries.isEmpty && underWay.isEmpty }
    /// How many requests and revalidations are under way.
    var counts: (underWay: Int, revalidated: Int) { (underWay.count, revalidated.count) }

    // MARK: Looking

    /// What the cache has for a request.
    enum Answer: Sendable {
        case nothing
        case fresh(StoredResponse)
        /// A stale one that may be used while the server is asked for a newer one.
        ///
        /// - Parameter isFirst: whether the caller has to ask the server, and to report the end of that (`endRevalidation`).
        case whileRevalidating(StoredResponse, isFirst: Bool)
        /// A stale one, which the server may confirm.
        case stale(StoredResponse)
    }

    /// Looks for a response. Who is told to ask the server is the only one until that has ended, because both happen in one step.
    mutating func look(_ lookup: CacheLookup, at now: Duration) -> Answer {
        guard let found = find(lookup) else { return .nothing }
        if found.isFresh(at: now, for: lookup.demand) { return .fresh(found) }
        guard found.allows(.whileRevalidating, at: now, for: lookup.demand) else { return .stale(found) }
        return .whileRevalidating(found, isFirst: revalidated.insert(lookup.key).inserted)
    }

    /// The last stored of the responses that a request selects.
    mutating func find(_ lookup: CacheLookup) -> StoredResponse? {
        guard let number = number(of: lookup) else { return nil }
        touch(number)
        return entries[number]?.response
    }

    /// Whether memory has a response, and whether its file on the disk has to be told of the use.
    enum Use: Sendable {
        case unknown, known, due
    }

    /// Looks for a response, and notes its use. A file is told once in a minute at most.
    mutating func use(of lookup: CacheLookup, at now: Duration) -> Use {
        guard let number = number(of: lookup) else { return .unknown }
        if let told = entries[number]?.told, now - told < .seconds(60) { return .known }
        entries[number]?.told = now
        return .due
    }

    /// Whether a response is still stored.
    func holds(_ response: StoredResponse, of key: CacheKey) -> Bool {
        variants[key]?.contains { entries[$0]?.response === response } ?? false
    }

    mutating func endRevalidation(of key: CacheKey) { revalidated.remove(key) }

    private func number(of lookup: CacheLookup) -> Int? {
        variants[lookup.key]?.last { entries[$0]?.response.selection.matches(lookup.headers) ?? false }
    }

    // MARK: Storing

    /// Notes a request that is sent now. Its response may be stored, unless something happens meanwhile that it may not show.
    mutating func begin(_ key: CacheKey) -> Int {
        lastNumber += 1
        underWay[lastNumber] = UnderWay(key: key)
        return lastNumber
    }

    mutating func end(_ number: Int) { underWay[number] = nil }

    /// Stores the response to a request under way, in place of what the request had selected.
    ///
    /// - Parameter response: nil for one that must not be stored: what the request had selected is out of date all the same.
    mutating func store(_ response: StoredResponse?, _ lookup: CacheLookup, of number: Int) -> Outcome {
        guard let request = underWay[number], !request.isVoid else { return .ignored }
        removeSelected(lookup)
        guard let response, let isFirst = add(response, lookup) else { return .removed }
        return .stored(isFirst: isFirst)
    }

    /// What has become of a response.
    enum Outcome: Sendable, Equatable {
        /// Something has happened since the request was sent, and nothing has changed.
        case ignored
        /// What the request had selected is gone, and nothing has taken its place.
        case removed
        /// - Parameter isFirst: whether its owner has to be watched, because it is the first response of this owner.
        case stored(isFirst: Bool)
    }

    /// Takes a response from the disk, unless another one has come meanwhile.
    ///
    /// - Returns: whether its owner has to be watched.
    mutating func insert(_ response: StoredResponse, _ lookup: CacheLookup) -> Bool {
        number(of: lookup) == nil && add(response, lookup) ?? false
    }

    /// - Returns: whether its owner has to be watched; nil for a response that is too large.
    private mutating func add(_ response: StoredResponse, _ lookup: CacheLookup) -> Bool? {
        let key = lookup.key
        let size = response.size + 2 * key.size
        // One response must not take the place of all others.
        guard size <= limit / 8 else { return nil }
        if let known = variants[key], known.count >= Self.maximumVariants { remove(known[0]) }
        lastNumber += 1
        let entry = lastNumber
        entries[entry] = Entry(key: key, response: response, size: size)
        self.size += size
        link(entry)
        variants[key, default: []].append(entry)
        targets[key.target, default: []].insert(entry)
        endpoints[key.endpoint, default: []].insert(entry)
        owners[key.owner, default: Owner()].count += 1
        let isFirst = owners[key.owner]?.count == 1 && owners[key.owner]?.unwatch == nil
        while self.size > limit, let oldest { remove(oldest) }
        return isFirst
    }

    /// Notes how to end the watch for the end of an owner's login.
    ///
    /// - Returns: false if the owner has no responses, so that nothing has to be watched.
    mutating func note(_ unwatch: @escaping @Sendable () -> Void, of owner: CacheOwner) -> Bool {
        guard owners[owner] != nil, owners[owner]?.unwatch == nil else { return false }
        owners[owner]?.unwatch = unwatch
        return true
    }

    // MARK: Removing

    /// Removes what a request selects.
    mutating func remove(_ lookup: CacheLookup) {
        changes += 1
        removeSelected(lookup)
    }

    private mutating func removeSelected(_ lookup: CacheLookup) {
        while let number = number(of: lookup) { remove(number) }
    }

    /// Removes what a write may have changed: the responses of these targets and of these endpoints, of all owners. Requests that are
    /// under way may have been carried out before the write, so their responses are not stored.
    mutating func invalidate(targets: [String], endpoints: [String]) {
        changes += 1
        let found = targets.compactMap { self.targets[$0] } + endpoints.compactMap { self.endpoints[$0] }
        for number in Set(found.joined()) { remove(number) }
        for (number, request) in underWay
        where targets.contains(request.key.target) || endpoints.contains(request.key.endpoint) {
            underWay[number]?.isVoid = true
        }
    }

    /// Removes everything of one owner.
    mutating func remove(_ owner: CacheOwner) {
        changes += 1
        for (number, entry) in entries where entry.key.owner == owner { remove(number) }
        for (number, request) in underWay where request.key.owner == owner { underWay[number]?.isVoid = true }
    }

    mutating func removeAll() {
        changes += 1
        for number in entries.keys { remove(number) }
        for number in underWay.keys { underWay[number]?.isVoid = true }
    }

    /// The watches that the removed responses have left, to be ended once the lock is free.
    private(set) var ended: [@Sendable () -> Void] = []

    mutating func takeEnded() -> [@Sendable () -> Void] {
        defer { if !ended.isEmpty { ended = [] } }
        return ended
    }

    private mutating func remove(_ number: Int) {
        guard let entry = entries[number] else { return }
        unlink(number)
        entries[number] = nil
        size -= entry.size
        let key = entry.key
        variants[key]?.removeAll { $0 == number }
        if variants[key]?.isEmpty ?? false { variants[key] = nil }
        Self.remove(number, key.target, from: &targets)
        Self.remove(number, key.endpoint, from: &endpoints)
        owners[key.owner]?.count -= 1
        if let owner = owners[key.owner], owner.count == 0 {
            owners[key.owner] = nil
            if let unwatch = owner.unwatch { ended.append(unwatch) }
        }
    }

    private static func remove(_ number: Int, _ name: String, from index: inout [String: Set<Int>]) {
        index[name]?.remove(number)
        if index[name]?.isEmpty ?? false { index[name] = nil }
    }

    // MARK: The order of use

    private mutating func touch(_ number: Int) {
        guard newest != number else { return }
        unlink(number)
        link(number)
    }

    private mutating func link(_ number: Int) {
        entries[number]?.older = newest
        entries[number]?.newer = nil
        if let newest { entries[newest]?.newer = number }
        newest = number
        if oldest == nil { oldest = number }
    }

    private mutating func unlink(_ number: Int) {
        guard let (older, newer) = entries[number].map({ ($0.older, $0.newer) }) else { return }
        if let older { entries[older]?.newer = newer } else { oldest = newer }
        if let newer { entries[newer]?.older = older } else { newest = older }
    }
}
