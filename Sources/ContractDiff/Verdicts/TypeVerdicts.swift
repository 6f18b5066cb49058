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
                    wire: change.edit.edit == .changed
                        ? .breaks("Apps from before this change cannot read the other members of \(change.name).")
                        : .none,
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
                .wire(
                    "Apps from before this change send \(change.before) for \(change.name), and the server reads \(change.after).",
                    .both)
            },
            response: .verdict { change in
                .wire("Apps from before this change do not take \(change.after) for \(change.name).", .both)
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
            ["union.by", "union.type"],
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
        .unlisted(["type.union", "union.kinds"], "Each case is compared, and what tells the cases apart."),
    ]

    private static let kinds = [
        "kinds.string", "kinds.integer", "kinds.number", "kinds.bool", "kinds.array", "kinds.object",
    ]

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
