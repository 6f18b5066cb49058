import ContractModel

/// The verdicts of patterns, by the texts that they match, and not by how they are written.
enum PatternVerdicts {
    /// Every text.
    private static let everything = #"[\s\S]*"#

    /// Whether each text of one version is one of the other; nil if that is not known.
    private static func isWithin(_ change: Situation) -> (oldInNew: Bool?, newInOld: Bool?) {
        func pattern(_ node: ComparedNode?, _ owner: ComparedNode?, _ types: TypeTable) -> String? {
            let type = (owner?["type"] ?? owner?["alias"])?.text.flatMap { TypeReference(spelling: $0) }
            // A text matches the patterns of all aliases that its type names.
            guard types.values(of: "pattern", inAliasesOf: type).isEmpty else { return nil }
            return node?.text.map(PatternSpelling.bare) ?? everything
        }
        let edit = change.edit
        guard let old = pattern(edit.old, edit.oldOwner, change.old.types),
            let new = pattern(edit.new, edit.newOwner, change.new.types)
        else { return (nil, nil) }
        return (PatternText.isWithin(old, new), PatternText.isWithin(new, old))
    }

    static func sent(_ change: Situation) -> ChangeVerdict {
        let (oldInNew, newInOld) = isWithin(change)
        guard oldInNew == true || change.edit.edit == .removed else {
            return .wire(
                "Apps from before this change send values of \(change.thing) that the server now refuses.", .oldApp)
        }
        guard newInOld != true else { return .none }
        return ChangeVerdict(
            wire: .warns(
                "Apps from after this change send values of \(change.thing) that servers from before it refuse."),
            direction: .newApp)
    }

    static func received(_ change: Situation) -> ChangeVerdict {
        guard change.edit.edit != .added, isWithin(change).newInOld != true else { return .none }
        return .warning(
            "Apps from before this change get values of \(change.thing) in a form that they do not expect.", .oldApp)
    }
}
