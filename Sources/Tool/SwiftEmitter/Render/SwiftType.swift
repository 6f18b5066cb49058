/// A type as generated code names it, as a tree. ``SwiftPrinter`` makes text of it. Most types are one name, which takes no
/// memory of its own.
enum SwiftType: Sendable {
    case named(String)
    /// A type inside another one, or in a module: `Bank.Account`, `Swift.String`.
    indirect case nested(SwiftType, String)
    indirect case optional(SwiftType)
    indirect case array(SwiftType)
    indirect case dictionary(SwiftType, SwiftType)
    /// A generic type with its argument: `Nullable<Int>`.
    indirect case generic(String, SwiftType)

    static let void = SwiftType.named("Void")

    /// A member of the type itself.
    func member(_ name: String) -> Expression { .member(.type(self), name) }

    /// A call of an initializer.
    func make(_ values: Expression...) -> Expression { .call(.type(self), values.map { Argument($0) }) }
    func make(_ arguments: [Argument]) -> Expression { .call(.type(self), arguments) }

    /// A call of one of the type's own functions.
    func method(_ name: String, _ arguments: [Argument]) -> Expression { .call(member(name), arguments) }
}
