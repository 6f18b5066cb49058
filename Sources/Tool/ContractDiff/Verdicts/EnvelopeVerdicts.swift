import ContractModel

/// The verdicts of envelopes: where a response has its payload, and what tells a success.
///
/// Envelopes are compared by what the endpoints that have them read. Their names say nothing.
enum EnvelopeVerdicts {
    static let rules: [VerdictRule] = [
        .unlisted(
            ["contract.envelopes.*"], [.added, .removed, .changed],
            "The endpoints that use the envelope have changes of their own."),
        .harmless(["contract.envelopes.*"], [.renamed], "The name of an envelope is neither in Swift nor on the wire."),
        .verdict(["endpoint.envelope"]) { change in
            let needs = EnvelopeNeeds(old: [change.endpoint.old], new: [change.endpoint.new], change)
            let old = change.old.envelope(change.endpoint.old?.settings.envelope?.value)
            let new = change.new.envelope(change.endpoint.new?.settings.envelope?.value)
            return EnvelopePart.allCases.reduce(ChangeVerdict.none) {
                $0.joined(with: verdict(of: $1, from: old, to: new, needs))
            }
        },
        rule(["envelope.data", "envelope.list"], .payload),
        rule(["envelope.success"], .success),
        rule(["envelope.code"], .code),
        rule(["envelope.error"], .error),
        rule(["envelope.message"], .message),
    ]

    private static func rule(_ slots: [String], _ part: EnvelopePart) -> VerdictRule {
        .verdict(slots) { change in
            guard change.edit.places.old.count > 1, change.edit.places.new.count > 1 else { return .none }
            let names = (change.edit.places.old[1], change.edit.places.new[1])
            let needs = EnvelopeNeeds(
                old: change.old.contract.endpoints.filter { $0.settings.envelope?.value == names.0 },
                new: change.new.contract.endpoints.filter { $0.settings.envelope?.value == names.1 }, change)
            return verdict(
                of: part, from: change.old.envelope(names.0), to: change.new.envelope(names.1), needs)
        }
    }

    /// What breaks at endpoints with these needs if one part of their envelope changes.
    private static func verdict(
        of part: EnvelopePart, from old: EnvelopeDefinition?, to new: EnvelopeDefinition?, _ needs: EnvelopeNeeds
    ) -> ChangeVerdict {
        switch part {
        case .payload:
            let moved = needs.payloads.compactMap { payload -> FieldPath?? in
                let before = payload.path(in: old)
                return before == payload.path(in: new) ? nil : .some(before)
            }
            guard let before = moved.first else { return .none }
            let place = before.map { "at \($0.text.asCode)" } ?? "in the whole body"
            return ChangeVerdict(
                wire: .breaks("Apps from before this change look for the payload \(place)."),
                behavior: .breaks("A success without a payload there is a failure for these apps."), direction: .both)
        case .success: return success(old, new)
        case .code:
            guard old?.code?.value != new?.code?.value else { return .none }
            if needs.readsCode || !codes(old).isEmpty || !codes(new).isEmpty { return result }
            return .warning("The failures of apps from before this change do not have the server's code.", .oldApp)
        case .error:
            let (before, after) = (errorPath(old), errorPath(new))
            guard before != after else { return .none }
            return ChangeVerdict(
                wire: .breaks(
                    before.map { "Apps from before this change know a failure by its \($0.text.asCode)." }
                        ?? "Apps from before this change do not look for the error by which the server tells a failure."
                ),
                behavior: .breaks("These apps take a failure for a success, or a success for a failure."),
                direction: .both)
        case .message:
            guard old?.message?.value != new?.message?.value else { return .none }
            return .warning("Apps from before this change do not find the server's message.", .oldApp)
        }
    }

    private static let result = ChangeVerdict(
        wire: .breaks("Apps from before this change look in another place for the result of a command."),
        behavior: .breaks("These apps take a failure for a success, or a success for a failure."), direction: .both)

    /// What follows from another sign of a success.
    private static func success(_ old: EnvelopeDefinition?, _ new: EnvelopeDefinition?) -> ChangeVerdict {
        let (before, after) = (codes(old), codes(new))
        guard before != after else { return .none }
        guard !before.isEmpty, !after.isEmpty else {
            return ChangeVerdict(
                wire: .breaks(
                    before.isEmpty
                        ? "Apps from before this change do not look at the code by which the server tells a success."
                        : "Apps from before this change know a success by its code, which the server no longer promises."
                ),
                behavior: .breaks("These apps may take a failure for a success, or a success for a failure."),
                direction: .both)
        }
        func list(_ codes: Set<CodeMatch>) -> String {
            let texts = codes.map { $0.spelling.asCode }.sorted()
            return (texts.count == 1 ? "the code " : "the codes ") + texts.joined(separator: ", ")
        }
        let isWider = before.isSubset(of: after)
        return ChangeVerdict(
            wire: .breaks(
                "Apps from before this change take \(list(before)) for a success, and the server sends \(list(after)) for one."
            ),
            behavior: .breaks(
                isWider
                    ? "These apps take a success with \(list(after.subtracting(before))) for a failure."
                    : after.isSubset(of: before)
                        ? "These apps take a failure with \(list(before.subtracting(after))) for a success."
                        : "These apps take a success for a failure, or a failure for a success."),
            direction: isWider ? .oldApp : .both)
    }

    /// The codes of a success; empty if they do not count.
    private static func codes(_ envelope: EnvelopeDefinition?) -> Set<CodeMatch> {
        guard let envelope, !envelope.isDecidedByStatus else { return [] }
        return Set(envelope.success.map(\.value))
    }

    /// The path that only a failure has; nil if it does not count.
    private static func errorPath(_ envelope: EnvelopeDefinition?) -> FieldPath? {
        guard let envelope, !envelope.isDecidedByStatus else { return nil }
        return envelope.error?.value
    }
}

/// A part of an envelope that has consequences of its own.
private enum EnvelopePart: CaseIterable { case payload, success, code, error, message }

/// What some endpoints read of the responses in their envelope.
private struct EnvelopeNeeds {
    enum Payload: Hashable, CaseIterable {
        case one, list

        /// Where an envelope has it; nil for the whole body.
        func path(in envelope: EnvelopeDefinition?) -> FieldPath? {
            self == .list ? envelope?.list?.value ?? envelope?.data?.value : envelope?.data?.value
        }
    }

    private(set) var payloads: [Payload] = []
    /// Whether an error or an outcome is recognized by the code.
    private(set) var readsCode = false

    init(old: [EndpointDefinition?], new: [EndpointDefinition?], _ change: Situation) {
        for (endpoints, version) in [(old, change.old), (new, change.new)] {
            for case .some(let endpoint) in endpoints { add(endpoint, version) }
        }
    }

    private mutating func add(_ endpoint: EndpointDefinition, _ version: ContractVersion) {
        switch endpoint.response.value {
        case .none, .bytes: break
        case .fields: add(.one)
        case .type(let type, _, _): add(version.types.expanded(type.unwrapped).isList ? .list : .one)
        }
        let names = Set(endpoint.errors.map(\.value))
        let errors = version.contract.errors.filter { names.contains($0.name.value) }
        if errors.contains(where: { $0.data != nil }) || endpoint.outcomes.contains(where: { $0.data != nil }) {
            add(.one)
        }
        let conditions = errors.flatMap(\.conditions) + endpoint.outcomes.flatMap(\.conditions)
        readsCode = readsCode || conditions.contains { !$0.codes.isEmpty }
    }

    private mutating func add(_ payload: Payload) {
        if !payloads.contains(payload) { payloads.append(payload) }
    }
}

extension ContractVersion {
    /// The envelope with a name; nil for `none`, which has no parts.
    fileprivate func envelope(_ name: String?) -> EnvelopeDefinition? {
        contract.envelopes.first { $0.name.value == name }
    }
}
