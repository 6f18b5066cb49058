/// What a request is, as far as it decides what a failure proves about it.
package struct RequestKind: Sendable, Hashable {
    package let effect: Effect
    /// In capital letters. That of a frame is POST.
    package let method: String

    package init(_ effect: Effect, method: String) {
        self.effect = effect
        self.method = method
    }

    /// The statuses that can be the request's own echo.
    ///
    /// A gateway may send a DELETE or a PUT to the server a second time by itself (RFC 9110 section 9.2.2), if the connection ends
    /// before the first response. Then the client gets the response to the second delivery, also for its first attempt. These are the
    /// statuses by which a server says that the effect is there already. A server with an idempotency key repeats its first response.
    package var echoStatuses: [Int] {
        guard effect == .idempotent || effect == .once else { return [] }
        return switch method {
        case "DELETE": [404, 410, 412]
        case "PUT": [405, 409, 412]
        default: []
        }
    }
}

/// Whether a request that fails with an error of a contract may have been carried out. It depends on the response, and not on the
/// error alone.
package struct AppliedRule: Sendable, Hashable {
    /// What the contract says; nil if it leaves that to the response.
    package let declared: Applied?
    /// What the condition names that recognizes the error.
    package let namesStatus: Bool
    package let namesCode: Bool
    package let namesBody: Bool

    package init(declared: Applied?, namesStatus: Bool, namesCode: Bool, namesBody: Bool) {
        self.declared = declared
        self.namesStatus = namesStatus
        self.namesCode = namesCode
        self.namesBody = namesBody
    }

    /// - Parameter status: that of the response; nil without a response.
    package func applied(status: Int?, to request: RequestKind) -> Applied {
        if let declared { return declared }
        guard namesCode || namesStatus else { return .maybe }
        guard let status else { return namesCode ? .never : .maybe }
        if request.echoStatuses.contains(status) { return .maybe }
        // A code is a word of the service itself, which it has read the request for.
        if namesCode { return .never }
        return switch status {
        // A gateway can send these after it has passed the request on. It does not know the service's own values in the body.
        case 408, 503: namesBody ? .never : .maybe
        case 400..<500: .never
        default: .maybe
        }
    }
}
