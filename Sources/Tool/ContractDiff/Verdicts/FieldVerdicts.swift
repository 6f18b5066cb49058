import ContractModel

/// The verdicts of fields, wherever they are. Each has a rule for requests and its mirror for responses.
enum FieldVerdicts {
    static let rules: [VerdictRule] = fields + types + options + reading

    private static let fields: [VerdictRule] = [
        .byUse(
            LanguageSlots.fields, [.added],
            request: .verdict { change in
                guard let presence = change.onlyPresence, presence.isRequired || presence == .defaulted else {
                    return .none
                }
                let source: ChangeVerdict.Judgment =
                    presence.isOmittable ? .none : .breaks("A call has to pass \(change.thing).")
                if let common = change.commonInput { return change.carried(by: common, source: source) }
                let sentence = "Apps from before this change do not send \(change.thing), which the server needs"
                return ChangeVerdict(
                    source: source,
                    wire: presence.isRequired
                        ? .breaks(sentence + ".") : .warns(sentence + " unless it takes the default itself."),
                    direction: .oldApp)
            },
            response: .verdict { change in
                if let text = change.textAroundElement {
                    return .wire(
                        "Apps from before this change read the text of \(change.thing) as a part of \(text.asCode).",
                        .oldApp)
                }
                guard change.isRequired(change.edit.new) else { return .none }
                return ChangeVerdict(
                    wire: .warns(
                        "Apps from after this change cannot read a response without \(change.thing), as servers from before it send it."
                    ),
                    direction: .newApp)
            }),
        .byUse(
            LanguageSlots.fields, [.removed],
            request: .verdict { change in
                let source = ChangeVerdict.Judgment.breaks("A call that passes \(change.thing) no longer compiles.")
                if let common = change.commonInput { return change.carried(by: common, source: source) }
                return ChangeVerdict(
                    source: source,
                    wire: change.isRequired(change.edit.old)
                        ? .breaks(
                            "Apps from after this change do not send \(change.thing), which servers from before it need."
                        )
                        : .breaks(
                            "Apps from before this change still send \(change.thing), and the server does not take it."),
                    direction: change.isRequired(change.edit.old) ? .both : .oldApp)
            },
            response: .verdict { change in
                ChangeVerdict(
                    source: .breaks("An app that reads \(change.thing) no longer compiles."),
                    wire: change.isRequired(change.edit.old)
                        ? .breaks(change.unreadableWithout)
                        : .warns(
                            "Apps from before this change find no \(change.thing), and show nothing in its place."),
                    direction: .oldApp)
            }),
        .verdict(LanguageSlots.fields, [.renamed]) { change in
            change.renamed { "The field \($0) is called \($1) in Swift." }
        },
        .verdict(inputs, [.changed]) { moved($0) },
        .unlisted(LanguageSlots.fields.filter { !inputs.contains($0) }, [.changed], "Each key of a field is compared."),
        .verdict(ArgumentOrder.ofInputs.map { String($0.dropLast(2)) }, [.changed]) { change in
            .source("A call has to pass \(change.after) in this order.")
        },
        .byUse(
            ArgumentOrder.ofFields.map { String($0.dropLast(2)) }, [.changed],
            request: .verdict { change in
                .source("An app that makes such a value has to pass \(change.after) in this order.")
            },
            response: .none("Only the client makes what is received.")),
        .byUse(
            ["field.wire"],
            request: .verdict { change in
                .wire(
                    "Apps from before this change send \(change.thing) as \(change.before), and the server reads \(change.after).",
                    .both)
            },
            response: .verdict { change in
                .wire(
                    "Apps from before this change look for \(change.thing) as \(change.before), and the server sends \(change.after).",
                    .both)
            }),
    ]

    /// The verdict for a value that is no longer sensitive.
    private static func shown(_ change: Situation) -> ChangeVerdict {
        .behavior("Apps from after this change write \(change.thing) to their logs, errors and traces.", .newApp)
            .ofAppAlone
    }

    /// The places of inputs, which can be in another part of a request.
    private static let inputs = ["endpoint.query.*", "endpoint.headers.*", "endpoint.cookies.*", "body.fields.*"]

    /// The verdict for an input that is in another part of the request.
    static func moved(_ change: Situation) -> ChangeVerdict {
        let parts = [
            "query": "the query", "headers": "the headers", "cookies": "the cookies", "body": "the body",
            "parameters": "the query or the body",
        ]
        func part(_ node: ComparedNode?) -> String { node?.text.flatMap { parts[$0] } ?? "another part" }
        var verdict = ChangeVerdict.wire(
            "Apps from before this change send \(change.thing) in \(part(change.edit.old)), and the server looks for it in \(part(change.edit.new)).",
            .both)
        if let names = change.inputOrder.displaced(change.edit.places.new.last ?? "") {
            verdict.source = .breaks("A call has to pass \(names.first.asCode) before \(names.second.asCode).")
        }
        return verdict
    }

    private static let types: [VerdictRule] = [
        .byUse(["field.type"], request: .verdict { sent($0) }, response: .verdict { received($0) }),
        .byUse(
            ["field.default"], [.added, .removed],
            request: .verdict { FieldPresence.sent($0.presence.old, $0.presence.new, $0) },
            response: .verdict { FieldPresence.received($0.presence.old, $0.presence.new, $0) }),
        .byUse(
            ["field.default"], [.changed, .renamed],
            request: .verdict { change in
                .behavior(
                    "Where nothing is passed for \(change.thing), apps from before this change send \(change.before), and apps from after it \(change.after)."
                )
            },
            response: .verdict { change in
                .behavior(
                    "Where \(change.thing) is absent, apps from before this change use \(change.before), and apps from after it \(change.after)."
                )
            }),
        .byUse(
            ["field.nullable"],
            request: .verdict { FieldPresence.sent($0.presence.old, $0.presence.new, $0) },
            response: .verdict { FieldPresence.received($0.presence.old, $0.presence.new, $0) }),
    ]

    private static let options: [VerdictRule] = [
        .byUse(
            ["field.range", "field.length", "field.items", "type.range", "type.length", "type.items"],
            request: .verdict { ValueBounds.sent($0) }, response: .verdict { ValueBounds.received($0) }),
        .byUse(
            ["field.pattern", "type.pattern"],
            request: .verdict { PatternVerdicts.sent($0) }, response: .verdict { PatternVerdicts.received($0) }),
        .byUse(
            ["field.format", "field.zone", "type.format", "type.zone"],
            request: .verdict { change in
                .wire("Apps from before this change write the dates of \(change.thing) in the old format.", .both)
            },
            response: .verdict { change in
                .wire("Apps from before this change cannot read the dates of \(change.thing) in the new format.", .both)
            }),
        .harmless(["field.sensitive"], [.added], "Logs, errors and traces show less."),
        .byUse(
            ["field.sensitive"], [.removed, .changed, .renamed],
            request: .verdict { shown($0) }, response: .verdict { shown($0) }),
        .byUse(
            ["field.joined"],
            request: .verdict { change in
                .wire("Apps from before this change send the list \(change.thing) in the old form.", .both)
            },
            response: .none("Only lists that are sent can be joined.")),
        .byUse(
            ["field.contentType"],
            request: .verdict { change in
                .wire("Apps from before this change send \(change.thing) with the media type \(change.before).", .both)
            },
            response: .none("Only a part of a multipart body has a media type.")),
        .unlisted(["field.doc"], "Only people read it."),
    ]

    private static let reading: [VerdictRule] = [
        .byUse(
            ["field.coerce", "field.single"], [.added],
            request: .none("It only has an effect on reading."),
            response: .none("Apps from after this change read more than before.")),
        .byUse(
            ["field.coerce", "field.single"], [.removed, .changed, .renamed],
            request: .none("It only has an effect on reading."),
            response: .verdict { change in
                .wire("Apps from after this change cannot read \(change.thing) in another form anymore.", .newApp)
            }),
        .byUse(
            ["field.lenient", "field.skipInvalid"],
            request: .none("It only has an effect on reading."),
            response: .verdict { change in
                let isAdded = change.edit.new?.text == "true"
                return .warning(
                    isAdded
                        ? "Apps from after this change take a wrong value of \(change.thing) for a missing one, and do not fail."
                        : "Apps from after this change fail because of a wrong value of \(change.thing).", .newApp)
            }),
    ]

    // MARK: Types

    /// Whether both types are one type in Swift, in two forms on the wire.
    private static func isOtherForm(_ change: Situation) -> Bool {
        func swiftType(_ node: ComparedNode?, _ types: TypeTable) -> String? {
            node?.text.flatMap { TypeReference(spelling: $0) }.map {
                Situation.swiftType(types.expanded($0).unwrapped.spelling)
            }
        }
        let type = swiftType(change.edit.old, change.old.types)
        return type != nil && type == swiftType(change.edit.new, change.new.types)
    }

    /// The verdict for a type of what is sent.
    static func sent(_ change: Situation) -> ChangeVerdict {
        var verdict = ChangeVerdict.none
        switch change.edit.relation {
        case .other? where isOtherForm(change):
            verdict = .wire(
                "Apps from before this change write \(change.thing) in the form of \(change.before).", .both)
        case .other?:
            verdict = ChangeVerdict(source: .breaks("A call has to pass \(change.thing) as \(change.after)."))
            guard takes(change, isOld: true, isApp: false) else {
                verdict.wire = .breaks("Apps from before this change send \(change.before) for \(change.thing).")
                verdict.direction = .both
                return verdict
            }
            if !takes(change, isOld: false, isApp: false) {
                verdict.wire = .warns(
                    "Apps from after this change may send a value for \(change.thing) that servers from before it do not take."
                )
                verdict.direction = .newApp
            }
        case .twins?:
            verdict = twins(change, "A call has to pass \(change.thing) as \(change.after), another type in Swift.")
        case .same?, nil: break
        }
        return verdict.joined(with: FieldPresence.sent(change.presence.old, change.presence.new, change))
    }

    /// The verdict for a type of what is received.
    static func received(_ change: Situation) -> ChangeVerdict {
        var verdict = ChangeVerdict.none
        switch change.edit.relation {
        case .other? where isOtherForm(change):
            verdict = .wire(
                "Apps from before this change cannot read \(change.thing) in the form of \(change.after).", .both)
        case .other?:
            verdict = ChangeVerdict(source: .breaks("An app reads \(change.thing) as \(change.after)."))
            guard takes(change, isOld: false, isApp: true) else {
                verdict.wire = .breaks("Apps from before this change cannot read \(change.after) as \(change.thing).")
                verdict.direction = .both
                return verdict
            }
            if !takes(change, isOld: true, isApp: true) {
                verdict.wire = .warns(
                    "Apps from after this change may not be able to read a value for \(change.thing) of servers from before it."
                )
                verdict.direction = .newApp
            } else if opensEnum(change) {
                verdict.behavior = .warns(
                    "Apps from before this change take a value for \(change.thing) that they do not know for an unrecognized one."
                )
                verdict.direction = .oldApp
            }
        case .twins?:
            verdict = twins(change, "An app reads \(change.thing) as \(change.after), another type in Swift.")
        case .same?, nil: break
        }
        return verdict.joined(with: FieldPresence.received(change.presence.old, change.presence.new, change))
    }

    /// The verdict for types with two names. What differs inside of them is a part of it, if they have been compared, unless one is the
    /// other one under a new name.
    private static func twins(_ change: Situation, _ source: String) -> ChangeVerdict {
        guard let one = change.types.old, let other = change.types.new else { return .source(source) }
        let source: ChangeVerdict.Judgment = change.isMade(one, other) ? .none : .breaks(source)
        guard !change.pairs.isCompared(one, other) else {
            return ChangeVerdict(source: source).joined(
                with: change.insides.verdict(of: TypePair(old: one, new: other), at: change))
        }
        return ChangeVerdict(
            source: source,
            wire: .warns(
                "Errand has not compared \(one.asCode) with \(other.asCode), because too many types of both contracts stand for each other."
            ),
            direction: .both)
    }

    /// The verdict for the types of a parameter of a path.
    static func inPath(_ old: String, _ new: String, _ change: Situation) -> ChangeVerdict {
        func takes(_ values: (String, ContractVersion), _ reader: (String, ContractVersion)) -> Bool {
            guard let one = TypeReference(spelling: values.0), let other = TypeReference(spelling: reader.0) else {
                return false
            }
            return WireWidth(values: values.1, reader: reader.1, isText: true, isApp: false).takes(one, as: other)
        }
        // Two enums have changes of their own.
        let names = [(old, change.old.types), (new, change.new.types)].map { type, types in
            TypeReference(spelling: type).map { types.expanded($0) }?.names.first?.value
        }
        if let before = names[0], let after = names[1], change.pairs[before, after] != nil {
            return change.insides.verdict(of: TypePair(old: before, new: after), at: change)
        }
        guard takes((old, change.old), (new, change.new)) else {
            return .wire(
                "Apps from before this change send \(change.before), and the server expects \(change.after).", .both)
        }
        guard !takes((new, change.new), (old, change.old)) else { return .none }
        return ChangeVerdict(
            wire: .warns(
                "Apps from after this change may send a parameter of the path that servers from before it do not take."),
            direction: .newApp)
    }

    /// Whether the values of one version are ones that the other takes, whatever their types in Swift are.
    ///
    /// - Parameters:
    ///   - isOld: whether the values are those of the old version, and the reader is the new one.
    ///   - isApp: whether an app reads them.
    private static func takes(_ change: Situation, isOld: Bool, isApp: Bool) -> Bool {
        let edit = change.edit
        let sides = (old: (edit.old, edit.oldOwner, change.old), new: (edit.new, edit.newOwner, change.new))
        let (values, reader) = isOld ? (sides.old, sides.new) : (sides.new, sides.old)
        func type(_ node: ComparedNode?) -> TypeReference? { node?.text.flatMap { TypeReference(spelling: $0) } }
        // JSON has each value, also the fields of a payload that has no type.
        if let reader = type(reader.0).map(reader.2.types.expanded), reader.unwrapped.primitive == .json { return true }
        guard let one = type(values.0), let other = type(reader.0) else { return false }
        func constraints(
            _ side: (ComparedNode?, ComparedNode?, ContractVersion), _ type: TypeReference
        ) -> [String: String] {
            let own = LanguageSlots.constraints.compactMap { key in side.1?[key].map { (key, $0.content) } }
            let others = side.2.types.constraints(of: type).map { ($0.key, $0.node.content) }
            return Dictionary(own + others) { first, _ in first }
        }
        let (given, asked) = (constraints(values, one), constraints(reader, other))
        // Dates in a form of their own are texts. An app checks what it sends, and not what it reads.
        let isMet = asked.allSatisfy { key, text in
            isApp && key != "format" || given[key].map { isAsTight($0, as: text, key) } ?? false
        }
        guard isMet else { return false }
        if given["format"] != nil, ![.string, .json].contains(other.primitive) { return false }
        let place = edit.place
        let isForm = [change.endpoint.old, change.endpoint.new].allSatisfy { endpoint in
            endpoint?.body.map { [.form, .multipart].contains($0.encoding) } ?? false
        }
        let isText =
            place.first == "common" && place.dropFirst().first != "parameters"
            || place.count > 2 && place[0] == "endpoints"
                && (["query", "headers", "cookies"].contains(place[2]) || place[2] == "body" && isForm)
        return WireWidth(values: values.2, reader: reader.2, isText: isText, isApp: isApp).takes(one, as: other)
    }

    /// Whether each value that one constraint allows is one that another constraint of the same key allows.
    private static func isAsTight(_ one: String, as other: String, _ key: String) -> Bool {
        switch key {
        case "range": ValueBounds(one).areWithin(ValueBounds(other))
        case "length", "items": ValueBounds(ofCount: one).areWithin(ValueBounds(ofCount: other))
        default: LanguageSlots.isSame(one, other, at: "field.\(key)")
        }
    }

    /// Whether an app from before a change reads any text as an open enum.
    private static func opensEnum(_ change: Situation) -> Bool {
        guard let type = change.edit.old?.text.flatMap({ TypeReference(spelling: $0) }),
            let name = change.old.types.expanded(type).names.first?.value
        else { return false }
        if case .enumeration? = change.old.type(named: name)?.form { return true }
        return false
    }
}
