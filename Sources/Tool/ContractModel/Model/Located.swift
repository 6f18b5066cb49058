import Diagnostics

/// A value together with its place in the contract.
package struct Located<Value: Sendable>: Sendable {
    package var value: Value
    package var range: SourceRange

    package init(_ value: Value, at range: SourceRange) {
        self.value = value
        self.range = range
    }

    package func map<Other>(_ transform: (Value) -> Other) -> Located<Other> {
        Located<Other>(transform(value), at: range)
    }
}

extension Located: Equatable where Value: Equatable {
    /// Two located values are equal if their values are, regardless of their places.
    package static func == (left: Located, right: Located) -> Bool { left.value == right.value }
}
