extension Command {
    /// Reads a response from the body of an answer with status 200, through the envelope, the decision table and the
    /// payload as for every answer, and without a request. Benchmarks measure by it what parsing alone costs.
    ///
    /// - Returns: nil where the answer is no success.
    /// - Throws: the first fault in the payload.
    @_spi(Measuring)
    public static func response(readFrom body: [UInt8]) throws(JSONFault) -> Response? {
        let parts = EnvelopeParts(of: body, endpoint)
        let answer = Answer(status: 200, code: parts.code, body: body)
        guard endpoint.classify(answer) == .unmatched, endpoint.envelope.succeeds(status: 200, parts) else { return nil }
        return try Payload(body: body, parts, endpoint, isSuccess: true).scan(load).value
    }
}
