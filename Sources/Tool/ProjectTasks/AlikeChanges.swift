import ContractDiff
import Diagnostics

/// Changes of one kind in one part of a contract, which a report shows as one: thirty fields of a type that are gone, or the endpoints
/// that all have new names.
struct AlikeChanges {
    /// The change that is shown.
    let first: Change
    private var others: [Change] = []

    /// So many alike changes are shown one by one.
    private static let most = 5
    private static let mostNames = 8

    private struct Key: Hashable {
        let place: [String]
        let edit: Change.Edit
        let levels: [ChangeVerdict.Level]
        let direction: ChangeVerdict.Direction?
    }

    /// The changes of a service in their order, of which a change that stands for others is at the place of the first of them.
    static func joined(_ changes: [Change]) -> [AlikeChanges] {
        var counts: [Key: Int] = [:]
        for change in changes { if let key = key(change) { counts[key, default: 0] += 1 } }
        var result: [AlikeChanges] = []
        var positions: [Key: Int] = [:]
        for change in changes {
            guard let key = key(change), counts[key, default: 0] > most else {
                result.append(AlikeChanges(change))
                continue
            }
            if let position = positions[key] {
                result[position].others.append(change)
            } else {
                positions[key] = result.count
                result.append(AlikeChanges(change))
            }
        }
        return result
    }

    init(_ change: Change) { first = change }

    /// Nil for a change without consequences, and for one whose break does not fail, which says why.
    private static func key(_ change: Change) -> Key? {
        guard change.verdict.level > .none, change.acceptance == nil else { return nil }
        return Key(
            place: change.place.dropLast(), edit: change.edit, levels: change.verdict.columns.map(\.judgment.level),
            direction: change.verdict.direction)
    }

    /// The finding about the change, with the names of those that it stands for.
    func finding(in file: String) -> Diagnostic? {
        guard let finding = first.finding(in: file), !others.isEmpty else { return first.finding(in: file) }
        let names = others.prefix(Self.mostNames).map { ($0.place.last ?? "").asCode }
        let rest = others.count - names.count
        let list = names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        let place = first.place.dropLast().filter { $0 != "fields" }.joined(separator: ".").asCode
        return finding.noting("the same for \(others.count) more of \(place): \(list); `--all-findings` shows each")
    }
}
