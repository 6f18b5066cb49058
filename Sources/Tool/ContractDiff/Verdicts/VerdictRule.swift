/// The verdict of some edits at some slots, or the reason why there is none.
struct VerdictRule: Sendable {
    enum Outcome: Sendable {
        case verdict(@Sendable (Situation) -> ChangeVerdict)
        /// What a change means where the part is sent, and what it means where the part is received.
        case byUse(request: Half, response: Half)
        /// A change that breaks nothing, for the reason. A list of changes has it.
        case harmless(String)
        /// No change of its own, for the reason.
        case unlisted(String)
    }

    /// The rule for requests, and its mirror for responses.
    enum Half: Sendable {
        case verdict(@Sendable (Situation) -> ChangeVerdict)
        /// Why the other half has no mirror.
        case none(String)
    }

    let slots: [String]
    let edits: [Change.Edit]
    let outcome: Outcome

    /// Every edit of the slots has this verdict, unless `edits` names only some.
    static func verdict(
        _ slots: [String], _ edits: [Change.Edit] = Change.Edit.allCases,
        _ verdict: @escaping @Sendable (Situation) -> ChangeVerdict
    ) -> VerdictRule {
        VerdictRule(slots: slots, edits: edits, outcome: .verdict(verdict))
    }

    static func byUse(
        _ slots: [String], _ edits: [Change.Edit] = Change.Edit.allCases, request: Half, response: Half
    ) -> VerdictRule {
        VerdictRule(slots: slots, edits: edits, outcome: .byUse(request: request, response: response))
    }

    static func harmless(_ slots: [String], _ edits: [Change.Edit], _ reason: String) -> VerdictRule {
        VerdictRule(slots: slots, edits: edits, outcome: .harmless(reason))
    }

    static func harmless(_ slots: [String], _ reason: String) -> VerdictRule {
        harmless(slots, Change.Edit.allCases, reason)
    }

    static func unlisted(_ slots: [String], _ edits: [Change.Edit], _ reason: String) -> VerdictRule {
        VerdictRule(slots: slots, edits: edits, outcome: .unlisted(reason))
    }

    static func unlisted(_ slots: [String], _ reason: String) -> VerdictRule {
        unlisted(slots, Change.Edit.allCases, reason)
    }
}

extension VerdictRule.Outcome {
    /// The verdict for a change; nil if it is no change of its own.
    func verdict(_ situation: Situation) -> ChangeVerdict? {
        switch self {
        case .verdict(let verdict): return verdict(situation)
        case .harmless: return ChangeVerdict.none
        case .unlisted: return nil
        case .byUse(let request, let response):
            let use = situation.use
            let verdicts = [use.isInRequests ? request : nil, use.isInResponses ? response : nil].compactMap { half in
                if case .verdict(let verdict)? = half { verdict(situation) } else { nil }
            }
            // A type that no endpoint uses exists in Swift all the same.
            guard use.isInRequests || use.isInResponses else {
                if case .verdict(let verdict) = response {
                    return ChangeVerdict(source: verdict(situation).source)
                }
                return ChangeVerdict.none
            }
            return verdicts.reduce(ChangeVerdict.none) { $0.joined(with: $1, Self.together) }
        }
    }
}

extension VerdictRule.Outcome {
    /// The more severe judgment with the sentences of both: of what is sent, and of what is received.
    fileprivate static func together(
        _ one: ChangeVerdict.Judgment, _ two: ChangeVerdict.Judgment
    ) -> ChangeVerdict.Judgment {
        let (worse, other) = two.level > one.level ? (two, one) : (one, two)
        guard let sentence = worse.sentence, let more = other.sentence, sentence != more else { return worse }
        return worse.level == .breaks ? .breaks("\(sentence) \(more)") : .warns("\(sentence) \(more)")
    }
}

extension ChangeVerdict {
    /// The more severe judgment of each column.
    static func worse(_ one: Judgment, _ two: Judgment) -> Judgment { two.level > one.level ? two : one }

    /// Both verdicts as one, in which `join` has joined the judgments of each column.
    func joined(
        with other: ChangeVerdict, _ join: (Judgment, Judgment) -> Judgment = Self.worse
    ) -> ChangeVerdict {
        let directions = Set([direction, other.direction].compactMap { $0 })
        var verdict = ChangeVerdict(
            source: join(source, other.source), wire: join(wire, other.wire), behavior: join(behavior, other.behavior),
            direction: directions.count > 1 ? .both : directions.first)
        let parts = [self, other].filter { $0.direction != nil }
        verdict.isOfAppAlone = !parts.isEmpty && parts.allSatisfy(\.isOfAppAlone)
        return verdict
    }

    /// A verdict about the source alone.
    static func source(_ sentence: String) -> ChangeVerdict { ChangeVerdict(source: .breaks(sentence)) }

    /// A verdict about the wire alone.
    static func wire(_ sentence: String, _ direction: Direction) -> ChangeVerdict {
        ChangeVerdict(wire: .breaks(sentence), direction: direction)
    }

    /// A verdict about the behavior alone.
    static func behavior(_ sentence: String, _ direction: Direction = .both) -> ChangeVerdict {
        ChangeVerdict(behavior: .breaks(sentence), direction: direction)
    }

    /// A warning about the behavior alone.
    static func warning(_ sentence: String, _ direction: Direction = .both) -> ChangeVerdict {
        ChangeVerdict(behavior: .warns(sentence), direction: direction)
    }
}
