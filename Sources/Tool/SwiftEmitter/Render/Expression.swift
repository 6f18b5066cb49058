/// An expression of generated code, as a tree. ``SwiftPrinter`` makes text of it.
enum Expression: Sendable {
    /// A variable or a function.
    case name(String)
    /// A parameter of the closure around the expression, by its number: `$0`.
    case parameter(Int)
    /// A type of which a member or an initializer is used.
    case type(SwiftType)
    indirect case member(Expression, String)
    /// A member of the type that the place expects: `.absent`.
    case implicit(String)
    /// Properties, one of the other: `response.grant?.token`.
    indirect case path(Expression, [Step])
    /// A function by its name and labels, without a call: `Account.load(from:)`.
    indirect case function(Expression, labels: [String])
    indirect case call(Expression, [Argument])
    /// A call with a closure of one expression after the other arguments: `dates.map { … }`.
    indirect case trailing(Expression, closure: Expression)
    /// A closure of one expression.
    indirect case closure(Expression)
    /// A variable that a function changes: `&reader`.
    indirect case reference(Expression)
    indirect case not(Expression)
    indirect case binary(Expression, Operator, Expression)
    /// `1...5`, `1...` and `...5`.
    indirect case range(Expression?, Expression?)
    /// `condition ? first : second`.
    indirect case conditional(Expression, Expression, otherwise: Expression)
    case string(String)
    /// A string with values inside: text and expressions by turns.
    case interpolated([Piece])
    indirect case number(digits: String, isNegative: Bool)
    case bool(Bool)
    case null
    /// The value of `Void`.
    case nothing
    case array([Expression])
    /// An array with each element on a line of its own.
    case rows([Expression])
    case emptyDictionary
    /// A dictionary with these keys.
    case dictionary([(key: String, value: Expression)])

    enum Operator: String, Sendable {
        case coalescing = "??"
        case equals = "=="
        case plus = "+"
    }

    /// A property of a path.
    struct Step: Sendable {
        let property: String
        /// Whether what comes before it is optional.
        let isAfterOptional: Bool
    }

    enum Piece: Sendable {
        case text(String)
        case value(Expression)
    }
}

/// An argument of a call.
struct Argument: Sendable {
    let label: String?
    let value: Expression

    init(_ value: Expression) {
        label = nil
        self.value = value
    }

    init(_ label: String, _ value: Expression) {
        self.label = label
        self.value = value
    }
}

extension Expression {
    static let own = Expression.name("self")

    static func integer(_ value: some BinaryInteger) -> Expression { .integer(value, isNegative: value < 0) }

    /// A number whose sign is stated, as zero may have one.
    static func integer(_ value: some BinaryInteger, isNegative: Bool) -> Expression {
        .number(digits: SwiftLiteral.decimal(value.magnitude), isNegative: isNegative)
    }

    static func fraction<Value: BinaryFloatingPoint & CustomStringConvertible>(_ value: Value) -> Expression {
        .number(digits: value.magnitude.description, isNegative: value < 0)
    }

    static func strings(_ texts: [String]) -> Expression { .array(texts.map(Expression.string)) }

    /// A case with a value: `.seconds(5)`.
    static func implicit(_ name: String, _ value: Expression) -> Expression {
        .call(.implicit(name), [Argument(value)])
    }

    static func implicit(_ name: String, _ arguments: [Argument]) -> Expression { .call(.implicit(name), arguments) }

    /// A call of a method.
    func method(_ name: String, _ values: Expression...) -> Expression {
        .call(.member(self, name), values.map { Argument($0) })
    }

    func method(_ name: String, _ arguments: [Argument]) -> Expression { .call(.member(self, name), arguments) }

    /// A call of a method that takes a closure of one expression.
    func method(_ name: String, closure: Expression) -> Expression { .trailing(.member(self, name), closure: closure) }

    func or(_ other: Expression) -> Expression { .binary(self, .coalescing, other) }
}
