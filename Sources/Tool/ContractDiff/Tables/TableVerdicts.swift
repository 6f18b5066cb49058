import ContractChecks
import ContractModel

/// Judges changes of what recognizes an error, an outcome or a success by the responses that mean something else after them.
package enum TableVerdicts {
    /// The changes, in which an equivalent rewrite has no consequence, and any other one has an example of each class of responses.
    package static func refined(
        _ changes: [Change], from old: ContractExamination, to new: ContractExamination
    ) -> [Change] {
        let subjects = changes.map { TableSubject($0) }
        guard subjects.contains(where: { $0 != nil }), let before = old.resolved, let after = new.resolved else {
            return changes
        }
        let earlier = Dictionary(before.endpoints.map { ($0.name.value, $0) }) { first, _ in first }
        let renamed = changes.filter { $0.edit == .renamed && $0.place.count == 2 && $0.place[0] == "endpoints" }
        let oldNames = Dictionary(renamed.map { ($0.place[1], $0.old ?? "") }) { first, _ in first }
        var comparer = TableComparer(old: before, new: after)
        var known: [String: TableComparison] = [:]
        return zip(changes, subjects).map { change, subject in
            guard let subject else { return change }
            var found = ClassesOfResponses()
            for endpoint in after.endpoints {
                let name = endpoint.name.value
                guard let other = earlier[oldNames[name] ?? name], subject.isOf(other, endpoint) else { continue }
                let comparison = known[name] ?? comparer.compare(other, endpoint)
                known[name] = comparison
                found.add(comparison, of: endpoint, about: subject)
            }
            return found.endpoints > 0 ? change.refined(by: found, about: subject) : change
        }
    }
}

/// The part of a contract that a change is about, if it decides what a response means.
private enum TableSubject {
    /// What recognizes an error or an outcome; of one endpoint, or of all that list it.
    case condition(ResponseMeaning.Kind, endpoint: String?)
    /// Whether an endpoint has an outcome.
    case outcome(String, endpoint: String)
    /// Whether an endpoint lists an error; of one endpoint, or of all.
    case list(error: String, endpoint: String?)
    /// What tells a success in an envelope.
    case success(envelope: String)
    /// The place of the code in an envelope.
    case code(envelope: String)
    /// Which envelope an endpoint has; nil for those that have the usual one.
    case envelope(endpoint: String?)

    /// Nil for a change of anything else.
    init?(_ change: Change) {
        let place = change.place
        switch (place.first, place.count) {
        case ("errors", 3...) where place[2] == "when": self = .condition(.error(place[1]), endpoint: nil)
        case ("errors", 2) where [.added, .removed].contains(change.edit): self = .list(error: place[1], endpoint: nil)
        case ("endpoints", 5...) where place[2] == "outcomes" && place[4] == "when":
            self = .condition(.outcome(place[3]), endpoint: place[1])
        case ("endpoints", 4) where place[2] == "outcomes" && [.added, .removed].contains(change.edit):
            self = .outcome(place[3], endpoint: place[1])
        case ("endpoints", 4) where place[2] == "errors" && [.added, .removed].contains(change.edit):
            self = .list(error: place[3], endpoint: place[1])
        case ("endpoints", 3) where place[2] == "envelope": self = .envelope(endpoint: place[1])
        case ("defaults", 3) where place[1] == "errors" && [.added, .removed].contains(change.edit):
            self = .list(error: place[2], endpoint: nil)
        case ("defaults", 2) where place[1] == "envelope": self = .envelope(endpoint: nil)
        case ("envelopes", 3...) where ["success", "error"].contains(place[2]): self = .success(envelope: place[1])
        case ("envelopes", 3) where place[2] == "code": self = .code(envelope: place[1])
        default: return nil
        }
    }

    /// Whether it decides what the responses of an endpoint mean.
    func isOf(_ old: ResolvedEndpoint, _ new: ResolvedEndpoint) -> Bool {
        switch self {
        case .condition(.error(let name), _): old.errors.contains(name) || new.errors.contains(name)
        case .condition(_, let endpoint): old.name.value == endpoint || new.name.value == endpoint
        case .outcome(_, let endpoint): old.name.value == endpoint || new.name.value == endpoint
        case .list(let error, let endpoint):
            (endpoint == nil || new.name.value == endpoint) && old.errors.contains(error) != new.errors.contains(error)
        case .success(let name), .code(let name): old.envelope == name || new.envelope == name
        case .envelope(let endpoint): (endpoint == nil || new.name.value == endpoint) && old.envelope != new.envelope
        }
    }

    /// Whether a difference can come from it.
    func isAbout(_ difference: TableDifference) -> Bool {
        let kinds = [difference.old.meaning.kind, difference.new.meaning.kind]
        switch self {
        case .condition(let kind, _): return kinds.contains(kind)
        case .outcome(let name, _): return kinds.contains(.outcome(name))
        case .list(let error, _): return kinds.contains(.error(error))
        case .success: return kinds.contains(.success)
        case .code, .envelope: return true
        }
    }

    /// Whether nothing else follows from a change of it than what responses mean.
    var isOnlyAboutResponses: Bool {
        switch self {
        case .condition, .success: true
        case .outcome, .list, .code, .envelope: false
        }
    }
}

/// The responses that mean something else after a change, by what they meant and what they mean.
private struct ClassesOfResponses {
    /// How many endpoints were compared.
    private(set) var endpoints = 0
    /// Whether each class is there.
    private(set) var isComplete = true
    private(set) var worst: TableConsequence?
    private(set) var isEmpty = true
    /// The first examples, each of another class.
    private var examples: [(endpoint: String, text: String)] = []
    private var known: Set<Key> = []

    private struct Key: Hashable {
        let form: FoundDifferences.Form
        let old: String
        let new: String
    }

    /// A sentence has so many examples.
    private static let mostExamples = 4

    mutating func add(_ comparison: TableComparison, of endpoint: ResolvedEndpoint, about subject: TableSubject) {
        endpoints += 1
        isComplete = isComplete && comparison.isComplete
        let name = endpoint.name.value
        for difference in comparison.differences where subject.isAbout(difference) {
            isEmpty = false
            if let consequence = difference.consequence(at: name, endpoint.effect) {
                worst = worst.map { $0.joined(with: consequence) } ?? consequence
            }
            let names = (difference.old.meaning.name, difference.new.meaning.name)
            guard known.insert(Key(form: difference.example.form, old: names.0, new: names.1)).inserted else {
                continue
            }
            guard examples.count < Self.mostExamples else { continue }
            let example = difference.example.text
            examples.append(
                (
                    name,
                    names.0 == names.1
                        ? "\(example) is `\(names.0)` with other consequences"
                        : "\(example) was `\(names.0)` and is now `\(names.1)`"
                ))
        }
    }

    /// A sentence with an example of each class: "For example, at `pay`, HTTP 503 was `busy` and is now `unavailable`."
    var sentence: String {
        var text = "For example"
        var endpoint = ""
        for (position, example) in examples.enumerated() {
            text += position == 0 ? ", " : "; "
            if example.endpoint != endpoint { text += "at `\(example.endpoint)`, " }
            text += example.text
            endpoint = example.endpoint
        }
        text += "."
        let more = known.count - examples.count
        switch more {
        case 0: return text
        case 1: return text + " One more kind of responses means something else."
        default: return text + " \(more) more kinds of responses mean something else."
        }
    }
}

extension Change {
    /// The change with what follows for responses, and with examples in the sentence of the behavior, or of the wire.
    fileprivate func refined(by found: ClassesOfResponses, about subject: TableSubject) -> Change {
        var change = self
        guard !found.isEmpty else {
            guard found.isComplete else { return change }
            if subject.isOnlyAboutResponses { change.verdict = .none }
            switch subject {
            case .list: (change.verdict.behavior, change.verdict.direction) = (.none, nil)
            // No response says it, so only the source has a case more or less.
            case .outcome: change.verdict = ChangeVerdict(source: change.verdict.source)
            case .condition, .success, .code, .envelope: break
            }
            return change
        }
        switch subject {
        // Without an error that is recognized by it, a code is only shown.
        case .code where verdict.behavior.level < .breaks: return change
        case .list, .envelope:
            if let worst = found.worst, verdict.behavior.level < .breaks {
                change.verdict.behavior = worst.judgment
                change.verdict.direction = worst.direction
            }
        // Its own sentence says that apps take a response for another result.
        case .condition, .outcome, .success, .code: break
        }
        if change.verdict.behavior == .none {
            change.verdict.wire = change.verdict.wire.with(found.sentence)
        } else {
            change.verdict.behavior = change.verdict.behavior.with(found.sentence)
        }
        return change
    }
}

extension ChangeVerdict.Judgment {
    fileprivate func with(_ more: String) -> ChangeVerdict.Judgment {
        switch self {
        case .none: .none
        case .warns(let sentence): .warns("\(sentence) \(more)")
        case .breaks(let sentence): .breaks("\(sentence) \(more)")
        }
    }
}
