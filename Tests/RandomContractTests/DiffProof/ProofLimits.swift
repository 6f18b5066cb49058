/// What the proof does not show, with the reason. Each entry is a limit of the proof, and none of the verdicts.
enum ProofLimits {
    /// Why the edits at a slot are not run; nil if they are.
    static func reason(whyNotRun slot: String) -> String? {
        notRun.first { prefix, _ in slot.hasPrefix(prefix) }?.reason
    }

    private static let notRun: [(prefix: String, reason: String)] = [
        ("connection.", "The mock server has no connections."),
        ("contract.connection", "The mock server has no connections."),
        ("event.", "The mock server has no connections."),
        ("contract.events", "The mock server has no connections."),
        ("stream.", "The driver collects no streams."),
        ("endpoint.delivery", "The driver collects no streams."),
        ("contract.service", "A service with another name is another service."),
        ("contract.errand", "There is one version of the language."),
        ("contract.import", "What is imported is compared where it is used."),
    ]

    /// Why a break is not seen in a run; nil if it must be.
    static func reason(whyNotSeen pair: ProofPair) -> String? {
        notSeen.first { pattern, _ in pair.edit.slot.hasPrefix(pattern) }?.reason
    }

    private static let notSeen: [(prefix: String, reason: String)] = [
        ("field.coerce", "The mock server sends each value in the form that the contract says."),
        ("endpoint.paginate", "Without it, the contract does not say how the server makes pages."),
        ("field.sensitive", "A log is no part of the run."),
        ("commonField.sensitive", "A log is no part of the run."),
    ]
}
