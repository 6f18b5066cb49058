import ContractModel

/// The verdicts of types: structures, unions and aliases, and those of ``EnumVerdicts``.
enum TypeVerdicts {
    static let rules: [VerdictRule] = definitions + EnumVerdicts.rules + unions

    private static let definitions: [VerdictRule] = [
        .harmless(["contract.types.*"], [.added], "What uses the type has a change of its own."),
        .verdict(["contract.types.*"], [.removed]) { change in
            guard !isAlias(change.edit.old), !change.isMade(change.edit.places.old.last ?? "", "") else { return .none }
            return .source("The client has no type \(change.name) anymore.")
        },
        .verdict(["contract.types.*"], [.renamed]) { change in
            guard !isAlias(change.edit.oldOwner) else { return .none }
            return change.renamed { "The type \($0) is called \($1) in Swift." }
        },
        .byUse(
            ["contract.types.*"], [.changed],
            request: .verdict { change in
                ChangeVerdict(
                    source: .breaks("The type \(change.name) is of another kind."),
                    wire: .breaks("Apps from before this change send another kind of value for \(change.name)."),
                    direction: .both)
            },
            response: .verdict { change in
                let source = ChangeVerdict.Judgment.breaks("The type \(change.name) is of another kind.")
                guard structureTakesCases(change) else {
                    return ChangeVerdict(
                        source: source,
                        wire: .breaks(
                            "Apps from before this change cannot read the new kind of value for \(change.name)."),
                        direction: .both)
                }
                return ChangeVerdict(
                    source: source,
                    wire: .warns(
                        "Apps from after this change may not be able to tell which case a value of \(change.name) from servers before it is."
                    ), direction: .newApp)
            }),
        .byUse(
            ["type.additionalProperties"], [.changed],
            request: .verdict { change in
                ChangeVerdict(
                    source: otherMembers(change),
                    wire: change.before == "`json`"
                        ? .breaks(
                            "Apps from before this change may send other members of \(change.thing) that are not \(change.after)."
                        )
                        : change.after == "`json`"
                            ? .warns(
                                "Apps from after this change may send other members of \(change.thing) that servers from before it refuse."
                            )
                            : .breaks(
                                "Apps from before this change send the other members of \(change.thing) as \(change.before)."
                            ),
                    direction: change.after == "`json`" ? .newApp : change.before == "`json`" ? .oldApp : .both)
            },
            response: .verdict { change in
                ChangeVerdict(
                    source: otherMembers(change),
                    wire: change.before == "`json`"
                        ? .warns(
                            "Apps from after this change cannot read other members of \(change.thing) that are not \(change.after), as servers from before it may send them."
                        )
                        : .breaks(
                            "Apps from before this change read the other members of \(change.thing) only as \(change.before)."
                        ),
                    direction: change.before == "`json`" ? .newApp : change.after == "`json`" ? .oldApp : .both)
            }),
        .byUse(
            ["type.additionalProperties"],
            request: .verdict { change in
                guard change.edit.edit != .added else {
                    return ChangeVerdict(
                        wire: .warns(
                            "Apps from after this change may send members of \(change.name) that servers from before it do not know."
                        ),
                        direction: .newApp)
                }
                return ChangeVerdict(
                    source: .breaks("\(change.name) has other members beside its fields."),
                    wire: .breaks("Apps from before this change send other members of \(change.name)."),
                    direction: .both)
            },
            response: .verdict { change in
                guard change.edit.edit != .added else {
                    return .warning(
                        "Apps from before this change drop the members that \(change.name) does not declare.", .oldApp)
                }
                return ChangeVerdict(
                    source: .breaks("\(change.name) has no such members beside its fields anymore."),
                    behavior: .warns(
                        "Apps from after this change drop the members that \(change.name) does not declare."),
                    direction: .both)
            }),
        .byUse(
            ["type.alias"],
            request: .verdict { FieldVerdicts.sent($0) },
            response: .verdict { FieldVerdicts.received($0) }),
        .unlisted(["type.doc"], "Only people read it."),
    ]

    /// Whether a type was a structure that reads each case of the union that it is now.
    private static func structureTakesCases(_ change: Situation) -> Bool {
        guard change.edit.places.old.count > 1,
            case .union(let union)? = change.new.type(named: change.edit.places.new[1])?.form,
            let fields = change.old.types.fields(of: change.edit.places.old[1])
        else { return false }
        let width = WireWidth(values: change.new, reader: change.old, isText: false, isApp: true)
        return union.cases.allSatisfy { union in
            guard case .named(let name)? = Optional(change.new.types.expanded(union.type)),
                let members = change.new.types.fields(of: name.value)
            else { return false }
            return fields.allSatisfy { field in
                guard let member = members.first(where: { $0.wireName == field.wireName }) else {
                    return !FieldPresence(field.node).isRequired
                }
                return width.takes(member.node, as: field.node)
            }
        }
    }

    /// Whether a definition is an alias, which has no name in Swift.
    private static func isAlias(_ type: ComparedNode?) -> Bool { type?["alias"] != nil }

    private static let unions: [VerdictRule] = [
        .byUse(
            ["type.union"], [.changed],
            request: .verdict { change in
                ChangeVerdict(
                    source: otherCases(change),
                    wire: .breaks(
                        "Apps from before this change tell the cases of \(owner(change)) apart by \(sign(change.edit.old)), and the server by \(sign(change.edit.new))."
                    ), direction: .both)
            },
            response: .verdict { change in
                ChangeVerdict(
                    source: otherCases(change),
                    wire: .breaks(
                        "Apps from before this change tell the cases of \(owner(change)) apart by \(sign(change.edit.old)), and the server by \(sign(change.edit.new))."
                    ), direction: .both)
            }),
        .byUse(
            ["union.type"],
            request: .verdict { change in
                ChangeVerdict(
                    source: .breaks(caseNames(change)),
                    wire: .breaks(
                        "Apps from before this change name the case of \(owner(change)) by \(discriminator(before: change))."
                    ),
                    direction: .both)
            },
            response: .verdict { change in
                ChangeVerdict(
                    source: .breaks(caseNames(change)),
                    wire: .breaks(
                        "Apps from before this change tell the cases of \(owner(change)) apart by \(discriminator(before: change))."
                    ),
                    direction: .both)
            }),
        .byUse(
            ["union.by"],
            request: .verdict { change in
                .wire("Apps from before this change name the case of \(owner(change)) under \(change.before).", .both)
            },
            response: .verdict { change in
                .wire(
                    "Apps from before this change look for the case of \(owner(change)) under \(change.before).", .both)
            }),
        .byUse(
            ["union.cases.*", "union.keys.*"] + kinds, [.added],
            request: .verdict { added($0, isSent: true) }, response: .verdict { added($0, isSent: false) }),
        .byUse(
            ["union.cases.*", "union.keys.*"] + kinds, [.removed, .renamed],
            request: .verdict { removed($0, isSent: true) }, response: .verdict { removed($0, isSent: false) }),
        .byUse(
            ["union.cases.*", "union.keys.*"] + kinds, [.changed],
            request: .verdict { FieldVerdicts.sent($0) },
            response: .verdict { FieldVerdicts.received($0) }),
        .unlisted(["type.union"], [.added, .removed], "The type is of another kind, which is a change of its own."),
        .unlisted(["union.kinds"], "Each case is compared, and what tells the cases apart."),
    ]

    private static let kinds = [
        "kinds.string", "kinds.integer", "kinds.number", "kinds.bool", "kinds.array", "kinds.object",
    ]

    /// What tells the cases of a union apart, in words.
    private static func sign(_ union: ComparedNode?) -> String {
        if let key = union?["by"]?.text { return "the value of \(key.asCode)" }
        return union?["keys"] == nil ? "the kinds of their values" : "the key that only one of them has"
    }

    /// The cases of a union are the same in Swift if their names and types are.
    private static func otherCases(_ change: Situation) -> ChangeVerdict.Judgment {
        func cases(_ union: ComparedNode?) -> String? {
            (union?["cases"] ?? union?["keys"] ?? union?["kinds"]).map { node in
                if case .keys(_, let entries) = node { ComparedNode.entries(entries).content } else { node.content }
            }
        }
        return cases(change.edit.old) == cases(change.edit.new)
            ? .none : .breaks("The cases of \(owner(change)) have other names or types.")
    }

    private static func otherMembers(_ change: Situation) -> ChangeVerdict.Judgment {
        .breaks("The other members of \(change.thing) are \(change.after) in Swift, and no longer \(change.before).")
    }

    /// What the cases of a union are called in Swift, after another kind of its discriminator.
    private static func caseNames(_ change: Situation) -> String {
        let source = change.edit.new?.text == "int" ? "types" : "values"
        return "The cases of \(owner(change)) have the names of their \(source) in Swift."
    }

    /// What the discriminator of a union had before a change.
    private static func discriminator(before change: Situation) -> String {
        change.edit.old?.text == "int" ? "a number" : "a text"
    }

    /// The verdict for one more case of a union.
    private static func added(_ change: Situation, isSent: Bool) -> ChangeVerdict {
        if isOther(change, change.edit.places.new) {
            return .source("\(owner(change)) has a case for all other objects in place of `.unrecognized`.")
        }
        var verdict = ChangeVerdict(
            source: .warns(
                isSent
                    ? "\(owner(change)) has one more case."
                    : "A `switch` over \(owner(change)) without `default` needs a case for \(change.name)."))
        // A union reads integers as any number where it has no case for them.
        guard !isOfNumbers(change, change.old, change.edit.places.old) else { return verdict }
        if isSent {
            verdict.wire = .warns("Apps from after this change send a case that servers from before it do not know.")
        } else {
            verdict.behavior = .warns("Apps from before this change do not recognize the case \(change.name).")
        }
        verdict.direction = isSent ? .newApp : .oldApp
        return verdict
    }

    /// The verdict for a case of a union that is gone.
    private static func removed(_ change: Situation, isSent: Bool) -> ChangeVerdict {
        if isOther(change, change.edit.places.old) {
            var verdict = ChangeVerdict.source(
                "\(owner(change)) has `.unrecognized` in place of a case for all other objects.")
            if !isSent { verdict.wire = .breaks("Apps from after this change refuse an object without the key.") }
            verdict.direction = .newApp
            return verdict
        }
        var verdict = ChangeVerdict.source("\(owner(change)) has no case \(change.name) anymore.")
        guard !isOfNumbers(change, change.new, change.edit.places.new) else { return verdict }
        if isSent {
            verdict.wire = .breaks("Apps from before this change still send the case \(change.name).")
        } else {
            verdict.behavior = .warns(
                "Apps from after this change do not recognize the case \(change.name) of servers from before it.")
        }
        verdict.direction = isSent ? .oldApp : .newApp
        return verdict
    }

    /// Whether a case is that of all other objects.
    private static func isOther(_ change: Situation, _ place: [String]) -> Bool {
        change.edit.slot == "union.cases.*" && place.last == UnionDefinition.others
    }

    /// Whether a case is that of integers, and a union without it reads them as any number.
    private static func isOfNumbers(_ change: Situation, _ version: ContractVersion, _ place: [String]) -> Bool {
        guard change.edit.slot == "kinds.integer", place.count > 1,
            case .union(let union)? = version.type(named: place[1])?.form
        else { return false }
        return union.cases.contains { $0.name.value == UnionDefinition.Kind.number.rawValue }
    }

    /// The name of the type that a case belongs to.
    static func owner(_ change: Situation) -> String {
        change.edit.place.count > 1 ? "`\(change.edit.place[1])`" : change.name
    }
}
