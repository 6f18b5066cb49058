import ErrandPatterns

/// Holds a command's inputs against the constraints of its contract. Each call passes a field that is
/// absent. A broken field is remembered by name, never by value, and the command fails as
/// `invalidRequest` before anything is sent.
public struct RequestCheck {
    private(set) var broken: [BrokenField] = []

    init() {}

    /// A number that must lie in a range.
    public mutating func range<Value: Comparable, Range: RangeExpression>(
        _ name: String, _ value: Value?, _ allowed: Range
    ) where Range.Bound == Value {
        guard let value, !allowed.contains(value) else { return }
        fail(name, "must be in \(allowed)")
    }

    /// A text whose number of characters must lie in a range.
    public mutating func length<Range: RangeExpression<Int>>(
        _ name: String, _ value: String?, _ allowed: Range
    ) {
        guard let value, !allowed.contains(value.count) else { return }
        fail(name, "must have a length in \(allowed)")
    }

    /// Bytes whose number must lie in a range.
    public mutating func length<Range: RangeExpression<Int>>(
        _ name: String, _ value: [UInt8]?, _ allowed: Range
    ) {
        guard let value, !allowed.contains(value.count) else { return }
        fail(name, "must have a length in \(allowed)")
    }

    /// A text that must match a regular expression from its start to its end. The time that this takes
    /// grows with the text and no faster, whatever the expression and the text are.
    public mutating func pattern(_ name: String, _ value: String?, _ pattern: StaticString) {
        guard let value, !PatternCache.matches(value, "\(pattern)") else { return }
        fail(name, "must match \(pattern)")
    }

    /// A list whose number of elements must lie in a range.
    public mutating func items<Element, Range: RangeExpression<Int>>(
        _ name: String, _ value: [Element]?, _ allowed: Range
    ) {
        items(name, count: value?.count, allowed)
    }

    /// A map whose number of entries must lie in a range.
    public mutating func items<Element, Range: RangeExpression<Int>>(
        _ name: String, _ value: [String: Element]?, _ allowed: Range
    ) {
        items(name, count: value?.count, allowed)
    }

    /// A constraint of another kind.
    public mutating func fail(_ name: String, _ reason: String) {
        broken.append(BrokenField(name: name, reason: reason))
    }

    private mutating func items<Range: RangeExpression<Int>>(
        _ name: String, count: Int?, _ allowed: Range
    ) {
        guard let count, !allowed.contains(count) else { return }
        fail(name, "must have a number of elements in \(allowed)")
    }
}

/// The matchers of all contracts in the process.
private enum PatternCache {
    /// How many idle matchers are kept. An app whose contracts have more patterns than that compiles some again.
    private static let mostIdle = 64

    /// The matchers that no command uses right now, by pattern. There are as many of one as ran side by side.
    private struct Idle {
        var matchers: [String: [PatternMatcher]] = [:]
        var count = 0
    }

    private static let idle = LockedState<Idle> { Idle() }

    /// Whether all of the text matches. A pattern that cannot be compiled matches nothing: the
    /// contract was not checked, and what it wants is unknown.
    static func matches(_ text: String, _ pattern: String) -> Bool {
        // A matcher is lent to one command at a time, so that the lock is not held while a text is matched.
        guard var matcher = lend(pattern) ?? (try? RegularPattern(pattern)).map(PatternMatcher.init) else { return false }
        let isMatch = matcher.matches(text)
        keep(matcher, of: pattern)
        return isMatch
    }

    private static func lend(_ pattern: String) -> PatternMatcher? {
        idle.withLock { idle in
            guard let matcher = idle.matchers[pattern]?.popLast() else { return nil }
            idle.count -= 1
            return matcher
        }
    }

    private static func keep(_ matcher: PatternMatcher, of pattern: String) {
        idle.withLock { idle in
            if idle.count == mostIdle { idle = Idle() }
            idle.matchers[pattern, default: []].append(matcher)
            idle.count += 1
        }
    }
}
