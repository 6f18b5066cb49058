import ContractChecks
import ContractModel

/// What follows from another rule for repetitions, of an endpoint or of an error.
enum RetryVerdicts {
    static func verdict(_ change: Situation) -> ChangeVerdict {
        let isOfError = change.edit.place.first == "errors"
        if isOfError {
            // A category that asks for no repetition has no rule for it, and is a change of its own.
            let categories = [change.edit.oldOwner, change.edit.newOwner].compactMap { $0?["category"]?.text }
            guard categories.allSatisfy({ $0 == categories.first }) else { return .none }
        }
        let after = isOfError ? " after \((change.edit.place.dropFirst().first ?? "").asCode)" : ""
        let written = (retry(change.edit.places.old, change.old), retry(change.edit.places.new, change.new))
        if isOfError, written.0 == nil || written.1 == nil {
            // The rule of each endpoint holds where the error has none.
            return .warning(
                written.1 == .never
                    ? "Apps from before this change send a command again\(after), and apps from after it do not."
                    : written.0 == .never
                        ? "Apps from after this change send a command again\(after), and apps from before it do not."
                        : "Apps from before and after this change send a command again\(after) at other times, or another number of times."
            )
        }
        let (old, new) = (written.0?.rule ?? RetryRule(), written.1?.rule ?? RetryRule())
        func times(_ rule: RetryRule) -> String { rule.attempts == 1 ? "once" : "up to \(rule.attempts) times" }
        let pause =
            switch (longestPause(old), longestPause(new)) {
            case (_, 0): ""
            case (0, let pause): ", with pauses of up to \(spelled(pause))"
            case (let pause, let other) where pause != other:
                ", with pauses of up to \(spelled(other)) in place of \(spelled(pause))"
            default: old.base == new.base ? "" : ", with other pauses"
            }
        return .warning(
            old.attempts == new.attempts
                ? "Apps from after this change send a command \(times(new))\(after), as those from before it do\(pause)."
                : "Apps from before this change send a command \(times(old))\(after), and apps from after it \(times(new))\(pause)."
        )
    }

    /// What the definition at a place says; nil if it says nothing.
    private static func retry(_ place: [String], _ version: ContractVersion) -> RetryDefinition? {
        guard place.count > 1 else { return nil }
        return place[0] == "errors"
            ? version.contract.errors.first { $0.name.value == place[1] }?.retry?.value
            : version.endpoints[place[1]]?.settings.retry?.value
    }

    /// The longest pause before a repetition, in milliseconds.
    private static func longestPause(_ rule: RetryRule) -> Int {
        rule.attempts > 1 ? rule.longestPause(after: rule.attempts - 1).milliseconds : 0
    }

    private static func spelled(_ milliseconds: Int) -> String {
        milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }
}
