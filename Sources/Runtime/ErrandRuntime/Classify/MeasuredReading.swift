extension Command {
    /// Reads a response from a body with status 200 in the same way as any response, and without a request. Benchmarks measure
    /// the cost of parsing alone with it.
    ///
    /// - Returns: nil if the response isn't a success.
    /// - Throws: the first fault in the payload.
    @_spi(Measuring)
    public static func response(readFrom body: [UInt8]) throws(JSONError) -> Response? {
        var summary = AttemptSummary(service: endpoint.service.name, endpoint: endpoint.name, method: endpoint.method)
        let answer = TransportResponse(status: 200, body: body)
        do throws(ClassifiedError) {
            return try Classifier.read(
                answer, endpoint, ResponseRedactor(nil), &summary, with: CommandReader<Self>()
            ).value
        } catch {
            if case .builtIn(_, let fault?) = error { throw fault }
            return nil
        }
    }
}
