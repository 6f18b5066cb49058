/// An incident that is open, with the commands that wait for its end.
struct OpenIncident: Sendable {
    typealias Callback = @Sendable (IncidentOutcome) -> Void

    /// A command that has joined.
    struct Member: Sendable {
        let cause: IncidentCause
        let chain: [ResponderLevel]
        let begun: Duration
        /// The place of the responder in the chain that decides next.
        var position = 0
        /// Called once. Nil if the command knows that no responder decides, and has yet to leave.
        var outcome: Callback?

        /// The successes that end what this command has met.
        var remedy: Remedy? {
            switch cause.place {
            case .network(let endsWithSuccess): return endsWithSuccess ? .anySuccess : nil
            case .session, .raised: return nil
            case .outage, .refusal:
                // A failure that the contract calls final does not pass by itself.
                if cause.category == .nonRetryable { return nil }
                return cause.isHostCaused ? .anySuccess : cause.endpoint.map { .success(of: ObjectIdentifier($0)) }
            }
        }
    }

    /// What shows that a cause has ended.
    enum Remedy: Hashable, Sendable {
        /// A success of the host or, for the network, of any host.
        case anySuccess
        case success(of: ObjectIdentifier)
    }

    /// The members that wait for the same responder.
    struct Group: Sendable {
        let level: ResponderLevel
        var members: Set<Int>
    }

    let key: IncidentKey
    let incident: Int
    let feed: IncidentFeed
    private(set) var facts: Incident.Facts
    private(set) var members: [Int: Member] = [:]
    /// In the order in which they are asked: the first one is.
    var groups: [Group] = []
    /// The question that is put to the first group's responder, or waits for its turn.
    var question: Int?
    /// The responders that have passed: they are not asked again.
    private(set) var passed: Set<ResponderIdentity> = []
    var wasUnanswered = false
    /// Whether the host responds to other endpoints.
    private(set) var isNarrowed: Bool
    private let host: Origin?
    private var endpoints: [ObjectIdentifier: (name: String, count: Int)] = [:]
    /// The members by what helps them. Each success of a host asks for them, so it must not look through all members.
    private var helped: [Remedy: Set<Int>] = [:]

    init(_ id: Int, _ key: IncidentKey, _ cause: IncidentCause, _ context: FailureContext, isNarrowed: Bool) {
        incident = id
        self.key = key
        self.isNarrowed = isNarrowed
        let scope: Incident.Scope
        switch cause.place {
        case .network:
            scope = .network
            host = nil
        case .outage(let origin), .refusal(let origin):
            scope = .host(origin)
            host = origin
        case .session:
            scope = .session(service: context.service)
            host = nil
        case .raised:
            scope = .raised
            host = nil
        }
        facts = Incident.Facts(scope: scope, context: context, cohort: IncidentCohort(), login: cause.login)
        feed = IncidentFeed(facts)
    }

    /// The incident as an app sees it.
    var value: Incident { Incident(id: incident, facts: facts, feed: feed) }
    var isEmpty: Bool { members.isEmpty }
    /// The endpoints that it affects; nil if the cause doesn't belong to an endpoint.
    var affected: Set<ObjectIdentifier>? { host == nil ? nil : Set(endpoints.keys) }

    // MARK: Members

    /// Whether scope or message has changed.
    mutating func add(_ id: Int, _ member: Member, _ command: AffectedCommand) -> Bool {
        members[id] = member
        if let remedy = member.remedy { helped[remedy, default: []].insert(id) }
        if let endpoint = member.cause.endpoint {
            let name = "\(endpoint.service.name).\(endpoint.name)"
            endpoints[ObjectIdentifier(endpoint), default: (name, 0)].count += 1
        }
        let isFirst = facts.cohort.count == 0
        facts.cohort.count += 1
        if facts.cohort.commands.count < IncidentCohort.maximumCommands { facts.cohort.commands.append(command) }
        let isWorse = command.failure.isWorse(than: facts.context)
        if isWorse { facts.context = command.failure }
        let hasOtherScope = updateScope()
        feed.update(facts)
        return !isFirst && (isWorse || hasOtherScope)
    }

    /// Takes a member out.
    mutating func remove(_ id: Int) -> Member? {
        guard let member = members.removeValue(forKey: id) else { return nil }
        if let remedy = member.remedy {
            helped[remedy]?.remove(id)
            if helped[remedy]?.isEmpty == true { helped[remedy] = nil }
        }
        if let endpoint = member.cause.endpoint.map(ObjectIdentifier.init) {
            endpoints[endpoint]?.count -= 1
            if endpoints[endpoint]?.count == 0, endpoints.count > 1 { endpoints[endpoint] = nil }
        }
        for index in groups.indices where groups[index].members.remove(id) != nil { break }
        return member
    }

    mutating func setPosition(_ position: Int, of id: Int) { members[id]?.position = position }

    /// Takes out what the command waits with: it is called once.
    mutating func takeOutcome(of id: Int) -> Callback? {
        defer { members[id]?.outcome = nil }
        return members[id]?.outcome
    }

    mutating func notePassed(_ level: ResponderIdentity) { passed.insert(level) }

    // MARK: Scope

    /// The members that a success of an endpoint helps, in the order in which they came.
    func helped(bySuccessOf endpoint: ObjectIdentifier) -> [Int] {
        if helped.isEmpty { return [] }
        return [.anySuccess, .success(of: endpoint)].flatMap { helped[$0] ?? [] }.sorted()
    }

    /// Notes that the host responds. Returns whether the scope has changed.
    mutating func narrow() -> Bool {
        isNarrowed = true
        let isChanged = updateScope()
        if isChanged { feed.update(facts) }
        return isChanged
    }

    private mutating func updateScope() -> Bool {
        guard isNarrowed, let host else { return false }
        let scope = Incident.Scope.endpoints(host, endpoints.values.map(\.name).sorted())
        defer { facts.scope = scope }
        return scope != facts.scope
    }

    func close() { feed.close(facts) }
}
