/// The names of templates whose values are types, expressions or parts of them.
extension Tag {
    static func type(_ name: String, _ read: @escaping @Sendable (Input) -> SwiftType) -> Tag {
        .text(name) { read($0).spelled }
    }

    static func optionalType(_ name: String, _ read: @escaping @Sendable (Input) -> SwiftType?) -> Tag {
        .optionalText(name) { read($0)?.spelled }
    }

    static func expression(_ name: String, _ read: @escaping @Sendable (Input) -> Expression) -> Tag {
        .layout(name) { read($0).layout }
    }

    static func optionalExpression(_ name: String, _ read: @escaping @Sendable (Input) -> Expression?) -> Tag {
        .optionalLayout(name) { read($0)?.layout }
    }

    /// A value after a label or an equals sign.
    static func labeled(_ name: String, _ read: @escaping @Sendable (Input) -> Expression?) -> Tag {
        .optionalLayout(name) { value(read($0), isLabeled: true) }
    }

    /// A value that begins its line, if it does not fit on the line before.
    static func continued(_ name: String, _ read: @escaping @Sendable (Input) -> Expression?) -> Tag {
        .optionalLayout(name) { value(read($0), isLabeled: false) }
    }

    private static func value(_ value: Expression?, isLabeled: Bool) -> Layout? {
        value.map { value in SwiftPrinter.layout { $0.addValue(value, isLabeled: isLabeled) } }
    }

    /// What is assigned, after the equals sign and with the space before it.
    static func assigned(_ name: String, _ read: @escaping @Sendable (Input) -> Expression) -> Tag {
        spelling(name) { $0.addAssigned(read($1)) }
    }

    /// Protocols with commas between, in a clause.
    static func types(_ name: String, _ read: @escaping @Sendable (Input) -> [SwiftType]) -> Tag {
        spelling(name) { $0.add(read($1)) }
    }

    static func parameters(_ name: String, _ read: @escaping @Sendable (Input) -> [ClientInput.Parameter]) -> Tag {
        spelling(name) { $0.add(read($1)) }
    }

    /// Arguments between parentheses.
    static func arguments(_ name: String, _ read: @escaping @Sendable (Input) -> [Argument]) -> Tag {
        spelling(name) { $0.add(read($1)) }
    }

    /// Arguments on a line each.
    static func lines(_ name: String, _ read: @escaping @Sendable (Input) -> [Argument]) -> Tag {
        spelling(name) { $0.addLines(read($1)) }
    }

    static func doc(_ name: String, _ read: @escaping @Sendable (Input) -> DocComment) -> Tag {
        .layout(name) { read($0).layout }
    }

    private static func spelling(
        _ name: String, _ add: @escaping @Sendable (inout SwiftPrinter, Input) -> Void
    ) -> Tag {
        .layout(name) { input in SwiftPrinter.layout { add(&$0, input) } }
    }
}
