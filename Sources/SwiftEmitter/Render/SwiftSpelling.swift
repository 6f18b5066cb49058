/// Makes text of types and expressions, with the parentheses that the tree needs: the one place that spells them.
///
/// It is code and no template, since a Mustache partial cannot be inside a line, and a line has many of these trees.
struct SwiftSpelling {
    private(set) var text = ""

    static func text(_ add: (inout SwiftSpelling) -> Void) -> String {
        var spelling = SwiftSpelling()
        add(&spelling)
        return spelling.text
    }

    /// How tightly an expression holds together. It is put into parentheses where the place asks for more.
    private enum Binding: Int {
        case conditional, comparison, coalescing, range, addition, prefix
        /// A path with an optional inside, which a further member would become a part of.
        case chain
        case postfix

        /// The next tighter one, for the operand that must not hold the same operator.
        var above: Binding { Binding(rawValue: rawValue + 1) ?? .postfix }
    }

    // MARK: Types

    mutating func add(_ type: SwiftType) {
        switch type {
        case .named(let name): text += name
        case .nested(let outer, let name):
            add(outer)
            text += "."
            text += name
        case .optional(let inner):
            add(inner)
            text += "?"
        case .array(let element):
            text += "["
            add(element)
            text += "]"
        case .dictionary(let key, let value):
            text += "["
            add(key)
            text += ": "
            add(value)
            text += "]"
        case .generic(let name, let argument):
            text += name
            text += "<"
            add(argument)
            text += ">"
        }
    }

    // MARK: Expressions

    mutating func add(_ expression: Expression) { add(expression, .conditional) }

    mutating func add(_ arguments: [Argument], separator: String = ", ") {
        for (position, argument) in arguments.enumerated() {
            if position > 0 { text += separator }
            if let label = argument.label {
                text += label
                text += ": "
            }
            add(argument.value)
        }
    }

    mutating func add(_ parameters: [ClientInput.Parameter]) {
        for (position, parameter) in parameters.enumerated() {
            if position > 0 { text += ", " }
            if let label = parameter.label {
                text += label
                text += " "
            }
            text += parameter.name
            text += ": "
            add(parameter.type)
            if let value = parameter.value {
                text += " = "
                add(value)
            }
        }
    }

    mutating func add(_ deprecation: DeprecationAttribute) {
        text += "@available(*, deprecated"
        if let message = deprecation.message {
            text += ", "
            add([Argument("message", .string(message))])
        }
        text += ")"
    }

    private mutating func add(_ expression: Expression, _ least: Binding) {
        let needsParentheses = Self.binding(of: expression).rawValue < least.rawValue
        if needsParentheses { text += "(" }
        switch expression {
        case .name(let name): text += name
        case .parameter(let number): text += "$\(number)"
        case .type(let type): add(type)
        case .member(let base, let name):
            add(base, .postfix)
            text += "."
            text += name
        case .implicit(let name):
            text += "."
            text += name
        case .path(let base, let steps):
            add(base, .postfix)
            for step in steps {
                text += step.isAfterOptional ? "?." : "."
                text += step.property
            }
        case .function(let name, let labels):
            add(name, .postfix)
            text += "("
            for label in labels {
                text += label
                text += ":"
            }
            text += ")"
        case .call(let function, let arguments):
            add(function, .postfix)
            text += "("
            add(arguments)
            text += ")"
        case .trailing(let call, let closure):
            add(call, .postfix)
            text += " "
            add(.closure(closure))
        case .closure(let body):
            text += "{ "
            add(body)
            text += " }"
        case .reference(let variable):
            text += "&"
            add(variable, .chain)
        case .not(let condition):
            text += "!"
            add(condition, .chain)
        case .binary, .range, .conditional: addOperation(expression)
        case .string, .interpolated, .number, .bool, .null, .nothing, .array, .rows, .emptyDictionary:
            addLiteral(expression)
        }
        if needsParentheses { text += ")" }
    }

    private mutating func addOperation(_ expression: Expression) {
        switch expression {
        case .binary(let left, let sign, let right):
            let binding = Self.binding(of: sign)
            add(left, sign == .plus ? binding : binding.above)
            text += " "
            text += sign.rawValue
            text += " "
            add(right, sign == .coalescing ? binding : binding.above)
        case .range(let lower, let upper):
            // Its operands touch it, and would run together with an operator of their own.
            if let lower { add(lower, .postfix) }
            text += "..."
            if let upper { add(upper, .postfix) }
        case .conditional(let condition, let first, let second):
            add(condition, .comparison)
            text += " ? "
            add(first)
            text += " : "
            add(second)
        default: break
        }
    }

    private mutating func addLiteral(_ expression: Expression) {
        switch expression {
        case .string(let content): text += SwiftLiteral.string(content)
        case .interpolated(let pieces):
            text += SwiftLiteral.interpolated(
                pieces.map { piece in
                    switch piece {
                    case .text(let content): .text(content)
                    case .value(let value): .expression(value.spelled)
                    }
                })
        case .number(let digits, let isNegative):
            if isNegative { text += "-" }
            text += digits
        case .bool(let isTrue): text += isTrue ? "true" : "false"
        case .null: text += "nil"
        case .nothing: text += "()"
        case .array(let elements):
            text += "["
            add(elements.map { Argument($0) })
            text += "]"
        case .rows(let elements):
            if elements.isEmpty {
                text += "[]"
                return
            }
            text += "[\n"
            add(elements.map { Argument($0) }, separator: ",\n")
            text += elements.count == 1 ? "\n]" : ",\n]"
        case .emptyDictionary: text += "[:]"
        default: break
        }
    }

    // MARK: Precedence

    private static func binding(of expression: Expression) -> Binding {
        switch expression {
        case .conditional: .conditional
        case .binary(_, let sign, _): binding(of: sign)
        case .range: .range
        case .reference, .not: .prefix
        case .number(_, let isNegative): isNegative ? .prefix : .postfix
        case .path(_, let steps): steps.contains(where: \.isAfterOptional) ? .chain : .postfix
        case .name, .parameter, .type, .member, .implicit, .function, .call, .trailing, .closure, .string,
            .interpolated, .bool, .null, .nothing, .array, .rows, .emptyDictionary:
            .postfix
        }
    }

    private static func binding(of sign: Expression.Operator) -> Binding {
        switch sign {
        case .equals: .comparison
        case .coalescing: .coalescing
        case .plus: .addition
        }
    }
}

extension SwiftType {
    var spelled: String {
        if case .named(let name) = self { return name }
        return SwiftSpelling.text { $0.add(self) }
    }
}

extension Expression {
    var spelled: String {
        if case .name(let name) = self { return name }
        return SwiftSpelling.text { $0.add(self) }
    }
}

extension [Argument] {
    var spelled: String { spelled(separator: ", ") }

    func spelled(separator: String) -> String {
        SwiftSpelling.text { $0.add(self, separator: separator) }
    }
}

/// The names of templates whose values are types, expressions or parts of them.
extension Tag {
    static func type(_ name: String, _ read: @escaping @Sendable (Input) -> SwiftType) -> Tag {
        .text(name) { read($0).spelled }
    }

    static func optionalType(_ name: String, _ read: @escaping @Sendable (Input) -> SwiftType?) -> Tag {
        .optionalText(name) { read($0)?.spelled }
    }

    /// Types with commas between.
    static func types(_ name: String, _ read: @escaping @Sendable (Input) -> [SwiftType]) -> Tag {
        .text(name) { read($0).map { Argument(.type($0)) }.spelled }
    }

    static func expression(_ name: String, _ read: @escaping @Sendable (Input) -> Expression) -> Tag {
        .text(name) { read($0).spelled }
    }

    static func optionalExpression(_ name: String, _ read: @escaping @Sendable (Input) -> Expression?) -> Tag {
        .optionalText(name) { read($0)?.spelled }
    }

    static func parameters(_ name: String, _ read: @escaping @Sendable (Input) -> [ClientInput.Parameter]) -> Tag {
        .text(name) { input in SwiftSpelling.text { $0.add(read(input)) } }
    }

    /// Arguments with commas between, on one line or each on its own.
    static func arguments(
        _ name: String, areLines: Bool = false, _ read: @escaping @Sendable (Input) -> [Argument]
    ) -> Tag {
        .text(name) { read($0).spelled(separator: areLines ? ",\n" : ", ") }
    }
}
