/// The state of the board, and all steps that must be atomic.
struct IncidentState: Sendable {
    /// The work to do when the lock is free.
    enum Step: Sendable {
        case tell(OpenIncident.Callback, IncidentOutcome)
        case ask(question: Int, any Responder, Incident)
        case cancel(Task<Void, Never>)
    }

    private(set) var incidents: [IncidentKey: OpenIncident] = [:]
    private var questions = QuestionQueues()
    private var memory = DecisionCache()
    private var evidence = HostEvidence()
    private var nextID = 0
    private var steps: [Step] = []
    private var events: [IncidentEvent] = []

    var isEmpty: Bool { incidents.isEmpty }
    func isDown(_ host: Origin) -> Bool { incidents[.host(host)].map { !$0.isNarrowed } ?? false }
    /// How many commands are affected now.
    var cohort: Int { incidents.values.reduce(0) { $0 + $1.members.count } }

    /// The work to do now, and the events to report.
    mutating func takeWork() -> (steps: [Step], events: [IncidentEvent]) {
        defer { (steps, events) = ([], []) }
        return (steps, events)
    }

    private mutating func makeID() -> Int {
        nextID += 1
        return nextID
    }

    // MARK: Commands

    mutating func join(
        _ cause: IncidentCause, _ context: FailureContext, _ chain: [ResponderLevel], _ time: CommandTime,
        maySendAgain: Bool, tell outcome: @escaping OpenIncident.Callback
    ) -> IncidentMember {
        let id = makeID()
        let key = key(of: cause, id)
        if let known = memory.outcome(of: chain, about: key, since: time.begun) {
            steps.append(.tell(outcome, known))
            return IncidentMember(key: key, incident: incidents[key]?.incident ?? id, id: id)
        }
        let isNew = incidents[key] == nil
        var incident =
            incidents.removeValue(forKey: key)
            ?? OpenIncident(makeID(), key, cause, context, isNarrowed: isNarrow(cause, time.now))
        let member = OpenIncident.Member(cause: cause, chain: chain, begun: time.begun, outcome: outcome)
        let command = AffectedCommand(
            endpoint: context.endpoint, since: time.now, failure: context, maySendAgain: maySendAgain)
        let isUpdated = incident.add(id, member, command)
        if isNew {
            events.append(.opened(incident.value))
        } else if isUpdated {
            events.append(.updated(incident.value))
        }
        place(id, in: &incident)
        askNext(&incident)
        incidents[key] = incident
        return IncidentMember(key: key, incident: incident.incident, id: id)
    }

    private func key(of cause: IncidentCause, _ id: Int) -> IncidentKey {
        switch cause.place {
        case .network: .network
        case .outage(let host): .host(host)
        case .refusal(let host): cause.endpoint.map { .refusal(host, ObjectIdentifier($0)) } ?? .host(host)
        case .session(let session): .session(session)
        case .raised: .raised(id)
        }
    }

    /// Whether the failing endpoint is the cause, because the host responds to others.
    private func isNarrow(_ cause: IncidentCause, _ now: Duration) -> Bool {
        // If nothing reached the host, its earlier responses don't matter.
        guard let endpoint = cause.endpoint, !cause.isHostCaused else { return false }
        switch cause.place {
        case .network, .session, .raised: return false
        case .refusal: return true
        case .outage(let host):
            return evidence.hasSucceeded(
                host, besides: ObjectIdentifier(endpoint),
                since: now - max(endpoint.timeout, endpoint.constrainedTimeout ?? .zero))
        }
    }

    /// Removes a waiter.
    mutating func leave(_ member: IncidentMember, at now: Duration) {
        guard incidents[member.key]?.incident == member.incident, incidents[member.key]?.members[member.id] != nil,
            var incident = incidents.removeValue(forKey: member.key)
        else { return }
        _ = incident.remove(member.id)
        advance(&incident, at: now)
    }

    // MARK: Evidence

    mutating func noteSuccess(_ host: Origin, _ endpoint: ObjectIdentifier, at now: Duration) {
        evidence.noteSuccess(host, endpoint, at: now)
        if !memory.isEmpty {
            memory.forget(.host(host), endpoint)
            memory.forget(.refusal(host, endpoint))
            if !host.isLoopback { memory.forget(.network) }
        }
        if incidents.isEmpty { return }
        for key in [IncidentKey.network, .host(host)] where key != .network || !host.isLoopback {
            if let helped = incidents[key]?.helped(bySuccessOf: endpoint) { release(helped, from: key, at: now) }
        }
        guard var incident = incidents[.host(host)], incident.narrow() else { return }
        events.append(.updated(incident.value))
        incidents[incident.key] = incident
    }

    /// Ends an incident: its cause is gone.
    mutating func withdraw(_ key: IncidentKey, at now: Duration) {
        memory.forget(key)
        if let members = incidents[key]?.members.keys.sorted() { release(members, from: key, at: now) }
    }

    /// Lets members go on whose cause has ended.
    private mutating func release(_ members: [Int], from key: IncidentKey, at now: Duration) {
        // It is taken out of the table, or each change would copy all of its members.
        guard !members.isEmpty, var incident = incidents.removeValue(forKey: key) else { return }
        for id in members {
            guard let outcome = incident.remove(id)?.outcome else { continue }
            steps.append(.tell(outcome, .withdrawn))
        }
        if incident.isEmpty { events.append(.withdrawn(incident.value)) }
        advance(&incident, at: now, isWithdrawn: true)
    }

    // MARK: Questions

    /// Puts a member to the group of the responder that decides next; tells it where none is left.
    private mutating func place(_ id: Int, in incident: inout OpenIncident) {
        guard let member = incident.members[id] else { return }
        var position = member.position
        while position < member.chain.count {
            let level = member.chain[position]
            let known = memory.answer(of: level.identity, about: incident.key, since: member.begun)
            if let known, known != .pass {
                if let outcome = incident.remove(id)?.outcome { steps.append(.tell(outcome, .answered(known))) }
                return
            }
            if known == nil, !incident.passed.contains(level.identity) {
                incident.setPosition(position, of: id)
                if let index = incident.groups.firstIndex(where: { $0.level.identity == level.identity }) {
                    incident.groups[index].members.insert(id)
                } else {
                    incident.groups.append(OpenIncident.Group(level: level, members: [id]))
                }
                return
            }
            position += 1
        }
        // It stays in the cohort until it leaves: a command that is held offline is still affected.
        incident.setPosition(position, of: id)
        if !incident.wasUnanswered { events.append(.unanswered(incident.value)) }
        incident.wasUnanswered = true
        if let outcome = incident.takeOutcome(of: id) { steps.append(.tell(outcome, .unanswered)) }
    }

    /// Asks the next question, if one waits and no other is being asked.
    private mutating func askNext(_ incident: inout OpenIncident) {
        guard incident.question == nil, let group = incident.groups.first else { return }
        let id = makeID()
        incident.question = id
        questions.add(id, about: incident.key, group.level)
        // The snapshot is taken when the question is put, by then with this incident among the others.
        incidents[incident.key] = incident
        putNext(to: group.level)
    }

    private mutating func putNext(to level: ResponderLevel) {
        while let question = questions.startNext(level.identity) {
            guard let incident = incidents[question.key] else { continue }
            steps.append(.ask(question: question.id, question.level.responder, incident.value))
        }
    }

    /// Notes the task that answers a question. The task is cancelled if the question was withdrawn already.
    mutating func note(_ task: Task<Void, Never>, of question: Int) {
        if !questions.note(task, of: question) { steps.append(.cancel(task)) }
    }

    /// A responder has returned. Nil for a question that was withdrawn.
    mutating func finish(_ id: Int, _ answer: IncidentAnswer, at now: Duration) {
        guard let question = questions.finish(id) else { return }
        if !question.isWithdrawn, var incident = incidents[question.key], incident.question == id {
            take(answer, in: &incident, at: now)
        }
        putNext(to: question.level)
    }

    private mutating func take(_ answer: IncidentAnswer, in incident: inout OpenIncident, at now: Duration) {
        incident.question = nil
        let group = incident.groups.removeFirst()
        memory.note(answer, of: group.level.identity, about: incident.key, incident.affected, at: now)
        if answer == .pass {
            incident.notePassed(group.level.identity)
        } else {
            events.append(.answered(incident.value, answer))
        }
        for id in group.members.sorted() {
            if answer == .pass {
                place(id, in: &incident)
            } else if let outcome = incident.remove(id)?.outcome {
                steps.append(.tell(outcome, .answered(answer)))
            }
        }
        advance(&incident, at: now)
    }

    /// Goes on after members have left: drops a question that no command waits for, puts the next one, and closes the
    /// incident after the last member.
    private mutating func advance(_ incident: inout OpenIncident, at now: Duration, isWithdrawn: Bool = false) {
        if let group = incident.groups.first, group.members.isEmpty, let question = incident.question {
            if let task = questions.withdraw(question) { steps.append(.cancel(task)) }
            incident.question = nil
        }
        incident.groups.removeAll { $0.members.isEmpty }
        if incident.isEmpty {
            incidents[incident.key] = nil
            if incident.wasUnanswered, !isWithdrawn { memory.noteUnanswered(incident.key, incident.affected, at: now) }
            events.append(.closed(incident.value))
            incident.close()
        } else {
            incidents[incident.key] = incident
            askNext(&incident)
        }
    }
}
