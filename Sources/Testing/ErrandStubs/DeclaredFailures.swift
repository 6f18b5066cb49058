public import ErrandRuntime

extension FailureContext {
    /// The context of a stub's error. The runtime fills in what the contract says about the error.
    public static var declared: FailureContext { declared() }

    /// The context of a stub's error, with the server's further data.
    ///
    /// - Parameter message: the server's text for people, which is shown if the contract has none.
    public static func declared(
        message: String? = nil, status: Int? = nil, code: String? = nil, retryAfter: Duration? = nil
    ) -> FailureContext {
        FailureContext(name: "", status: status, code: code, serverMessage: message, retryAfter: retryAfter)
    }
}

extension FailureDetails {
    /// The details of a stub's error without data.
    public static var declared: FailureDetails { declared(nil) }

    /// The details of a stub's error: its data, and what the contract says about the error.
    public static func declared(_ data: Data?) -> FailureDetails {
        FailureDetails(data: data, context: .declared)
    }
}

extension Receipt {
    /// The receipt of a command whose effect a stub leaves unknown: the connection was lost before the response.
    public static var declared: Receipt { Receipt(cause: .declared) }
}
