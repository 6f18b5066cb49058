/// When a command was started, or was last told to try again, and when it failed.
struct CommandTime: Sendable {
    var begun: Duration
    var now: Duration
}

/// What the board knows, and all steps that must be taken at once.
struct IncidentState: Sendable {
    /// How one level's answer reaches a waiting command.
    enum Result: Sendable {
        case answered(IncidentAnswer)
        case withdrawn, cancelled
    }

    typealias Waiter = CheckedContinuation<Result, Never>

    /// A question to one responder, and who waits for its answer.
    struct Ask: Sendable {
        let id: Int
        var waiters: [Int: Waiter] = [:]
        /// Ends when the question is of no interest any more.
        let withdrawal: AsyncStream<Never>
        private let end: AsyncStream<Never>.Continuation

        init(id: Int) {
            self.id = id
            (withdrawal, end) = AsyncStream.makeStream()
        }

        func withdraw() { end.finish() }

        /// Tells all who wait, in the order in which they came.
        func end(_ result: Result) {
            withdraw()
            for waiter in waiters.sorted(by: { $0.key < $1.key }) { waiter.value.resume(returning: result) }
        }
    }

    private struct Entry {
        let incident: Incident
        /// How many commands it hit that are not through with it.
        var cohort = 0
        var asks: [ObjectIdentifier: Ask] = [:]
    }

    /// What a level said last about a cause, and when.
    private struct Memory {
        var answers: [ObjectIdentifier: (answer: IncidentAnswer, moment: Duration)] = [:]
    }

    private var entries: [IncidentKey: Entry] = [:]
    private var memories: [IncidentKey: Memory] = [:]
    /// How long an answer stands for commands that were under way when it was given. What fails later
    /// fails for a reason of its own.
    private static let memoryTime = Duration.seconds(10)
    /// Far more causes than an app has at a time.
    private static let memoryLimit = 256
    private var nextID = 0

    var isEmpty: Bool { entries.isEmpty }
    var cohort: Int { entries.values.reduce(0) { $0 + $1.cohort } }

    mutating func makeID() -> Int {
        nextID += 1
        return nextID
    }

    mutating func join(_ key: IncidentKey, _ context: FailureContext) -> (incident: Incident, isNew: Bool) {
        if var entry = entries.removeValue(forKey: key) {
            entry.cohort += 1
            entries[key] = entry
            return (entry.incident, false)
        }
        let incident = Incident(id: makeID(), scope: key.scope.published(context), context: context)
        entries[key] = Entry(incident: incident, cohort: 1)
        return (incident, true)
    }

    /// True when the last command has left.
    mutating func leave(_ key: IncidentKey, _ id: Int) -> Bool {
        guard entries[key]?.incident.id == id else { return false }
        entries[key]?.cohort -= 1
        guard entries[key]?.cohort == 0 else { return false }
        entries[key] = nil
        return true
    }

    func isOpen(_ key: IncidentKey, _ id: Int) -> Bool { entries[key]?.incident.id == id }

    /// Waits for one level of an open incident; gives the question where it has yet to be put.
    mutating func wait(
        _ key: IncidentKey, _ level: ResponderLevel, _ waiterID: Int, _ waiter: Waiter
    ) -> Ask? {
        let level = ObjectIdentifier(level)
        if entries[key]?.asks[level] != nil {
            entries[key]?.asks[level]?.waiters[waiterID] = waiter
            return nil
        }
        var ask = Ask(id: makeID())
        ask.waiters[waiterID] = waiter
        entries[key]?.asks[level] = ask
        return ask
    }

    /// Takes a question out that has been answered; nil where it is not asked any more.
    mutating func take(
        _ key: IncidentKey, _ id: Int, _ level: ResponderLevel, _ ask: Int, _ answer: IncidentAnswer,
        _ now: Duration
    ) -> Ask? {
        let level = ObjectIdentifier(level)
        guard isOpen(key, id), entries[key]?.asks[level]?.id == ask else { return nil }
        if memories.count >= Self.memoryLimit { memories = [:] }
        memories[key, default: Memory()].answers[level] = (answer, now)
        return entries[key]?.asks.removeValue(forKey: level)
    }

    /// What a level said about a cause since a command began.
    func remembered(_ key: IncidentKey, _ level: ResponderLevel, _ time: CommandTime) -> IncidentAnswer? {
        guard let last = memories[key]?.answers[ObjectIdentifier(level)], time.begun <= last.moment,
            time.now - last.moment < Self.memoryTime
        else { return nil }
        return last.answer
    }

    /// What a chain has said about a cause since a command began; nil where it has not said all of it.
    func remembered(
        _ key: IncidentKey, _ chain: [ResponderLevel], _ time: CommandTime
    ) -> IncidentBoard.Verdict? {
        for level in chain {
            guard let answer = remembered(key, level, time) else { return nil }
            if let verdict = IncidentBoard.Verdict(answer) { return verdict }
        }
        return chain.isEmpty ? nil : .undecided
    }

    mutating func removeWaiter(
        _ key: IncidentKey, _ id: Int, _ level: ResponderLevel, _ waiterID: Int
    ) -> (waiter: Waiter?, abandoned: Ask?) {
        let level = ObjectIdentifier(level)
        guard entries[key]?.incident.id == id,
            let waiter = entries[key]?.asks[level]?.waiters.removeValue(forKey: waiterID)
        else { return (nil, nil) }
        let isAbandoned = entries[key]?.asks[level]?.waiters.isEmpty == true
        return (waiter, isAbandoned ? entries[key]?.asks.removeValue(forKey: level) : nil)
    }

    mutating func withdraw(_ scope: IncidentKey.Scope) -> [(Incident, [Ask])] {
        let keys = entries.keys.filter { $0.scope == scope }
        return keys.compactMap { entries.removeValue(forKey: $0) }
            .sorted { $0.incident.id < $1.incident.id }
            .map { ($0.incident, $0.asks.values.sorted { $0.id < $1.id }) }
    }
}
