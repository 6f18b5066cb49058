import ContractModel

/// The verdicts of enums, whose values an app reads as one of its cases.
enum EnumVerdicts {
    static let rules: [VerdictRule] = [
        .byUse(
            ["type.enum.*"], [.added],
            request: .verdict { change in
                ChangeVerdict(
                    source: .warns(
                        "A `switch` over \(owner(change)) without `default` needs a case for \(change.name)."),
                    wire: .warns(
                        "Apps from after this change send \(change.after), which servers from before it do not know."),
                    direction: .newApp)
            },
            response: .verdict { change in
                if isClosed(change) {
                    let source = "A `switch` over \(owner(change)) needs a case for \(change.name)."
                    guard !isOfOtherCases(change) else { return .source(source) }
                    return ChangeVerdict(
                        source: .breaks(source),
                        wire: .breaks("Apps from before this change cannot read a response with \(change.after)."),
                        direction: .oldApp)
                }
                return ChangeVerdict(
                    source: .warns(
                        "A `switch` over \(owner(change)) without `default` needs a case for \(change.name)."),
                    behavior: isOfOtherCases(change)
                        ? .none
                        : .warns("Apps from before this change take \(change.after) for an unrecognized value."),
                    direction: .oldApp)
            }),
        .byUse(
            ["type.enum.*"], [.removed],
            request: .verdict { change in
                let source = ChangeVerdict.Judgment.breaks("\(owner(change)) has no case \(change.name) anymore.")
                guard !isOfOtherCases(change) else {
                    return ChangeVerdict(
                        source: source,
                        behavior: .warns(
                            "Apps from before this change still send \(change.before), which the server takes for another case."
                        ),
                        direction: .oldApp)
                }
                return ChangeVerdict(
                    source: source,
                    wire: .breaks(
                        "Apps from before this change still send \(change.before), which the server does not know."),
                    direction: .oldApp)
            },
            response: .verdict { change in
                let source = "\(owner(change)) has no case \(change.name) anymore."
                guard !isOfOtherCases(change) else { return .source(source) }
                return ChangeVerdict(
                    source: .breaks(source),
                    wire: isClosed(change)
                        ? .breaks(
                            "Apps from after this change cannot read \(change.before) from servers from before it.")
                        : .none,
                    behavior: isClosed(change)
                        ? .none
                        : .warns("Apps from after this change take \(change.before) for an unrecognized value."),
                    direction: .newApp)
            }),
        .verdict(["type.enum.*"], [.renamed]) { change in
            change.renamed { "The case \($0) is called \($1) in Swift." }
        },
        .byUse(
            ["type.enum.*"], [.changed],
            request: .verdict { values(sent: $0) }, response: .verdict { values(received: $0) }),
        .byUse(
            ["type.closed"],
            request: .verdict { change in
                closes(change)
                    ? otherCases(
                        "Apps from before this change may send a value that they have read and do not know, which the server refuses.",
                        .oldApp, change)
                    : otherCases(
                        "Apps from after this change may send a value that they have read and do not know, which servers from before it refuse.",
                        .newApp, change)
            },
            response: .verdict { change in
                closes(change)
                    ? otherCases(
                        "Apps from after this change cannot read a value that they do not know.", .newApp, change)
                    : otherCases(
                        "Apps from before this change cannot read a value that they do not know.", .oldApp, change)
            }),
    ]

    private static func closes(_ change: Situation) -> Bool { change.edit.new?.text == "true" }

    /// The verdict for an enum that is closed or opened.
    private static func otherCases(
        _ wire: String, _ direction: ChangeVerdict.Direction, _ change: Situation
    ) -> ChangeVerdict {
        ChangeVerdict(
            source: .breaks("The cases of \(owner(change)) are others: only an open enum has `.unrecognized`."),
            wire: .warns(wire), direction: direction)
    }

    // MARK: Kinds of values

    private static func otherKind(_ wire: String, _ kind: String, _ change: Situation) -> ChangeVerdict {
        ChangeVerdict(
            source: .breaks("The raw values of \(owner(change)) are \(kind) in Swift."), wire: .breaks(wire),
            direction: .both)
    }

    /// What the values of an enum are, if that is the change: numbers in place of texts, or the reverse.
    private static func kinds(_ change: Situation) -> (old: String, new: String)? {
        func kind(_ place: [String], _ version: ContractVersion) -> EnumDefinition.WireKind? {
            guard place.count > 1, case .enumeration(let enumeration)? = version.type(named: place[1])?.form else {
                return nil
            }
            return enumeration.wireKind
        }
        guard let old = kind(change.edit.places.old, change.old), let new = kind(change.edit.places.new, change.new),
            old != new
        else { return nil }
        return old == .int ? ("numbers", "texts") : ("texts", "numbers")
    }

    // MARK: Values of a case

    private static func enumeration(_ place: [String], _ version: ContractVersion) -> EnumDefinition? {
        guard place.count > 3, case .enumeration(let enumeration)? = version.type(named: place[1])?.form else {
            return nil
        }
        return enumeration
    }

    /// The values of a case of an enum, the one that is written first.
    private static func values(_ change: Situation) -> (old: [String], new: [String])? {
        func values(_ place: [String], _ version: ContractVersion) -> [String]? {
            enumeration(place, version)?.cases.first { $0.name.value == place[3] }?.wireValues.map(\.value)
        }
        guard let old = values(change.edit.places.old, change.old), let new = values(change.edit.places.new, change.new)
        else { return nil }
        return (old, new)
    }

    /// The names of the case that has a value, in both versions.
    private static func names(ofCaseWith value: String, _ change: Situation) -> (old: String?, new: String?) {
        func name(_ place: [String], _ version: ContractVersion) -> String? {
            enumeration(place, version)?.cases.first { $0.wireValues.contains { $0.value == value } }?.name.value
        }
        return (name(change.edit.places.old, change.old), name(change.edit.places.new, change.new))
    }

    private static func hasCase(_ name: String, _ place: [String], _ version: ContractVersion) -> Bool {
        enumeration(place, version)?.cases.contains { $0.name.value == name } ?? false
    }

    /// Whether the values of a case that only one version has are those of other cases in the other version, whose changes have the
    /// consequence.
    private static func isOfOtherCases(_ change: Situation) -> Bool {
        let isAdded = change.edit.edit == .added
        let (place, version) = isAdded ? (change.edit.places.new, change.new) : (change.edit.places.old, change.old)
        guard let own = enumeration(place, version)?.cases.first(where: { $0.name.value == place[3] }) else {
            return false
        }
        return own.wireValues.allSatisfy { value in
            let names = Self.names(ofCaseWith: value.value, change)
            return (isAdded ? names.old : names.new) != nil
        }
    }

    /// The verdict for values that are those of another case in one of the versions. Apps read them without a failure, and as another
    /// case. A case that is joined with another one, or split, may mean the same as before.
    private static func moved(_ old: [String], _ new: [String], _ change: Situation) -> ChangeVerdict {
        var verdict = ChangeVerdict.none
        func add(_ value: String, isOfBoth: Bool) {
            let sentence =
                "Apps from before and after this change take \(value.asCode) for different cases of \(owner(change))."
            verdict = verdict.joined(with: isOfBoth ? .behavior(sentence) : .warning(sentence))
        }
        for value in new where !old.contains(value) {
            guard let other = names(ofCaseWith: value, change).old else { continue }
            add(value, isOfBoth: hasCase(other, change.edit.places.new, change.new))
        }
        for value in old where !new.contains(value) {
            guard let other = names(ofCaseWith: value, change).new else { continue }
            add(value, isOfBoth: hasCase(other, change.edit.places.old, change.old))
        }
        return verdict
    }

    private static func values(sent change: Situation) -> ChangeVerdict {
        if let kinds = kinds(change) {
            return otherKind(
                "Apps from before this change send the cases of \(owner(change)) as \(kinds.old), and the server reads \(kinds.new).",
                kinds.new, change)
        }
        guard let (old, new) = values(change), let before = old.first, let after = new.first, new.contains(before)
        else {
            return .wire(
                "Apps from before this change send \(change.before) for \(change.name), and the server reads \(change.after).",
                .both)
        }
        guard before != after else { return .none }
        if !old.contains(after), let other = names(ofCaseWith: after, change).old {
            return .behavior(
                "Apps from after this change send \(after.asCode) for \(change.name), which servers from before it take for \(other.asCode).",
                .newApp)
        }
        return ChangeVerdict(
            wire: .warns(
                "Apps from after this change send \(after.asCode) for \(change.name), and servers from before it may know only \(before.asCode)."
            ),
            direction: .newApp)
    }

    private static func values(received change: Situation) -> ChangeVerdict {
        if let kinds = kinds(change) {
            return otherKind(
                "Apps from before this change read the cases of \(owner(change)) as \(kinds.old), and the server sends \(kinds.new).",
                kinds.new, change)
        }
        let other = ChangeVerdict.wire(
            "Apps from before this change do not take \(change.after) for \(change.name).", .both)
        guard let (old, new) = values(change) else { return other }
        let moved = Self.moved(old, new, change)
        guard moved != ChangeVerdict.none || !Set(old).isDisjoint(with: new) else { return other }
        if let unknown = new.first(where: { !old.contains($0) && names(ofCaseWith: $0, change).old == nil }) {
            return moved.joined(
                with: isClosed(change)
                    ? .wire("Apps from before this change cannot read a response with \(unknown.asCode).", .oldApp)
                    : .warning(
                        "Apps from before this change take \(unknown.asCode) for an unrecognized value.", .oldApp))
        }
        guard let gone = old.first(where: { !new.contains($0) && names(ofCaseWith: $0, change).new == nil }) else {
            return moved
        }
        return moved.joined(
            with: isClosed(change)
                ? .wire("Apps from after this change cannot read \(gone.asCode) from servers from before it.", .newApp)
                : .warning("Apps from after this change take \(gone.asCode) for an unrecognized value.", .newApp))
    }

    private static func owner(_ change: Situation) -> String { TypeVerdicts.owner(change) }

    /// Whether the enum is closed, for the apps that have to read the value.
    private static func isClosed(_ change: Situation) -> Bool {
        let (place, version) =
            change.edit.edit == .removed ? (change.edit.places.new, change.new) : (change.edit.places.old, change.old)
        return place.count > 1 && version.isClosed(place[1])
    }
}
