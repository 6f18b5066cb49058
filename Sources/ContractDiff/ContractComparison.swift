import ContractModel
import Diagnostics

/// Compares two versions of a contract.
///
///     ContractExamination ─ ContractSnapshot ─▶ ComparedNode ─ TreeComparison ─▶ [TreeEdit] ─ VerdictTable ─▶ [Change]
package enum ContractComparison {
    /// The changes from one version to the other, in the order of the new one. Nil if one of them has errors.
    package static func changes(from old: ContractExamination, to new: ContractExamination) -> [Change]? {
        guard let before = old.resolved, let after = new.resolved, let oldText = old.written, let newText = new.written
        else { return nil }
        let versions = (
            old: ContractVersion(old, before, written: oldText), new: ContractVersion(new, after, written: newText)
        )
        let edits = TreeComparison.edits(from: versions.old.tree, to: versions.new.tree)
        let changes = edits.compactMap { edit in change(edit, versions.old, versions.new) }
        return ChangeGroups.joined(changes, edits: edits, versions.old, versions.new)
    }

    /// The change of a service that only one side has.
    package static func change(ofService service: Located<String>, isAdded: Bool) -> Change {
        guard !isAdded else {
            return Change(place: ["service"], edit: .added, new: service.value, range: service.range)
        }
        let verdict = ChangeVerdict(
            source: .breaks("The client `\(service.value)` is gone."),
            wire: .breaks("Apps from before this change still send their requests to the service."),
            direction: .oldApp)
        return Change(
            place: ["service"], edit: .removed, old: service.value, range: service.range, isInOld: true,
            verdict: verdict)
    }

    /// The keys of the place as a contract has them.
    private static func written(_ edit: TreeEdit) -> [String] {
        guard edit.place.last == LanguageSlots.target, let target = (edit.new ?? edit.old)?.text,
            let key = target.split(separator: " ").first
        else { return edit.place }
        return edit.place.dropLast() + [String(key)]
    }

    private static func change(_ edit: TreeEdit, _ old: ContractVersion, _ new: ContractVersion) -> Change? {
        let situation = Situation(edit: edit, old: old, new: new)
        let verdict: ChangeVerdict?
        if let outcome = VerdictTable.outcome(edit.slot, edit.edit) {
            verdict = outcome.verdict(situation)
        } else {
            verdict = ChangeVerdict(wire: .warns("Errand does not know what this change breaks."), direction: .both)
        }
        guard let verdict else { return nil }
        let isInOld = edit.edit == .removed
        return Change(
            place: written(edit), edit: edit.edit, old: edit.old?.shown, new: edit.new?.shown,
            range: (isInOld ? old : new).places.range(of: edit.place), isInOld: isInOld, verdict: verdict)
    }
}

/// Joins the changes that have one cause.
enum ChangeGroups {
    /// The changes, in which one of `defaults` is one change, and so is a definition that is gone with all of its uses.
    static func joined(
        _ changes: [Change], edits: [TreeEdit], _ old: ContractVersion, _ new: ContractVersion
    ) -> [Change] {
        var result: [Change] = []
        var positions: [Key: Int] = [:]
        let definitions = Set(
            changes.lazy.filter { $0.place.count == 2 && $0.place[0] == "errors" && $0.edit != .changed }.map {
                Key(place: $0.place, edit: $0.edit, old: nil, new: nil)
            })
        for change in changes {
            guard let cause = cause(of: change, definitions, old, new) else {
                result.append(change)
                continue
            }
            if let position = positions[cause] {
                let user = change.place[1]
                if result[position].inheritedBy.last != user { result[position].inheritedBy.append(user) }
                result[position].verdict = result[position].verdict.joined(with: change.verdict)
                continue
            }
            positions[cause] = result.count
            var joined = change
            joined.place = cause.place
            joined.inheritedBy = [change.place[1]]
            joined.range = (change.isInOld ? old : new).places.range(of: cause.place) ?? change.range
            result.append(joined)
        }
        return withoutDefinitions(result, positions)
    }

    private struct Key: Hashable {
        var place: [String]
        var edit: Change.Edit
        var old: String?
        var new: String?
    }

    /// The change that a change of an endpoint or a field follows from; nil if it is its own.
    private static func cause(
        of change: Change, _ definitions: Set<Key>, _ old: ContractVersion, _ new: ContractVersion
    ) -> Key? {
        let place = change.place
        if place.last == "wire", place.count > 2, isUnwritten(place, old, new) {
            return Key(place: ["defaults", "naming"], edit: .changed, old: nil, new: nil)
        }
        if place.last == "lenient", place.count > 2, isUnwritten(place, old, new) {
            return Key(place: ["defaults", "reading"], edit: .changed, old: nil, new: nil)
        }
        guard place.count > 2, place[0] == "endpoints" else { return nil }
        if place[2] == "errors", place.count == 4 {
            let definition = Key(place: ["errors", place[3]], edit: change.edit, old: nil, new: nil)
            if definitions.contains(definition) { return definition }
        }
        let rest = Array(place.dropFirst(2))
        // The head of a value that an endpoint writes is written there, so the rest of it is its own as well.
        let head = place[2] == "errors" ? place : Array(place.prefix(3))
        guard old.places.has(["defaults", rest[0]]) || new.places.has(["defaults", rest[0]]),
            !old.places.has(head), !new.places.has(head)
        else { return nil }
        return Key(place: ["defaults"] + rest, edit: change.edit, old: change.old, new: change.new)
    }

    private static func isUnwritten(_ place: [String], _ old: ContractVersion, _ new: ContractVersion) -> Bool {
        !old.places.has(place) && !new.places.has(place)
    }

    /// The changes without those of definitions that the uses have told.
    private static func withoutDefinitions(_ changes: [Change], _ positions: [Key: Int]) -> [Change] {
        let told = Set(positions.values.filter { changes[$0].place.first == "errors" })
        let places = Set(told.map { Key(place: changes[$0].place, edit: changes[$0].edit, old: nil, new: nil) })
        return changes.enumerated().compactMap { index, change in
            let key = Key(place: change.place, edit: change.edit, old: nil, new: nil)
            return places.contains(key) && !told.contains(index) ? nil : change
        }
    }
}
