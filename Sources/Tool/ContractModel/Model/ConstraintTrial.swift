import Diagnostics
import ErrandPatterns

/// Checks the values in a contract, defaults and examples, against the constraints of their fields, as the runtime checks the
/// values of an app. It reads each pattern once.
package struct ConstraintTrial {
    private var matchers: [String: PatternMatcher] = [:]

    package init() {}

    /// Which constraint a number breaks, in words: "`0` is outside of `range: 1..500`".
    package func problem(ofNumber text: String, _ constraints: Constraints) -> String? {
        guard let bounds = constraints.range?.value else { return nil }
        let isBelow = bounds.lower.map { NumberText.isLess(text, $0) } ?? false
        let isAbove = bounds.upper.map { NumberText.isLess($0, text) } ?? false
        return isBelow || isAbove ? "`\(text)` is outside `range: \(bounds.spelling)`" : nil
    }

    /// Which constraint a text breaks.
    package mutating func problem(ofText text: String, _ constraints: Constraints) -> String? {
        if let bounds = constraints.length?.value, !bounds.contains(text.count) {
            return "\(quoted(text)) has \(text.count) characters, and `length` is `\(bounds.spelling)`"
        }
        if let pattern = constraints.pattern?.value, !matches(text, pattern) {
            return "\(quoted(text)) does not match \(quoted(pattern))"
        }
        return nil
    }

    /// The constraint that this number of bytes breaks.
    package func problem(ofBytes count: Int, _ constraints: Constraints) -> String? {
        guard let bounds = constraints.length?.value, !bounds.contains(count) else { return nil }
        return "this has \(count) bytes, and `length` is `\(bounds.spelling)`"
    }

    /// The constraint that a list or map of this number of elements breaks.
    package func problem(ofElements count: Int, _ constraints: Constraints) -> String? {
        guard let bounds = constraints.items?.value, !bounds.contains(count) else { return nil }
        return "this has \(count) elements, and `items` is `\(bounds.spelling)`"
    }

    private mutating func matches(_ text: String, _ pattern: String) -> Bool {
        // An invalid pattern was reported at its own place.
        guard var matcher = matchers[pattern] ?? (try? RegularPattern(pattern)).map(PatternMatcher.init) else {
            return true
        }
        defer { matchers[pattern] = matcher }
        return matcher.matches(text)
    }
}

extension Constraints.Bounds {
    /// The spelling of the contract language.
    package var spelling: String {
        lower == upper ? lower ?? "" : "\(lower ?? "")..\(upper ?? "")"
    }

    /// Whether an integer is in the bounds.
    func contains(_ count: Int) -> Bool {
        let text = String(count)
        return lower.map { !NumberText.isLess(text, $0) } ?? true && upper.map { !NumberText.isLess($0, text) } ?? true
    }
}
