import ContractModel

/// The expressions that turn values into what a path, a query, a header or a form carries.
enum TextExpressions {
    /// An expression of a type that the runtime takes as a request's value.
    static func value(_ expression: String, of shape: Shape) -> String {
        switch shape {
        case .enumeration: expression + ".rawValue"
        // Numbers where the value is in a JSON body, which only the runtime knows of a common parameter.
        case .primitive(.timestampUnix): "UnixTimestamp(\(expression))"
        case .primitive(.timestampMilliseconds): "MillisecondTimestamp(\(expression))"
        // A date without a text never gets this far: `validate` refuses it.
        case .primitive(let primitive): dateFunction(primitive).map { "\($0)(\(expression)) ?? \"\"" } ?? expression
        default: expression
        }
    }

    /// The condition under which an instant, or one of a list, has no text; `nil` for other types.
    static func dateProblem(_ expression: String, of shape: Shape) -> String? {
        switch shape {
        case .primitive(let primitive): dateFunction(primitive).map { "\($0)(\(expression)) == nil" }
        case .list(let element): dateProblem("$0", of: element).map { "\(expression).contains(where: { \($0) })" }
        default: nil
        }
    }

    private static func dateFunction(_ primitive: Primitive) -> String? {
        switch primitive {
        case .timestamp: "JSONText.timestamp"
        case .timestampUnix: "JSONText.unixTimestamp"
        case .timestampMilliseconds: "JSONText.millisecondTimestamp"
        default: nil
        }
    }
}
