import ContractModel

/// The expressions that turn values into what a path, a query, a header or a form carries.
enum TextExpressions {
    /// An expression of a type that the runtime takes as a request's value.
    static func value(_ expression: String, of shape: Shape) -> String {
        switch shape {
        case .enumeration: expression + ".rawValue"
        // A number if the value is in a JSON body. For a common parameter, only the runtime knows this.
        case .primitive(.timestampUnix): "UnixTimestamp(\(expression))"
        case .primitive(.timestampMilliseconds): "MillisecondTimestamp(\(expression))"
        // A date without a text never gets this far: `validate` refuses it.
        case .primitive, .instant: dateText(expression, of: shape).map { "\($0) ?? \"\"" } ?? expression
        default: expression
        }
    }

    /// The condition under which an instant, or one in a list, has no text; `nil` for other types.
    static func dateProblem(_ expression: String, of shape: Shape) -> String? {
        switch shape {
        case .primitive, .instant: dateText(expression, of: shape).map { "\($0) == nil" }
        case .list(let element): dateProblem("$0", of: element).map { "\(expression).contains(where: { \($0) })" }
        default: nil
        }
    }

    /// The arguments that name the spelling of an instant.
    static func arguments(_ format: TimestampFormat) -> String {
        let pattern = SwiftLiteral.string(format.pattern)
        return format.offset == 0 ? pattern : "\(pattern), offset: \(SwiftLiteral.number(format.offset))"
    }

    private static func dateText(_ expression: String, of shape: Shape) -> String? {
        switch shape {
        case .primitive(.timestamp): "JSONText.timestamp(\(expression))"
        case .primitive(.timestampUnix): "JSONText.unixTimestamp(\(expression))"
        case .primitive(.timestampMilliseconds): "JSONText.millisecondTimestamp(\(expression))"
        case .instant(let format): "JSONText.timestamp(\(expression), \(arguments(format)))"
        default: nil
        }
    }
}
