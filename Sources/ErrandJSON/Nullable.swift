/// A value that may be absent, null or there, where the three mean different things.
///
/// In a PATCH request an absent key leaves a value as it is and `null` takes it away (RFC 7396, section 1). An
/// `Optional` cannot tell the two.
public enum Nullable<Value> {
    /// The key is not there: nothing is said about the value.
    case absent
    /// The key is there and null: there is no value.
    case null
    case value(Value)

    /// The value, where there is one.
    public var value: Value? {
        if case .value(let value) = self { return value }
        return nil
    }
}

extension Nullable: Sendable where Value: Sendable {}
extension Nullable: Equatable where Value: Equatable {}
extension Nullable: Hashable where Value: Hashable {}

extension Nullable {
    /// A value, or `null` for nil.
    public init(_ value: Value?) {
        self = value.map(Nullable.value) ?? .null
    }
}
