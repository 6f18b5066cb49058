/// What differs between two types that are at one place, where none is the other one under a new name: `response: Item` is now
/// `response: Picture`, and the contract has both types. The place has the consequences, because neither type has changed.
final class TypeInsides {
    private let edits: [TypePair: [TreeEdit]]
    private var known: [TypePair: ChangeVerdict] = [:]
    /// The pairs whose insides are being judged, which may lead back to themselves.
    private var open: Set<TypePair> = []
    /// The pairs that a place has told.
    private(set) var told: Set<TypePair> = []

    /// - Parameter edits: those between types of which none is the other one under a new name.
    init(_ edits: [TreeEdit] = []) {
        self.edits = Dictionary(grouping: edits.filter { $0.pair != nil }) { $0.pair ?? TypePair(old: "", new: "") }
    }

    /// What breaks where values of one type are those of another one, with the most severe judgment of each column. Only the place says
    /// what breaks in source.
    func verdict(of pair: TypePair, at place: Situation) -> ChangeVerdict {
        if let verdict = known[pair] {
            told.insert(pair)
            return verdict
        }
        guard let edits = edits[pair], open.insert(pair).inserted else { return .none }
        defer { open.remove(pair) }
        told.insert(pair)
        var verdict = edits.reduce(ChangeVerdict.none) { verdict, edit in
            let inside = place.about(edit)
            guard !inside.isToldByType,
                let other = VerdictTable.outcome(edit.slot, edit.edit)?.verdict(inside)
            else { return verdict }
            return verdict.joined(with: other)
        }
        verdict.source = .none
        if verdict.wire == .none, verdict.behavior == .none { verdict = .none }
        // Inside of a circle, a part of the verdict is still missing.
        if open.count == 1 { known[pair] = verdict }
        return verdict
    }
}
