import Diagnostics
import ErrandPatterns

/// Patterns as texts, for what makes contracts.
package enum PatternText {
    /// Why a contract cannot have this pattern, in words; `nil` if it can.
    package static func problem(of pattern: String) -> String? {
        do throws(PatternError) {
            _ = try RegularPattern(pattern)
            return nil
        } catch {
            return error.message
        }
    }
}
