import ErrandSemantics

extension CloseCode {
    /// The code that says on a connection what a status says over HTTP: the first one that the contract's own rows leave alone.
    package static func saying(_ status: Int, in table: DecisionTable) -> CloseCode {
        let codes: [CloseCode] =
            switch status {
            case 401: [.unauthorized]
            case 403: [.forbidden, .policyViolation]
            case 408, 504: [.timeout]
            case 502: [.badGateway, .tryAgainLater, .restart]
            case 429, 503: [.tryAgainLater, .restart, .badGateway]
            case 500...: [.internalError]
            default: [.policyViolation, .invalidPayload]
            }
        return codes.first { table.row(close: $0) == nil } ?? codes[0]
    }
}
