import ContractModel

/// The verdicts of types: structures, enums, unions and aliases.
enum TypeVerdicts {
    static let rules: [VerdictRule] = definitions + enums + unions

    private static let definitions: [VerdictRule] = [
        .harmless(["contract.types.*"], [.added], "What uses the type has a change of its own."),
        .verdict(["contract.types.*"], [.removed]) { change in
            .source("The client has no type \(change.name) anymore.")
        },
        .verdict(["contract.types.*"], [.renamed]) { change in
            .source("The type \(change.before) is called \(change.after) in Swift.")
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
                ChangeVerdict(
                    source: .breaks("The type \(change.name) is of another kind."),
                    wire: .breaks("Apps from before this change cannot read the new kind of value for \(change.name)."),
                    direction: .both)
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
                ChangeVerdict(
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

    private static let enums: [VerdictRule] = [
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
                    return ChangeVerdict(
                        source: .breaks("A `switch` over \(owner(change)) needs a case for \(change.name)."),
                        wire: .breaks("Apps from before this change cannot read a response with \(change.after)."),
                        direction: .oldApp)
                }
                return ChangeVerdict(
                    source: .warns(
                        "A `switch` over \(owner(change)) without `default` needs a case for \(change.name)."),
                    behavior: .warns("Apps from before this change take \(change.after) for an unrecognized value."),
                    direction: .oldApp)
            }),
        .byUse(
            ["type.enum.*"], [.removed],
            request: .verdict { change in
                ChangeVerdict(
                    source: .breaks("\(owner(change)) has no case \(change.name) anymore."),
                    wire: .breaks(
                        "Apps from before this change still send \(change.before), which the server does not know."),
                    direction: .oldApp)
            },
            response: .verdict { change in
                ChangeVerdict(
                    source: .breaks("\(owner(change)) has no case \(change.name) anymore."),
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
            .source("The case \(change.before) is called \(change.after) in Swift.")
        },
        .byUse(
            ["type.enum.*"], [.changed],
            request: .verdict { change in
                if let kinds = kinds(change) {
                    return otherKind(
                        "Apps from before this change send the cases of \(owner(change)) as \(kinds.old), and the server reads \(kinds.new).",
                        kinds.new, change)
                }
                return .wire(
                    "Apps from before this change send \(change.before) for \(change.name), and the server reads \(change.after).",
                    .both)
            },
            response: .verdict { change in
                if let kinds = kinds(change) {
                    return otherKind(
                        "Apps from before this change read the cases of \(owner(change)) as \(kinds.old), and the server sends \(kinds.new).",
                        kinds.new, change)
                }
                return .wire("Apps from before this change do not take \(change.after) for \(change.name).", .both)
            }),
        .byUse(
            ["type.closed"],
            request: .verdict { change in
                .source("The cases of \(owner(change)) are others: only an open enum has `.unrecognized`.")
            },
            response: .verdict { change in
                let closes = change.edit.new?.text == "true"
                return ChangeVerdict(
                    source: .breaks("The cases of \(owner(change)) are others: only an open enum has `.unrecognized`."),
                    wire: .warns(
                        closes
                            ? "Apps from after this change cannot read a value that they do not know."
                            : "Apps from before this change cannot read a value that they do not know."),
                    direction: closes ? .newApp : .oldApp)
            }),
    ]

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
                        "Apps from before this change name the case of \(owner(change)) by \(values(change))."),
                    direction: .both)
            },
            response: .verdict { change in
                ChangeVerdict(
                    source: .breaks(caseNames(change)),
                    wire: .breaks(
                        "Apps from before this change tell the cases of \(owner(change)) apart by \(values(change))."),
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
            request: .verdict { change in
                ChangeVerdict(
                    source: .warns("\(owner(change)) has one more case."),
                    wire: .warns("Apps from after this change send a case that servers from before it do not know."),
                    direction: .newApp)
            },
            response: .verdict { change in
                ChangeVerdict(
                    source: .warns(
                        "A `switch` over \(owner(change)) without `default` needs a case for \(change.name)."),
                    behavior: .warns("Apps from before this change do not recognize the case \(change.name)."),
                    direction: .oldApp)
            }),
        .byUse(
            ["union.cases.*", "union.keys.*"] + kinds, [.removed, .renamed],
            request: .verdict { change in
                ChangeVerdict(
                    source: .breaks("\(owner(change)) has no case \(change.name) anymore."),
                    wire: .breaks("Apps from before this change still send the case \(change.name)."),
                    direction: .oldApp)
            },
            response: .verdict { change in
                ChangeVerdict(
                    source: .breaks("\(owner(change)) has no case \(change.name) anymore."),
                    wire: .breaks(
                        "Apps from after this change do not recognize \(change.name) of servers from before it."),
                    direction: .newApp)
            }),
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
        if let key = union?["by"]?.text { return "the value of `\(key)`" }
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

    private static func otherKind(_ wire: String, _ kind: String, _ change: Situation) -> ChangeVerdict {
        ChangeVerdict(
            source: .breaks("The raw values of \(owner(change)) are \(kind) in Swift."), wire: .breaks(wire),
            direction: .both)
    }

    /// What the values of an enum are, if that is the change: numbers in place of texts, or the reverse.
    private static func kinds(_ change: Situation) -> (old: String, new: String)? {
        func kind(_ place: [String], _ version: ContractVersion) -> EnumDefinition.WireKind? {
            guard place.count > 1, let type = version.contract.types.first(where: { $0.name.value == place[1] }),
                case .enumeration(let enumeration) = type.form
            else { return nil }
            return enumeration.wireKind
        }
        guard let old = kind(change.edit.places.old, change.old), let new = kind(change.edit.places.new, change.new),
            old != new
        else { return nil }
        return old == .int ? ("numbers", "texts") : ("texts", "numbers")
    }

    /// What the cases of a union are called in Swift, after another kind of its discriminator.
    private static func caseNames(_ change: Situation) -> String {
        let source = change.edit.new?.text == "int" ? "types" : "values"
        return "The cases of \(owner(change)) have the names of their \(source) in Swift."
    }

    /// What the discriminator of a union had before a change.
    private static func values(_ change: Situation) -> String {
        change.edit.old?.text == "int" ? "a number" : "a text"
    }

    /// The name of the type that a case belongs to.
    private static func owner(_ change: Situation) -> String {
        change.edit.place.count > 1 ? "`\(change.edit.place[1])`" : change.name
    }

    /// Whether the enum is closed, for the apps that have to read the value.
    private static func isClosed(_ change: Situation) -> Bool {
        guard change.edit.place.count > 1 else { return false }
        let version = change.edit.edit == .removed ? change.new : change.old
        return version.isClosed(change.edit.place[1])
    }
}

extension ContractVersion {
    /// Whether an enum refuses values that it does not know.
    fileprivate func isClosed(_ type: String) -> Bool {
        guard case .enumeration(let enumeration)? = contract.types.first(where: { $0.name.value == type })?.form else {
            return false
        }
        return enumeration.isClosed
    }
}
