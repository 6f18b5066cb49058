/// Makes text of types and expressions, with the parentheses that the tree needs: the one place that spells them.
///
/// It is code and no template, since a Mustache partial cannot be inside a line, and a line has many of these trees.
struct SwiftPrinter {
    /// Literals of fewer bytes stay on their line.
    private static let shortLiteral = 40

    private(set) var layout = Layout()

    static func layout(_ add: (inout SwiftPrinter) -> Void) -> Layout {
        var spelling = SwiftPrinter()
        add(&spelling)
        return spelling.layout
    }

    private mutating func add(_ text: String) { layout.add(text) }

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
        case .named(let name): add(name)
        case .nested(let outer, let name):
            add(outer)
            add(".")
            add(name)
        case .optional(let inner):
            add(inner)
            add("?")
        case .array(let element):
            add("[")
            add(element)
            add("]")
        case .dictionary(let key, let value):
            add("[")
            add(key)
            add(": ")
            add(value)
            add("]")
        case .generic(let name, let argument):
            add(name)
            add("<")
            add(argument)
            add(">")
        }
    }

    /// Types with commas between, each followed by a place where the line can end.
    mutating func add(_ types: [SwiftType]) {
        for (position, type) in types.enumerated() {
            if position > 0 {
                add(",")
                layout.add(.breakable(.space))
            }
            add(type)
        }
    }

    // MARK: Expressions

    mutating func add(_ expression: Expression) { add(expression, .conditional) }

    /// Arguments between parentheses that are already there: on one line, or each on its own.
    mutating func add(_ arguments: [Argument]) {
        addList(arguments) { $0.add($1) }
    }

    /// Arguments on a line each.
    mutating func addLines(_ arguments: [Argument]) {
        for (position, argument) in arguments.enumerated() {
            if position > 0 {
                add(",")
                layout.add(.newline)
            }
            add(argument)
        }
    }

    mutating func add(_ parameters: [ClientInput.Parameter]) {
        addList(parameters) { spelling, parameter in
            if let label = parameter.label {
                spelling.add(label)
                spelling.add(" ")
            }
            spelling.add(parameter.name)
            spelling.add(": ")
            spelling.add(parameter.type)
            if let value = parameter.value {
                spelling.add(" = ")
                spelling.add(value)
            }
        }
    }

    mutating func add(_ deprecation: DeprecationAttribute) {
        add("@available(")
        var arguments = [Argument(.name("*")), Argument(.name("deprecated"))]
        if let message = deprecation.message { arguments.append(Argument("message", .string(message))) }
        add(arguments)
        add(")")
    }

    /// The value of a declaration or an assignment, after the equals sign and with the space before it.
    mutating func addAssigned(_ value: Expression) {
        let group = layout.begin(.space)
        if case .conditional(let condition, let first, let second) = value {
            addConditional(condition, first, second, indents: false)
        } else {
            add(value)
        }
        layout.end(group)
    }

    private mutating func add(_ argument: Argument) {
        if let label = argument.label {
            add(label)
            add(": ")
        }
        addValue(argument.value, isLabeled: argument.label != nil)
    }

    /// An argument's value, or another one with only a name before it on its line. A wide literal becomes one of several lines.
    mutating func addValue(_ value: Expression, isLabeled: Bool) {
        switch value {
        case .string(let content) where content.utf8.count >= Self.shortLiteral:
            SwiftLiteral.add([.text(content)], isLabeled: isLabeled, to: &layout)
        case .interpolated(let pieces): SwiftLiteral.add(pieces.map(Self.literal), isLabeled: isLabeled, to: &layout)
        default: add(value)
        }
    }

    private mutating func addList<Element>(_ elements: [Element], _ add: (inout SwiftPrinter, Element) -> Void) {
        let group = layout.begin(.cut)
        for (position, element) in elements.enumerated() {
            if position > 0 {
                self.add(",")
                layout.add(.breakable(.space))
            }
            add(&self, element)
        }
        layout.end(group, .cut)
    }

    /// The elements of an array, or the values of a dictionary beside their keys. Short elements are as many on a line as fit.
    private mutating func addElements(_ elements: [Expression], keys: [String]? = nil) {
        let areStrings = keys == nil && elements.allSatisfy { if case .string = $0 { true } else { false } }
        let group = layout.begin(.cut)
        for (position, element) in elements.enumerated() {
            if position > 0 {
                add(",")
                layout.add(.breakable(areStrings ? .filledSpace : .space))
            }
            if let keys {
                add(.string(keys[position]))
                add(": ")
            }
            add(element)
        }
        layout.end(group, elements.count > 1 ? .trailingComma : .cut)
    }

    /// The elements of an array, on a line each.
    private mutating func addRows(_ elements: [Expression]) {
        if elements.isEmpty { return }
        layout.add(.indent)
        layout.add(.newline)
        addLines(elements.map { Argument($0) })
        if elements.count > 1 { add(",") }
        layout.add(.outdent)
        layout.add(.newline)
    }

    private mutating func addConditional(
        _ condition: Expression, _ first: Expression, _ second: Expression, indents: Bool
    ) {
        add(condition, .comparison)
        if indents { layout.add(.indent) }
        layout.add(.breakable(.space))
        add("? ")
        add(first)
        layout.add(.breakable(.space))
        add(": ")
        add(second)
        if indents { layout.add(.outdent) }
    }

    private static func literal(_ piece: Expression.Piece) -> SwiftLiteral.Piece {
        switch piece {
        case .text(let content): .text(content)
        case .value(let value): .expression(value.spelled)
        }
    }

    private mutating func add(_ expression: Expression, _ least: Binding) {
        let needsParentheses = Self.binding(of: expression).rawValue < least.rawValue
        if needsParentheses { add("(") }
        switch expression {
        case .name(let name): add(name)
        case .parameter(let number): add("$\(number)")
        case .type(let type): add(type)
        case .member(let base, let name):
            add(base, .postfix)
            add(".")
            add(name)
        case .implicit(let name):
            add(".")
            add(name)
        case .path(let base, let steps):
            add(base, .postfix)
            for step in steps {
                add(step.isAfterOptional ? "?." : ".")
                add(step.property)
            }
        case .function(let name, let labels):
            add(name, .postfix)
            add("(")
            for label in labels {
                add(label)
                add(":")
            }
            add(")")
        case .call(let function, let arguments):
            add(function, .postfix)
            add("(")
            add(arguments)
            add(")")
        case .trailing(let call, let closure):
            add(call, .postfix)
            add(" ")
            add(.closure(closure))
        case .closure(let body):
            add("{")
            let group = layout.begin(.space)
            add(body)
            layout.end(group, .space)
            add("}")
        case .reference(let variable):
            add("&")
            add(variable, .chain)
        case .not(let condition):
            add("!")
            add(condition, .chain)
        case .binary, .range, .conditional: addOperation(expression)
        case .string, .interpolated, .number, .bool, .null, .nothing, .array, .rows, .emptyDictionary, .dictionary:
            addLiteral(expression)
        }
        if needsParentheses { add(")") }
    }

    private mutating func addOperation(_ expression: Expression) {
        switch expression {
        case .binary(let left, let sign, let right):
            let binding = Self.binding(of: sign)
            add(left, sign == .plus ? binding : binding.above)
            add(" ")
            add(sign.rawValue)
            add(" ")
            add(right, sign == .coalescing ? binding : binding.above)
        case .range(let lower, let upper):
            // Its operands touch it, and would run together with an operator of their own.
            if let lower { add(lower, .postfix) }
            add("...")
            if let upper { add(upper, .postfix) }
        case .conditional(let condition, let first, let second):
            layout.add(.open(.usual))
            addConditional(condition, first, second, indents: true)
            layout.add(.close)
        default: break
        }
    }

    private mutating func addLiteral(_ expression: Expression) {
        switch expression {
        case .string(let content): add(SwiftLiteral.string(content))
        case .interpolated(let pieces): add(SwiftLiteral.interpolated(pieces.map(Self.literal)))
        case .number(let digits, let isNegative):
            if isNegative { add("-") }
            add(digits)
        case .bool(let isTrue): add(isTrue ? "true" : "false")
        case .null: add("nil")
        case .nothing: add("()")
        case .array(let elements):
            add("[")
            addElements(elements)
            add("]")
        case .rows(let elements):
            add("[")
            addRows(elements)
            add("]")
        case .emptyDictionary: add("[:]")
        case .dictionary(let entries):
            add("[")
            addElements(entries.map(\.value), keys: entries.map(\.key))
            add("]")
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
            .interpolated, .bool, .null, .nothing, .array, .rows, .emptyDictionary, .dictionary:
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
        return SwiftPrinter.layout { $0.add(self) }.flat
    }
}

extension Expression {
    var layout: Layout { SwiftPrinter.layout { $0.add(self) } }
    /// The text on one line.
    var spelled: String {
        if case .name(let name) = self { return name }
        return layout.flat
    }
}
