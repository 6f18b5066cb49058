/// A value that may be absent, null, or there: `nullable: distinct` in a contract, where null takes a value away and
/// absence leaves it as it is.
public enum Nullable<Value> {
    case absent
    case null
    case value(Value)

    /// The value; nil where there is none, for either reason.
    public var value: Value? {
        switch self {
        case .absent, .null: nil
        case .value(let value): value
        }
    }
}

extension Nullable: Sendable where Value: Sendable {}
extension Nullable: Equatable where Value: Equatable {}
extension Nullable: Hashable where Value: Hashable {}
