extension Command {
    /// Reads a response from the body of an answer with status 200, as every answer is read, and without a request.
    /// Benchmarks measure by it what parsing alone costs.
    ///
    /// - Returns: nil if the answer isn't a success.
    /// - Throws: the first fault in the payload.
    @_spi(Measuring)
    public static func response(readFrom body: [UInt8]) throws(JSONFault) -> Response? {
        let inbox = ResponseInbox<Self>()
        var account = AttemptAccount(service: endpoint.service.name, endpoint: endpoint.name, method: endpoint.method)
        let answer = TransportResponse(status: 200, body: body)
        switch Classifier.classify(answer, endpoint, ResponseRedactor(nil), &account, into: inbox) {
        case .success, .outcome: return inbox.response
        case .builtIn(_, let fault?): throw fault
        case .builtIn, .declared: return nil
        }
    }
}
