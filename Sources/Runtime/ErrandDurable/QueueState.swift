import ErrandRuntime

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The durable commands of one service, and which of them may be sent next. A value without a lock, a clock or a store.
struct QueueState: Sendable {
    /// The commands that go one after the other: those of one user in one lane.
    private struct Lane: Sendable, Hashable {
        let owner: String?
        let name: String
    }

    /// A command that is being sent.
    struct Run: Sendable {
        var task: Task<Void, Never>?
        var isCancelled = false
        /// Whether the store knows that an attempt was made.
        var isNoted = false
        /// Whether the lifetime has ended during the run.
        var isExpired = false
    }

    private(set) var intents: [Int: KeptIntent] = [:]
    private var numbers: [UUID: Int] = [:]
    /// The commands of each lane that aren't settled, in their order. Slices, because the first one leaves them in constant time.
    private var lanes: [Lane: ArraySlice<Int>] = [:]
    /// The commands that may be sent now, the earliest first.
    private var ready = Heap<Int>()
    private var isReady: Set<Int> = []
    /// The commands that wait for their users.
    private var parked: [String: [Int]] = [:]
    /// The time limits of pauses and lifetimes, by the commands.
    var pauses: [Int: Int] = [:]
    var lifetimes: [Int: Int] = [:]
    var runs: [Int: Run] = [:]
    /// The greatest number that was read from the store.
    private(set) var last = 0
    /// The commands whose submission has not added them yet. The queue may read one from the store before that, and has carried it out
    /// then.
    var submitting: Set<UUID> = []
    /// How often the right to send was claimed. What was read or appended before may be outdated.
    var claims = 0
    var isDelivering = false
    var isClosed = false
    /// Whether responders are being told that something could not be delivered.
    var isReporting = false

    /// Stands for a time limit that has no number yet.
    static let unnumbered = 0

    var count: Int { intents.count }

    /// All commands in the order of their submission.
    var inOrder: [KeptIntent] { intents.values.sorted { $0.number < $1.number } }

    func intent(_ id: UUID) -> KeptIntent? { numbers[id].flatMap { intents[$0] } }

    // MARK: Changes

    /// Adds a command of the store. False if it is known already.
    mutating func add(_ intent: KeptIntent) -> Bool {
        let number = intent.number
        guard intents[number] == nil else { return false }
        submitting.remove(intent.id)
        intents[number] = intent
        numbers[intent.id] = number
        last = max(last, number)
        if intent.progress.state != .settled { enter(intent) }
        return true
    }

    /// Replaces the progress of a command. One that is settled lets the next of its lane go.
    mutating func change(_ number: Int, _ progress: IntentProgress) {
        guard let old = intents[number] else { return }
        intents[number]?.progress = progress
        if progress.state == .settled, old.progress.state != .settled { leave(old) }
        if progress.state != .settled, old.progress.state == .settled, let intent = intents[number] { enter(intent) }
    }

    mutating func remove(_ number: Int) {
        guard let intent = intents.removeValue(forKey: number) else { return }
        numbers[intent.id] = nil
        if intent.progress.state != .settled { leave(intent) }
    }

    private mutating func enter(_ intent: KeptIntent) {
        guard let lane = Self.lane(of: intent) else { return makeReady(intent.number) }
        lanes[lane, default: []].append(intent.number)
        // A command that is submitted again is the last of its lane.
        if lanes[lane]?.first == intent.number { makeReady(intent.number) }
    }

    private mutating func leave(_ intent: KeptIntent) {
        isReady.remove(intent.number)
        guard let lane = Self.lane(of: intent) else { return }
        let wasFirst = lanes[lane]?.first == intent.number
        if wasFirst { lanes[lane]?.removeFirst() } else { lanes[lane]?.removeAll { $0 == intent.number } }
        guard let next = lanes[lane]?.first else {
            lanes[lane] = nil
            return
        }
        if wasFirst { makeReady(next) }
    }

    private static func lane(of intent: KeptIntent) -> Lane? {
        intent.lane.map { Lane(owner: intent.owner, name: $0) }
    }

    // MARK: What may be sent

    /// Lets a command be sent, unless it waits for another one of its lane.
    mutating func makeReady(_ number: Int) {
        guard let intent = intents[number], intent.progress.state != .settled, runs[number] == nil else { return }
        if let lane = Self.lane(of: intent), lanes[lane]?.first != number { return }
        if isReady.insert(number).inserted { ready.insert(number) }
    }

    /// The next command to send, which is noted as being sent.
    ///
    /// - Parameters:
    ///   - isAllowed: whether the user of a command is logged in. Otherwise the command waits for its user.
    mutating func takeNext(atMost limit: Int, _ isAllowed: (String?) -> Bool) -> KeptIntent? {
        guard isDelivering, !isClosed else { return nil }
        while runs.count < limit, let number = ready.first {
            ready.removeFirst()
            guard isReady.remove(number) != nil, let intent = intents[number], runs[number] == nil else { continue }
            guard isAllowed(intent.owner) else {
                if let owner = intent.owner { parked[owner, default: []].append(number) }
                continue
            }
            runs[number] = Run()
            return intent
        }
        return nil
    }

    /// Keeps a command from being sent while the app's decision about it is written. False if it is being sent.
    mutating func hold(_ number: Int) -> Bool {
        guard intents[number] != nil, runs[number] == nil else { return false }
        runs[number] = Run()
        return true
    }

    /// Ends a hold.
    mutating func release(_ number: Int) {
        runs[number] = nil
        if pauses[number] == nil { makeReady(number) }
    }

    /// Lets the commands go that have waited for users who are logged in.
    mutating func wake(_ isAllowed: (String?) -> Bool) {
        for owner in parked.keys.sorted() where isAllowed(owner) {
            for number in parked.removeValue(forKey: owner) ?? [] { makeReady(number) }
        }
    }

    /// The commands that pause for the reason that their user had to log in.
    var numbersWithoutLogin: [Int] {
        pauses.keys.filter { intents[$0]?.progress.reason == .needsLogin }.sorted()
    }
}
