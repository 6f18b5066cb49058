import ErrandRuntime

/// Everything that printing a value could bring to light.
enum Printed {
    static func everything(of value: some Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        var text = "\(value)\n\(String(reflecting: value))\n\(dumped)\n"
        for child in Mirror(reflecting: value).children { text += "\(child.label ?? "")=\(child.value)\n" }
        if let error = value as? any Error {
            text += "\(error.localizedDescription)\n"
            for child in Mirror(reflecting: error as any Error).children { text += "\(child)\n" }
        }
        if let failure = value as? any CommandFailure { text += everything(of: failure.context) }
        if let context = value as? FailureContext { text += parts(of: context) }
        return text
    }

    /// The parts that an app would put into its log, one by one.
    private static func parts(of context: FailureContext) -> String {
        var text = "\(context.url)\n\(context.message)\n\(context.serverMessage ?? "")\n\(context.code ?? "")\n"
        for field in context.brokenFields { text += everything(of: field) }
        if let fault = context.decodingError { text += everything(of: fault) }
        if let underlying = context.underlying {
            text += everything(of: underlying)
            if let fault = underlying as? TransportFault, let cause = fault.underlying { text += everything(of: cause) }
        }
        return text
    }
}
