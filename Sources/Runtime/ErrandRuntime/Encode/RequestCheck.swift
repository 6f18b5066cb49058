/// Holds a command's inputs against the constraints of its contract. Each call passes a field that is
/// absent. A broken field is remembered by name, never by value, and the command fails as
/// `invalidRequest` before anything is sent.
public struct RequestCheck {
    package private(set) var broken: [BrokenField] = []

    package init() {}

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
        guard let value, !PatternCache.shared.matches(value, "\(pattern)") else { return }
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
