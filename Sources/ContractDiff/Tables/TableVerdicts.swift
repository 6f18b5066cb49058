import ContractChecks
import ContractModel

/// Judges changes of what recognizes an error or an outcome by the responses that mean something else after them.
package enum TableVerdicts {
    /// The changes, in which an equivalent rewrite of a condition has no consequence, and any other one has an example.
    package static func refined(
        _ changes: [Change], from old: ContractExamination, to new: ContractExamination
    ) -> [Change] {
        let subjects = changes.map(\.recognized)
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
            var isWhole = true
            var found: [(endpoint: String, difference: TableDifference)] = []
            var count = 0
            for endpoint in after.endpoints {
                let name = endpoint.name.value
                guard let other = earlier[oldNames[name] ?? name],
                    subject.isOf(other) || subject.isOf(endpoint)
                else { continue }
                count += 1
                let comparison = known[name] ?? comparer.compare(other, endpoint)
                known[name] = comparison
                isWhole = isWhole && comparison.isComplete
                let own = comparison.differences.first {
                    $0.old.meaning.kind == subject.kind || $0.new.meaning.kind == subject.kind
                }
                if let own { found.append((name, own)) }
            }
            guard count > 0 else { return change }
            guard let example = found.first else {
                var same = change
                if isWhole { same.verdict = .none }
                return same
            }
            return change.with(example.difference, of: example.endpoint)
        }
    }

    /// The error or the outcome that a condition is of.
    fileprivate struct Subject {
        let kind: ResponseMeaning.Kind
        /// The endpoint of an outcome.
        let endpoint: String?

        func isOf(_ other: ResolvedEndpoint) -> Bool {
            if case .error(let name) = kind { return other.errors.contains(name) }
            return other.name.value == endpoint
        }
    }
}

extension Change {
    /// What a condition at this place recognizes; nil for any other place.
    fileprivate var recognized: TableVerdicts.Subject? {
        if place.count > 2, place[0] == "errors", place[2] == "when" {
            return TableVerdicts.Subject(kind: .error(place[1]), endpoint: nil)
        }
        if place.count > 4, place[0] == "endpoints", place[2] == "outcomes", place[4] == "when" {
            return TableVerdicts.Subject(kind: .outcome(place[3]), endpoint: place[1])
        }
        return nil
    }

    /// The change with an example in the sentence of the behavior, or of the wire.
    fileprivate func with(_ difference: TableDifference, of endpoint: String) -> Change {
        func said(_ judgment: ChangeVerdict.Judgment) -> ChangeVerdict.Judgment {
            let names = (difference.old.meaning.name, difference.new.meaning.name)
            let example =
                names.0 == names.1
                ? "at `\(endpoint)`, \(difference.example.text) is `\(names.0)` with other consequences"
                : "at `\(endpoint)`, \(difference.example.text) was `\(names.0)` and is now `\(names.1)`"
            switch judgment {
            case .none: return .none
            case .warns(let sentence): return .warns("\(sentence) For example, \(example).")
            case .breaks(let sentence): return .breaks("\(sentence) For example, \(example).")
            }
        }
        var change = self
        if verdict.behavior == .none {
            change.verdict.wire = said(verdict.wire)
        } else {
            change.verdict.behavior = said(verdict.behavior)
        }
        return change
    }
}
