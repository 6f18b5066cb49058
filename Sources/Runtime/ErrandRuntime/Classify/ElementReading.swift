import ErrandJSON

extension Classifier {
    /// Classifies one element of a stream like a whole response, and reads it.
    ///
    /// The caller keeps the value. Nothing of this is generic, because a stream may have many small elements, and the Swift runtime looks
    /// up a generic type each time that it is used.
    ///
    /// - Parameter load: reads the element, and says whether there is one.
    @inline(never)
    static func readElement(
        _ response: TransportResponse, _ endpoint: EndpointDescription, _ redactor: ResponseRedactor,
        _ summary: inout AttemptSummary, with load: (inout JSONReader) -> Bool
    ) throws(ClassifiedError) {
        let success = try classify(response, endpoint, redactor, &summary, isElement: true)
        guard case .json = success.content else {
            // No outcome is an element.
            summary.keep(response, endpoint.service, redactor)
            throw .builtIn(.malformed, nil)
        }
        do throws(JSONError) {
            _ = try Payload(body: response.body, success.envelope, endpoint, isSuccess: true).read(load)
        } catch {
            throw unreadable(
                error, success.envelope, of: response, endpoint: endpoint, redactor, &summary, isElement: true)
        }
    }
}
