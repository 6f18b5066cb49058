import ContractModel

/// When a value is there: one thing that a field says with three keys, its type, its default and `nullable`.
enum FieldPresence {
    /// `int`
    case required
    /// `int?`
    case optional
    /// `int = 1`
    case defaulted
    /// `int = 1` in a document that requires the input
    case demanded
    /// `{type: int?, nullable: required}`
    case nullable
    /// `{type: int?, nullable: distinct}`
    case distinct

    /// - Parameter isDemanded: whether the document requires it although it has a default.
    init(_ field: ComparedNode, isDemanded: Bool = false) {
        let isOptional = field["type"]?.text.flatMap { TypeReference(spelling: $0) }?.isOptional ?? false
        switch field["nullable"]?.text {
        case Nullability.required.rawValue?: self = .nullable
        case Nullability.distinct.rawValue?: self = .distinct
        default:
            self = isOptional ? .optional : field["default"] == nil ? .required : isDemanded ? .demanded : .defaulted
        }
    }

    /// What can be at the place of a value.
    enum Form: String { case value, null, absent }

    /// What a client sends.
    private var sent: Set<Form> {
        switch self {
        case .required, .defaulted, .demanded: [.value]
        case .optional: [.value, .absent]
        case .nullable: [.value, .null]
        case .distinct: [.value, .null, .absent]
        }
    }

    /// What a reader takes. For a field with a default, null means the default, as a missing key does.
    private var read: Set<Form> {
        switch self {
        case .required, .demanded: [.value]
        case .nullable: [.value, .null]
        case .optional, .defaulted, .distinct: [.value, .null, .absent]
        }
    }

    /// What a server may send.
    private var received: Set<Form> {
        switch self {
        case .defaulted: [.value, .absent]
        case .required, .optional, .nullable, .distinct, .demanded: read
        }
    }

    /// Whether a reader needs it.
    var isRequired: Bool { !read.contains(.absent) }
    /// Whether a call may leave it out.
    var isOmittable: Bool { self != .required && self != .nullable }
    private var isOptionalInSwift: Bool { self == .optional || self == .nullable }

    // MARK: Verdicts

    /// The verdict for a value of a request.
    static func sent(_ old: FieldPresence, _ new: FieldPresence, _ change: Situation) -> ChangeVerdict {
        guard old != new else { return usual(change, where: "nothing is passed for \(change.thing)", "send") }
        var verdict = ChangeVerdict.none
        let thing = change.thing
        if old.isOmittable, !new.isOmittable {
            verdict.source = .breaks("A call has to pass \(thing).")
        } else if (old == .distinct) != (new == .distinct) {
            verdict.source = .breaks("A call passes \(thing) in another way.")
        } else if old.isOptionalInSwift, !new.isOptionalInSwift {
            verdict.source = .breaks("A call that passes an optional for \(thing) no longer compiles.")
        }
        let refused = old.sent.subtracting(new.read)
        let early = new.sent.subtracting(old.read)
        if !refused.isEmpty {
            verdict.wire = .breaks(
                refused.contains(.absent)
                    ? "Apps from before this change may leave out \(thing), which the server needs."
                    : "Apps from before this change may send null for \(thing), which the server refuses.")
            verdict.direction = .oldApp
        } else if !early.isEmpty {
            verdict.wire = .warns(
                early.contains(.absent)
                    ? "Apps from after this change may leave out \(thing), which servers from before it need."
                    : "Apps from after this change may send null for \(thing), which servers from before it refuse.")
            verdict.direction = .newApp
        } else if old == .distinct || new == .distinct {
            verdict.wire = .warns("Only one of the versions tells null from an absent \(thing).")
            verdict.direction = .both
        }
        switch (old, new) {
        case (.optional, .defaulted), (.distinct, .defaulted), (.optional, .demanded), (.distinct, .demanded):
            let value = change.edit.newOwner?["default"]?.shown ?? ""
            verdict.behavior = .warns(
                "Where nothing is passed for \(thing), apps from before this change send nothing, and apps from after it send \(value.asCode)."
            )
            verdict.direction = .both
        case (.defaulted, .optional), (.defaulted, .distinct), (.demanded, .optional), (.demanded, .distinct):
            let value = change.edit.oldOwner?["default"]?.shown ?? ""
            verdict.behavior = .warns(
                "Where nothing is passed for \(thing), apps from before this change send \(value.asCode), and apps from after it send nothing."
            )
            verdict.direction = .both
        default: break
        }
        return verdict
    }

    /// The verdict for a value of a response.
    static func received(_ old: FieldPresence, _ new: FieldPresence, _ change: Situation) -> ChangeVerdict {
        guard old != new else { return usual(change, where: "\(change.thing) is absent", "use") }
        var verdict = ChangeVerdict.none
        let thing = change.thing
        if (old == .distinct) != (new == .distinct) {
            verdict.source = .breaks("An app reads \(thing) as another type.")
        } else if old.isOptionalInSwift != new.isOptionalInSwift {
            verdict.source = .breaks(
                old.isOptionalInSwift
                    ? "An app that unwraps \(thing) no longer compiles." : "An app has to unwrap \(thing).")
        }
        let missed = new.received.subtracting(old.read)
        let early = old.received.subtracting(new.read)
        if !missed.isEmpty {
            verdict.wire = .breaks(
                missed.contains(.absent)
                    ? change.unreadableWithout
                    : "Apps from before this change cannot read a response with null for \(thing).")
            verdict.direction = .oldApp
        } else if !early.isEmpty {
            verdict.wire = .warns(
                early.contains(.absent)
                    ? "Apps from after this change cannot read a response without \(thing), as servers from before it may send it."
                    : "Apps from after this change cannot read a response with null for \(thing), as servers from before it may send it."
            )
            verdict.direction = .newApp
        } else if old == .distinct || new == .distinct {
            verdict.wire = .warns("Only one of the versions tells null from an absent \(thing).")
            verdict.direction = .both
        }
        return verdict
    }

    /// The verdict for the default of a value that may be absent with and without it.
    ///
    /// - Parameters:
    ///   - situation: when the default counts: `nothing is passed`.
    ///   - verb: what an app does with it.
    private static func usual(_ change: Situation, where situation: String, _ verb: String) -> ChangeVerdict {
        let (old, new) = (change.edit.oldOwner?["default"]?.shown, change.edit.newOwner?["default"]?.shown)
        guard old != new, change.edit.place.last == "default" else { return .none }
        return .warning(
            "Where \(situation), apps from before this change \(verb) \(old?.asCode ?? "nothing"), and apps from after it \(new?.asCode ?? "nothing")."
        )
    }
}
