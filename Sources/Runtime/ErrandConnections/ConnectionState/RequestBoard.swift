import ErrandRuntime

/// The requests of a connection: those under way by their correlation, and those that wait to be sent.
struct RequestBoard: Sendable {
    private struct Entry: Sendable {
        enum Stage: Sendable {
            /// Nothing of it was sent.
            case queued
            /// The transport has its frame, and may have sent some of it.
            case handedOver
        }

        let replies: FrameRequest.Replies
        let waitsForSession: Bool
        let isLogin: Bool
        var stage = Stage.queued
        let size: Int32
        /// How many bytes of its replies wait for their reader.
        var buffered: Int32 = 0
        /// How many signs of life had come when it was handed over.
        var signs: UInt32 = 0
    }

    /// What becomes of a reply.
    enum Destination: Sendable, Hashable {
        case delivered(isOver: Bool)
        case late
        case unknown
    }

    /// How many bytes one request needs here.
    static var bytesPerRequest: Int { MemoryLayout<(UInt64, Entry)>.stride + MemoryLayout<UInt64>.stride }

    private let rules: ConnectionRules
    private var entries: [UInt64: Entry] = [:]
    /// The requests that were not sent, in their order: those that wait for the session, and the others. Some have left.
    private var ofSession = Heap<UInt64>()
    private var others = Heap<UInt64>()
    /// The sizes of the frames that the transport has not written yet.
    private var unwritten: [UInt64: Int] = [:]
    private var unwrittenSize = 0
    private var lastCorrelation: UInt64 = 0
    /// The subscriptions whose readers have too much to read.
    private var overfull: Set<UInt64> = []
    /// How many requests wait for a reply that ends them.
    private var awaited = 0
    /// How many of them are logins.
    private var logins = 0
    /// How many signs of life have come, over all connections.
    private var signs: UInt32 = 0

    init(_ rules: ConnectionRules) { self.rules = rules }

    var count: Int { entries.count }
    var hasRoom: Bool { entries.count < rules.maximumPending }
    /// Whether a frame is being written, or a single reply is awaited.
    var isAwaited: Bool { awaited > 0 || !unwritten.isEmpty }
    /// Whether a login is on its way. The client does not know then to whom the server gives the connection.
    var isLoginUnderWay: Bool { logins > 0 }
    /// Whether a reader has so much to read that the server is to be held back.
    var isOverfull: Bool { !overfull.isEmpty }

    mutating func makeCorrelation() -> UInt64 {
        lastCorrelation += 1
        return lastCorrelation
    }

    /// Adds a request; false if there is no room for it.
    mutating func insert(_ request: FrameRequest) -> Bool {
        guard hasRoom, entries[request.correlation] == nil else { return false }
        lastCorrelation = max(lastCorrelation, request.correlation)
        entries[request.correlation] = Entry(
            replies: request.replies, waitsForSession: request.waitsForSession, isLogin: request.isLogin,
            size: Int32(clamping: request.size))
        queue(request.correlation, ofSession: request.waitsForSession)
        return true
    }

    private mutating func queue(_ correlation: UInt64, ofSession isOfSession: Bool) {
        if isOfSession { ofSession.insert(correlation) } else { others.insert(correlation) }
    }

    /// Whether a request waits for the session.
    var isSessionWanted: Bool {
        mutating get { first(&ofSession) != nil }
    }

    mutating func cancel(_ correlation: UInt64) {
        guard remove(correlation) != nil else { return }
        trim()
    }

    // MARK: Writing

    /// Hands over the requests that may go, the oldest first. Behind a login, none of the session goes.
    mutating func write(on number: Int, withSession: Bool, into effects: inout [ConnectionEffect]) {
        while unwrittenSize < rules.maximumUnwritten, let next = takeNext(withSession: withSession && logins == 0) {
            guard var entry = entries[next] else { continue }
            entry.stage = .handedOver
            entry.signs = signs
            entries[next] = entry
            if entry.replies != .many { awaited += 1 }
            if entry.isLogin { logins += 1 }
            unwritten[next] = Int(entry.size)
            unwrittenSize += Int(entry.size)
            effects.append(.write(next, number))
        }
    }

    private mutating func takeNext(withSession: Bool) -> UInt64? {
        let other = first(&others)
        guard withSession, let own = first(&ofSession), other.map({ own < $0 }) ?? true else {
            if other != nil { others.removeFirst() }
            return other
        }
        ofSession.removeFirst()
        return own
    }

    /// The first request of a queue that still wants to be sent.
    private func first(_ queue: inout Heap<UInt64>) -> UInt64? {
        while let first = queue.first {
            if let entry = entries[first], entry.stage == .queued { return first }
            queue.removeFirst()
        }
        return nil
    }

    mutating func noteWritten(_ correlation: UInt64, into effects: inout [ConnectionEffect]) {
        guard let size = unwritten.removeValue(forKey: correlation) else { return }
        unwrittenSize -= size
        guard let entry = entries[correlation], entry.replies == .none else { return }
        remove(correlation)
        effects.append(.end(correlation, .written))
    }

    /// A request whose frame was not sent after all waits for the next connection.
    mutating func noteUnwritten(_ correlation: UInt64) {
        guard let size = unwritten.removeValue(forKey: correlation) else { return }
        unwrittenSize -= size
        guard var entry = entries[correlation] else { return }
        if entry.replies != .many { awaited -= 1 }
        if entry.isLogin { logins -= 1 }
        entry.stage = .queued
        entries[correlation] = entry
        queue(correlation, ofSession: entry.waitsForSession)
    }

    // MARK: Reading

    mutating func noteSign() { signs &+= 1 }

    /// Whether a request was handed over, and no sign of life has come since.
    func isUnheard(since correlation: UInt64) -> Bool {
        guard let entry = entries[correlation] else { return false }
        return entry.stage == .handedOver && entry.signs == signs
    }

    mutating func receive(_ correlation: UInt64, isLast: Bool, size: Int) -> Destination {
        guard correlation <= lastCorrelation, correlation > 0 else { return .unknown }
        guard var entry = entries[correlation], entry.stage == .handedOver else { return .late }
        switch entry.replies {
        case .none: return .late
        case .many where !isLast:
            entry.buffered = Int32(clamping: Int(entry.buffered) + size)
            entries[correlation] = entry
            if Int(entry.buffered) > rules.maximumBuffered { overfull.insert(correlation) }
            return .delivered(isOver: false)
        case .one, .many:
            remove(correlation)
            return .delivered(isOver: true)
        }
    }

    mutating func noteConsumed(_ correlation: UInt64, _ size: Int) {
        guard var entry = entries[correlation] else { return }
        entry.buffered = max(0, entry.buffered - Int32(clamping: size))
        entries[correlation] = entry
        // Half of the bound, so that the server isn't held back and let go for each element.
        if Int(entry.buffered) <= rules.maximumBuffered / 2 { overfull.remove(correlation) }
    }

    /// Ends the subscriptions whose readers have not caught up.
    mutating func detachSlow(into effects: inout [ConnectionEffect]) {
        for correlation in overfull.sorted() {
            remove(correlation)
            effects.append(.end(correlation, .detached))
        }
        overfull = []
    }

    // MARK: Failing

    /// Ends the requests whose frames may have been sent. The others stay.
    mutating func failSent(_ failure: ConnectionFailure, into effects: inout [ConnectionEffect]) {
        unwritten = [:]
        unwrittenSize = 0
        fail(failure, .sent, into: &effects) { $0.stage == .handedOver }
    }

    /// Ends the requests that wait for the session.
    mutating func failSession(_ failure: ConnectionFailure, into effects: inout [ConnectionEffect]) {
        fail(failure, .notSent, into: &effects) { $0.stage == .queued && $0.waitsForSession }
    }

    /// Ends all requests that wait to be sent.
    mutating func failAll(_ failure: ConnectionFailure, into effects: inout [ConnectionEffect]) {
        fail(failure, .notSent, into: &effects) { $0.stage == .queued }
    }

    private mutating func fail(
        _ failure: ConnectionFailure, _ evidence: Evidence, into effects: inout [ConnectionEffect],
        _ isMeant: (Entry) -> Bool
    ) {
        let failed = entries.filter { isMeant($0.value) }.keys.sorted()
        for correlation in failed {
            remove(correlation)
            effects.append(.end(correlation, .failed(failure, evidence)))
        }
        trim()
    }

    // MARK: Steps

    @discardableResult
    private mutating func remove(_ correlation: UInt64) -> Entry? {
        guard let entry = entries.removeValue(forKey: correlation) else { return nil }
        if entry.stage == .handedOver, entry.replies != .many { awaited -= 1 }
        if entry.stage == .handedOver, entry.isLogin { logins -= 1 }
        if entry.buffered > 0 { overfull.remove(correlation) }
        return entry
    }

    /// Forgets the places of requests that have left the queues, once they are most of them.
    private mutating func trim() {
        let entries = entries
        func trim(_ queue: inout Heap<UInt64>) {
            guard queue.count > 64, queue.count > 2 * entries.count else { return }
            queue.keep { entries[$0]?.stage == .queued }
        }
        trim(&ofSession)
        trim(&others)
    }
}
