import ContractModel
import Diagnostics

/// Compares two versions of a contract.
///
///     ContractExamination ─ ContractSnapshot ─▶ ComparedNode ─ TreeComparison ─▶ [TreeEdit] ─ VerdictTable ─▶ [Change]
package enum ContractComparison {
    /// The changes from one version to the other, in the order of the new one. Nil if one of them has errors.
    ///
    /// - Parameter facts: what both documents say, if both versions are from documents.
    package static func changes(
        from old: ContractExamination, to new: ContractExamination,
        _ facts: (old: DocumentFacts, new: DocumentFacts)? = nil
    ) -> [Change]? {
        guard let before = old.resolved, let after = new.resolved, let oldText = old.written, let newText = new.written
        else { return nil }
        let versions = (
            old: ContractVersion(old, before, written: oldText, facts?.old),
            new: ContractVersion(new, after, written: newText, facts?.new)
        )
        let (edits, pairs) = TreeComparison.edits(
            from: versions.old.tree, to: versions.new.tree, (versions.old.types, versions.new.types))
        let others = ResolvedEdits.edits(from: versions.old, to: versions.new, beside: edits)
        let (names, orders, insides) = (EndpointNames(edits), InputOrders(), TypeInsides(edits))
        func changes(_ edits: [TreeEdit]) -> [(change: Change, edit: TreeEdit)] {
            edits.compactMap { edit in
                let situation = Situation(
                    edit: edit, old: versions.old, new: versions.new, pairs: pairs, endpointNames: names,
                    inputOrders: orders, insides: insides)
                return change(situation).map { (change: $0, edit: edit) }
            }
        }
        let own = changes((edits + others).filter { $0.pair == nil })
        // The place of another type tells what differs between both.
        let untold = changes(edits.filter { edit in edit.pair.map { !insides.told.contains($0) } ?? false })
        return ChangeGroups.joined(own + untold, versions)
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

    /// The hash of what a change does not show; nil if it shows all. What is gone breaks an app whatever it was.
    private static func contentHash(_ edit: TreeEdit, _ old: ContractVersion, _ new: ContractVersion) -> String? {
        guard edit.edit == .added || edit.edit == .changed else { return nil }
        // Another type breaks an app by what is inside of it, whatever its name is.
        let isOtherType =
            edit.relation == .other || edit.relation == .twins
            || edit.slot == "contract.types.*" && edit.edit == .changed
        let parts = [(edit.old, old), (edit.new, new)].map { node, version in
            (node: node, text: node.map { isOtherType ? version.types.whole($0) : $0.content } ?? "")
        }
        guard
            parts.contains(where: { part in
                part.node.map { !$0.isShownWhole || isOtherType && $0.content != part.text } ?? false
            })
        else { return nil }
        let text = parts.map(\.text).joined(separator: "\u{0}")
        return String(StableHash.of(text.utf8), radix: 16)
    }

    private static func change(_ situation: Situation) -> Change? {
        let (edit, old, new) = (situation.edit, situation.old, situation.new)
        guard !situation.isToldByType else { return nil }
        let verdict: ChangeVerdict?
        if let outcome = VerdictTable.outcome(edit.slot, edit.edit) {
            verdict = outcome.verdict(situation)
        } else {
            verdict = ChangeVerdict(wire: .warns("Errand does not know what this change breaks."), direction: .both)
        }
        guard let verdict else { return nil }
        var change = Change(
            place: written(edit), edit: edit.edit, old: edit.old?.shown, new: edit.new?.shown, verdict: verdict)
        // A value that holds without its key, and that one of the contracts writes.
        let usual = LanguageDefaults.usual(at: edit.slot)?.shown
        if let usual, edit.edit == .removed, new.places.has(edit.places.new) {
            (change.edit, change.new, change.place) = (.changed, usual, edit.places.new)
        } else if let usual, edit.edit == .added, old.places.has(edit.places.old) {
            (change.edit, change.old) = (.changed, usual)
        }
        change.contentHash = contentHash(edit, old, new)
        if edit.edit == .removed { change.sunset = edit.old?["deprecated"]?["sunset"]?.text.flatMap(CalendarDay.init) }
        // What holds without a declaration, in a contract that no longer has it.
        let isDeclared = !edit.slot.hasPrefix("builtInError.") || new.declares(Array(edit.places.new.prefix(2)))
        change.isInOld = change.edit == .removed || !isDeclared
        change.range = (change.isInOld ? old : new).places.range(of: change.isInOld ? edit.places.old : edit.places.new)
        return change
    }
}
