/// The responders' answers about causes whose incidents have closed.
///
/// An answer applies to the commands that were under way when it was given, however late they fail; a command that was
/// started later asks again. It applies until the cause has ended.
struct DecisionCache: Sendable {
    private struct Answer: Sendable {
        var level: ResponderIdentity
        var answer: IncidentAnswer
        var moment: Duration
    }

    private struct Cause: Sendable {
        /// The latest answer of each responder.
        var answers: [Answer] = []
        /// When an incident without responders closed.
        var unanswered: Duration?
        /// The endpoints that were affected; nil if the cause doesn't belong to an endpoint.
        var endpoints: Set<ObjectIdentifier>?
        var moment: Duration
    }

    private var causes: [IncidentKey: Cause] = [:]
    /// More causes than an app has at a time, and more responders than a cause meets.
    private static let maximumCauses = 64
    private static let maximumAnswers = 16

    var isEmpty: Bool { causes.isEmpty }
    var count: Int { causes.count }

    /// Remembers what a responder has said.
    mutating func note(
        _ answer: IncidentAnswer, of level: ResponderIdentity, about key: IncidentKey,
        _ endpoints: Set<ObjectIdentifier>?,
        at moment: Duration
    ) {
        change(key, endpoints, at: moment) { cause in
            cause.answers.removeAll { $0.level == level }
            if cause.answers.count >= Self.maximumAnswers { cause.answers.removeFirst() }
            cause.answers.append(Answer(level: level, answer: answer, moment: moment))
        }
    }

    /// Remembers that no responder could be asked.
    mutating func noteUnanswered(_ key: IncidentKey, _ endpoints: Set<ObjectIdentifier>?, at moment: Duration) {
        change(key, endpoints, at: moment) { $0.unanswered = moment }
    }

    private mutating func change(
        _ key: IncidentKey, _ endpoints: Set<ObjectIdentifier>?, at moment: Duration, _ body: (inout Cause) -> Void
    ) {
        // An error that the app has raised happens once.
        if case .raised = key { return }
        if causes[key] == nil, causes.count >= Self.maximumCauses,
            let oldest = causes.min(by: { $0.value.moment < $1.value.moment })
        {
            causes[oldest.key] = nil
        }
        var cause = causes[key] ?? Cause(moment: moment)
        cause.moment = moment
        cause.endpoints = endpoints.map { $0.union(cause.endpoints ?? []) }
        body(&cause)
        causes[key] = cause
    }

    /// A responder's answer about a cause since a command began.
    func answer(of level: ResponderIdentity, about key: IncidentKey, since begun: Duration) -> IncidentAnswer? {
        guard let known = causes[key]?.answers.first(where: { $0.level == level }) else { return nil }
        // A command that was told to try again began its round at that very moment.
        let isMeant = known.answer == .retry ? begun < known.moment : begun <= known.moment
        return isMeant ? known.answer : nil
    }

    /// The answer of a whole chain about a cause since a command began; nil if some responder of the chain hasn't answered.
    func outcome(of chain: [ResponderLevel], about key: IncidentKey, since begun: Duration) -> IncidentOutcome? {
        guard let cause = causes[key] else { return nil }
        for level in chain {
            guard let answer = answer(of: level.identity, about: key, since: begun) else { return nil }
            if answer != .pass { return .answered(answer) }
        }
        if chain.isEmpty, begun > cause.unanswered ?? .seconds(-1) { return nil }
        return .unanswered
    }

    /// Forgets a cause that has ended.
    mutating func forget(_ key: IncidentKey) { causes[key] = nil }

    /// Forgets a cause as far as it was an endpoint's.
    mutating func forget(_ key: IncidentKey, _ endpoint: ObjectIdentifier) {
        guard var cause = causes[key] else { return }
        cause.endpoints?.remove(endpoint)
        causes[key] = cause.endpoints?.isEmpty ?? true ? nil : cause
    }
}
