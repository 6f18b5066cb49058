/// A field that distinguishes absent, null and a value: in a PATCH, absent keeps what the server has and null removes
/// it (`nullable: distinct` in the contract).
public enum Nullable<Wrapped> {
    /// The field is not in the object.
    case absent
    /// The field is there, and null.
    case null
    case value(Wrapped)

    /// The value, if there is one.
    public var value: Wrapped? {
        if case .value(let value) = self { value } else { nil }
    }
}

extension Nullable: Sendable where Wrapped: Sendable {}
extension Nullable: Equatable where Wrapped: Equatable {}
extension Nullable: Hashable where Wrapped: Hashable {}
