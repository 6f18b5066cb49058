import ContractChecks
import ContractModel

/// What follows for people from a difference of two tables: a payment that is shown as done, one that is made twice, a surprise logout.
struct TableConsequence {
    var judgment: ChangeVerdict.Judgment
    var direction: ChangeVerdict.Direction

    /// The more severe one of both; the first of two that are equally severe.
    func joined(with other: TableConsequence) -> TableConsequence {
        guard other.judgment.level >= judgment.level else { return self }
        guard other.judgment.level == judgment.level else { return other }
        return TableConsequence(judgment: judgment, direction: direction == other.direction ? direction : .both)
    }

    fileprivate static func breaks(_ sentence: String, _ direction: ChangeVerdict.Direction) -> TableConsequence {
        TableConsequence(judgment: .breaks(sentence), direction: direction)
    }

    fileprivate static func warns(_ sentence: String, _ direction: ChangeVerdict.Direction) -> TableConsequence {
        TableConsequence(judgment: .warns(sentence), direction: direction)
    }
}

extension TableDifference {
    /// What an app does at an endpoint after such a response that it does not do with the other table. Nil if only its failure has another
    /// name.
    func consequence(at endpoint: String, _ effect: Effect) -> TableConsequence? {
        let (before, after) = (old.meaning, new.meaning)
        if before.kind == .success, after.category != nil {
            return .breaks(
                "Apps from before this change take `\(after.name)` of `\(endpoint)` for a success.", .oldApp)
        }
        if after.kind == .success, before.category != nil {
            return .breaks("Apps from before this change take a success of `\(endpoint)` for a failure.", .oldApp)
        }
        if (before.category == .requiresLogout) != (after.category == .requiresLogout) {
            return before.category == .requiresLogout
                ? .breaks(
                    "Apps from before this change end the session after `\(after.name)`, a surprise logout.", .oldApp)
                : .breaks(
                    "Apps from after this change end the session after `\(after.name)`, and their users have to log in again.",
                    .newApp)
        }
        return sentAgain(at: endpoint, effect)
    }

    /// What follows if only one of both tables lets a command be sent again.
    private func sentAgain(at endpoint: String, _ effect: Effect) -> TableConsequence? {
        guard old.consequence.isSentAgain != new.consequence.isSentAgain else { return nil }
        let isOld = old.consequence.isSentAgain
        let direction: ChangeVerdict.Direction = isOld ? .oldApp : .newApp
        let apps = isOld ? "Apps from before this change" : "Apps from after this change"
        let name = isOld ? new.meaning.name : old.meaning.name
        // A server that did nothing does nothing twice.
        guard effect == .once, (isOld ? new : old).meaning.applied != .never else {
            return .warns("\(apps) send `\(endpoint)` again after `\(name)`.", direction)
        }
        return isOld
            ? .breaks(
                "\(apps) send `\(endpoint)` again after `\(name)`, and the server may carry it out twice.", direction)
            : .breaks(
                "\(apps) send `\(endpoint)` again after `\(name)`, and a server that did carry it out does so twice.",
                direction)
    }
}
