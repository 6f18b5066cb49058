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

    /// A text that the pattern matches, of at least so many characters; `nil` if none was found.
    ///
    /// - Parameter choose: picks one of so many characters, so that two samples differ.
    package static func sample(of pattern: String, ofAtLeast least: Int, choose: (Int) -> Int) -> String? {
        (try? RegularPattern(pattern))?.sample(ofAtLeast: least, choose: choose)
    }

    /// Whether one pattern matches each text that another one matches; `nil` if that is not known.
    package static func isWithin(_ inner: String, _ outer: String) -> Bool? {
        guard let inner = try? RegularPattern(inner), let outer = try? RegularPattern(outer) else { return nil }
        return inner.isWithin(outer)
    }
}
