import ContractModel

/// The bounds of a number or of a count, as a contract has them: `1..5`, `..80` or `3`. They are compared digit by digit, because two long
/// numbers can be one `Double`.
struct ValueBounds {
    private let lower: String?
    private let upper: String?

    /// - Parameter text: the value of `range`. A missing one has no bounds.
    init(_ text: String?) {
        func end(_ text: String) -> String? { text.isEmpty ? nil : text }
        guard let text, let dots = text.firstRange(of: "..") else {
            (lower, upper) = (text, text)
            return
        }
        (lower, upper) = (end(String(text[..<dots.lowerBound])), end(String(text[dots.upperBound...])))
    }

    /// - Parameter text: the value of `length` or `items`, which is never below 0.
    init(ofCount text: String?) {
        self.init(text.flatMap { $0.hasPrefix("..") ? "0" + $0 : $0 == "0.." ? nil : $0 })
    }

    private init(lower: String?, upper: String?) { (self.lower, self.upper) = (lower, upper) }

    /// The bounds of the values that are within these and within others.
    private func intersected(with others: ValueBounds) -> ValueBounds {
        func tighter(_ one: String?, _ other: String?, isUpper: Bool) -> String? {
            guard let one, let other else { return one ?? other }
            return NumberSpelling.isLess(one, other) == isUpper ? one : other
        }
        return ValueBounds(
            lower: tighter(lower, others.lower, isUpper: false), upper: tighter(upper, others.upper, isUpper: true))
    }

    /// Whether every value within these bounds is within others.
    func areWithin(_ others: ValueBounds) -> Bool {
        let hasLower = others.lower.map { bound in lower.map { !NumberSpelling.isLess($0, bound) } ?? false } ?? true
        let hasUpper = others.upper.map { bound in upper.map { !NumberSpelling.isLess(bound, $0) } ?? false } ?? true
        return hasLower && hasUpper
    }

    // MARK: Verdicts

    /// The bounds before and after a change. A value is within those of the aliases that its type names, too.
    private static func bounds(_ change: Situation) -> (old: ValueBounds, new: ValueBounds) {
        let edit = change.edit
        let key = edit.slot.split(separator: ".").last.map(String.init) ?? ""
        func bounds(_ text: String?) -> ValueBounds { key == "range" ? ValueBounds(text) : ValueBounds(ofCount: text) }
        func whole(_ own: ComparedNode?, _ owner: ComparedNode?, _ types: TypeTable) -> ValueBounds {
            let type = (owner?["type"] ?? owner?["alias"])?.text.flatMap { TypeReference(spelling: $0) }
            return types.values(of: key, inAliasesOf: type).reduce(bounds(own?.text)) {
                $0.intersected(with: bounds($1))
            }
        }
        return (whole(edit.old, edit.oldOwner, change.old.types), whole(edit.new, edit.newOwner, change.new.types))
    }

    /// The verdict for the bounds of what is sent.
    static func sent(_ change: Situation) -> ChangeVerdict {
        let (old, new) = bounds(change)
        guard old.areWithin(new) else {
            return .wire(
                "Apps from before this change send values of \(change.thing) that the server now refuses.", .oldApp)
        }
        guard !new.areWithin(old) else { return .none }
        return ChangeVerdict(
            wire: .warns(
                "Apps from after this change send values of \(change.thing) that servers from before it refuse."),
            direction: .newApp)
    }

    /// The verdict for the bounds of what is received. A client checks only what it sends, so the app's own code is what may fail.
    static func received(_ change: Situation) -> ChangeVerdict {
        let (old, new) = bounds(change)
        guard !new.areWithin(old) else { return .none }
        return ChangeVerdict(
            wire: .warns(
                "Apps from before this change get values of \(change.thing) that the contract had ruled out."),
            direction: .oldApp)
    }
}
