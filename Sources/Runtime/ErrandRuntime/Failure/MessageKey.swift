/// The keys of the texts for people.
enum MessageKey {
    /// The key of an outcome, which isn't a failure and has no text.
    static let none = ""

    /// An error of a contract: `Bank.insufficientFunds`.
    static func declared(_ name: String, in service: ServiceDescription) -> String { "\(service.name).\(name)" }

    /// A built-in error: `errand.offline`.
    static func builtIn(_ kind: CommandFault.Kind) -> String { "errand.\(kind.rawValue)" }

    /// A built-in error, which the contract may have given a text of its own. Another text is another key.
    static func of(
        _ kind: CommandFault.Kind, _ redeclaration: ErrorDescription?, in service: ServiceDescription
    ) -> String {
        redeclaration?.message == nil ? builtIn(kind) : declared(kind.rawValue, in: service)
    }

    /// An error that the app has raised: `raised.DatabaseError`.
    static func raised(_ type: String) -> String { "raised.\(type)" }

    /// The key of a failure that an app made for a test.
    static func guess(_ name: String, service: String) -> String {
        if let kind = CommandFault.Kind(rawValue: name) { return builtIn(kind) }
        return service.isEmpty ? name : "\(service).\(name)"
    }
}

extension FailureContext {
    /// The text for people on one line, with what a developer wants to see beside it: `There is not enough money in this summary.
    /// [Bank.insufficientFunds, status 422, code 900005]`. In builds for release (without `DEBUG`) it is `message`
    /// alone, so that a screen may always show it.
    public var technicalMessage: String {
        #if DEBUG
        technicalMessage(isDebugging: true)
        #else
        technicalMessage(isDebugging: false)
        #endif
    }

    func technicalMessage(isDebugging: Bool) -> String {
        guard isDebugging else { return message }
        var facts = [service.isEmpty ? name : "\(service).\(name)"]
        if let status { facts.append("status \(status)") }
        if let code, !code.isEmpty { facts.append("code \(PrintedText.cut(code, to: PrintedText.limit))") }
        return PrintedText.line((message.isEmpty ? "" : message + " ") + "[\(facts.joined(separator: ", "))]")
    }
}
