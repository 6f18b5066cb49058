import ContractModel

/// The expressions that turn values into what a path, a query, a header or a form carries.
enum TextExpressions {
    /// An expression of a type that the runtime takes as a request's value.
    static func value(_ expression: Expression, of shape: Shape) -> Expression {
        conversion(expression, of: shape) ?? expression
    }

    /// The same; nil where the value is of such a type already.
    static func conversion(_ expression: Expression, of shape: Shape) -> Expression? {
        switch shape.written {
        case .enumeration: .member(expression, "rawValue")
        // A number if the value is in a JSON body. For a common parameter, only the runtime knows this.
        case .primitive(.timestampUnix): SwiftType.named("UnixTimestamp").make(expression)
        case .primitive(.timestampMilliseconds): SwiftType.named("MillisecondTimestamp").make(expression)
        case .primitive(.dateOrTimestamp): nil
        // A date without a text never gets this far: `validate` refuses it.
        case .primitive, .instant: dateText(expression, of: shape).map { $0.or(.string("")) }
        default: nil
        }
    }

    /// The condition under which an instant, or one in a list, has no text; `nil` for other types.
    static func dateProblem(_ expression: Expression, of shape: Shape) -> Expression? {
        switch shape {
        case .primitive, .instant: dateText(expression, of: shape).map { .binary($0, .equals, .null) }
        case .list(let element):
            dateProblem(.parameter(0), of: element).map {
                expression.method("contains", [Argument("where", .closure($0))])
            }
        default: nil
        }
    }

    /// The arguments that name the pattern of an instant that is written.
    static func pattern(of forms: [TimestampForm]) -> [Argument] {
        guard case .pattern(let format)? = forms.first else { return [] }
        return arguments(format)
    }

    /// The arguments that name the forms of an instant that is read: the pattern alone, or a list.
    static func forms(_ forms: [TimestampForm]) -> [Argument] {
        if forms.count == 1 { return pattern(of: forms) }
        return [
            Argument(
                .array(
                    forms.map { form in
                        guard case .pattern(let format) = form else { return .implicit(form.spelling) }
                        return .implicit("pattern", arguments(format))
                    }))
        ]
    }

    private static func arguments(_ format: TimestampFormat) -> [Argument] {
        let pattern = Argument(.string(format.pattern))
        return format.offset == 0 ? [pattern] : [pattern, Argument("offset", .integer(format.offset))]
    }

    private static func dateText(_ expression: Expression, of shape: Shape) -> Expression? {
        func text(_ function: String, _ more: [Argument] = []) -> Expression {
            SwiftType.named("JSONText").method(function, [Argument(expression)] + more)
        }
        return switch shape.written {
        case .primitive(.timestamp): text("timestamp")
        case .primitive(.timestampUnix): text("unixTimestamp")
        case .primitive(.timestampMilliseconds): text("millisecondTimestamp")
        case .primitive(.dateOrTimestamp): .member(expression, "text")
        case .instant(let forms): text("timestamp", pattern(of: forms))
        default: nil
        }
    }
}
