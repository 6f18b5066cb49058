import ErrandPatterns

/// The idle matchers. They are kept so that a pattern isn't compiled for each command.
final class PatternCache: Sendable {
    /// The cache of all contracts in the process.
    static let shared = PatternCache()

    /// The maximum number of idle matchers. An app whose contracts have more patterns compiles some of them again.
    static let mostIdle = 64

    /// There are as many matchers of a pattern as ran side by side.
    private struct Idle {
        var matchers: [String: [PatternMatcher]] = [:]
        var count = 0
    }

    private let idle = LockedState<Idle> { Idle() }

    /// How many matchers are idle.
    var count: Int { idle.withLock { $0.count } }

    /// Whether all of the text matches. A pattern that cannot be compiled matches nothing: the
    /// contract was not checked, and what it wants is unknown.
    func matches(_ text: String, _ pattern: String) -> Bool {
        // A matcher is lent to one command at a time, so that the lock is not held while a text is matched.
        guard var matcher = lend(pattern) ?? (try? RegularPattern(pattern)).map(PatternMatcher.init) else {
            return false
        }
        let isMatch = matcher.matches(text)
        keep(matcher, of: pattern)
        return isMatch
    }

    private func lend(_ pattern: String) -> PatternMatcher? {
        idle.withLock { idle in
            guard let matcher = idle.matchers[pattern]?.popLast() else { return nil }
            idle.count -= 1
            return matcher
        }
    }

    private func keep(_ matcher: PatternMatcher, of pattern: String) {
        idle.withLock { idle in
            if idle.count == Self.mostIdle { idle = Idle() }
            idle.matchers[pattern, default: []].append(matcher)
            idle.count += 1
        }
    }
}
