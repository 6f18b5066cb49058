import ContractModel

/// The verdict of every edit that the language allows.
enum VerdictTable {
    /// The rules, in the order of a contract. The first that names a slot and an edit has the verdict.
    static let rules: [VerdictRule] =
        ServiceVerdicts.rules + EnvelopeVerdicts.rules + SessionVerdicts.rules + ConnectionVerdicts.rules
        + EndpointVerdicts.rules + BodyVerdicts.rules + CommandVerdicts.rules + FieldVerdicts.rules + TypeVerdicts.rules
        + ErrorVerdicts.rules

    private static let index: [String: [Change.Edit: VerdictRule.Outcome]] = {
        var index: [String: [Change.Edit: VerdictRule.Outcome]] = [:]
        for rule in rules {
            for slot in rule.slots {
                for edit in rule.edits where index[slot]?[edit] == nil {
                    index[slot, default: [:]][edit] = rule.outcome
                }
            }
        }
        return index
    }()

    /// The outcome of an edit at a slot; nil if no rule has it, which a test refuses.
    static func outcome(_ slot: String, _ edit: Change.Edit) -> VerdictRule.Outcome? {
        index[canonical(slot)]?[edit]
    }

    /// The slot whose rules hold for a slot: a mapping that is another one with fewer keys has no rules of its own.
    static func canonical(_ slot: String) -> String {
        for (prefix, other) in [("commonField.", "field."), ("builtInError.", "error.")] where slot.hasPrefix(prefix) {
            let twin = other + slot.dropFirst(prefix.count)
            if index[slot] == nil { return twin }
        }
        return slot
    }
}
