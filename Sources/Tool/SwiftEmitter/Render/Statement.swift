/// A statement of a generated function, by its kind. `statement.mustache` spells each kind.
indirect enum Statement: TemplateInput {
    /// A call or a value, on a line of its own.
    case expression(Expression)
    /// `name = value`.
    case assignment(name: String, Expression)
    /// A constant of a stated type.
    case constant(name: String, type: SwiftType, Expression)
    case result(Expression)
    /// Statements that run only if a condition holds.
    case condition(Expression, [Statement])
    /// Statements that run only if an optional has a value, and those that run otherwise. Without a value, it is the
    /// variable of that name that has one or not.
    case binding(name: String, Expression?, [Statement], otherwise: [Statement] = [])
    /// Statements that run only if a `Nullable` has a value, which is called `value`.
    case presentValue(of: Expression, [Statement])
    case loop(name: String, in: Expression, [Statement])
    /// A call whose last argument is a closure of several statements.
    case closure(call: Expression, [Statement])
    /// Nothing for a `Nullable` that is absent, and what happens for null and for a value, which is called `value`.
    case nullable(Expression, null: [Statement], value: [Statement])
    /// Reads a `Nullable` whose value may fail to be read.
    case nullableRead(into: String, isNull: Expression, value: Expression)

    static let table = TagTable<Statement>(
        "a statement",
        [
            kind("expression") { if case .expression(let value) = $0 { Part(value: value) } else { nil } },
            kind("assignment") {
                if case .assignment(let name, let value) = $0 { Part(name: name, value: value) } else { nil }
            },
            kind("constant") {
                guard case .constant(let name, let type, let value) = $0 else { return nil }
                return Part(name: name, value: value, type: type)
            },
            kind("result") { if case .result(let value) = $0 { Part(value: value) } else { nil } },
            kind("condition") {
                if case .condition(let value, let body) = $0 { Part(value: value, body: body) } else { nil }
            },
            kind("binding") {
                guard case .binding(let name, let value, let body, let otherwise) = $0 else { return nil }
                return Part(name: name, value: value, body: body, otherwise: otherwise)
            },
            kind("presentValue") {
                if case .presentValue(let value, let body) = $0 { Part(value: value, body: body) } else { nil }
            },
            kind("loop") {
                guard case .loop(let name, let value, let body) = $0 else { return nil }
                return Part(name: name, value: value, body: body)
            },
            kind("closure") {
                if case .closure(let call, let body) = $0 { Part(value: call, body: body) } else { nil }
            },
            kind("nullable") {
                guard case .nullable(let value, let null, let body) = $0 else { return nil }
                return Part(value: value, body: body, otherwise: null)
            },
            kind("nullableRead") {
                guard case .nullableRead(let name, let isNull, let value) = $0 else { return nil }
                return Part(name: name, value: value, isNull: isNull)
            },
        ])

    /// A call whose last argument is a closure of one statement. Where that is an expression, all of it is one.
    static func call(_ call: Expression, _ body: Statement) -> Statement {
        guard case .expression(let value) = body else { return .closure(call: call, [body]) }
        return .expression(.trailing(call, closure: value))
    }

    /// A section that exists for statements of one kind.
    private static func kind(_ name: String, _ read: @escaping @Sendable (Statement) -> Part?) -> Tag<Statement> {
        .section(name, read)
    }

    /// The parts of a statement. Parts that its kind does not have are empty.
    struct Part: TemplateInput {
        var name = ""
        var value: Expression?
        var type: SwiftType?
        /// The condition under which null was read.
        var isNull: Expression?
        var body: [Statement] = []
        var otherwise: [Statement] = []

        static let table = TagTable<Part>(
            "a statement's parts",
            [
                .text("name") { $0.name }, .flag("hasValue") { $0.value != nil },
                .expression("value") { $0.value ?? .nothing }, .assigned("assigned") { $0.value ?? .nothing },
                .text("type") { $0.type?.spelled ?? "" }, .expression("isNull") { $0.isNull ?? .nothing },
                .list("body") { $0.body },
                .flag("hasOtherwise") { !$0.otherwise.isEmpty }, .list("otherwise") { $0.otherwise },
            ])
    }
}
