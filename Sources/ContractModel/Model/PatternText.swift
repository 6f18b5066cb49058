import Diagnostics
import ErrandPatterns

/// Patterns as texts, for what makes contracts.
package enum PatternText {
    /// Why a contract cannot have this pattern, in words; `nil` if it can.
    package static func problem(of pattern: String) -> String? {
        do throws(PatternProblem) {
            _ = try RegularPattern(pattern)
            return nil
        } catch {
            return error.message
        }
    }
}

extension ConstraintTrial {
    /// Whether a text breaks a length or a pattern that are given as a contract spells them.
    package mutating func breaks(_ text: String, length: String?, pattern: String?) -> Bool {
        let start = SourcePosition(line: 1, column: 1, offset: 0)
        let nowhere = SourceRange(file: "", start: start, end: start)
        var constraints = Constraints()
        constraints.pattern = pattern.map { Located($0, at: nowhere) }
        constraints.length = length.map { text in
            let ends = NumberText.ends(of: text)
            let (lower, upper) = (ends[0], ends[ends.count - 1])
            return Located(
                Constraints.Bounds(lower: lower.isEmpty ? nil : lower, upper: upper.isEmpty ? nil : upper), at: nowhere)
        }
        return problem(ofText: text, constraints) != nil
    }
}
