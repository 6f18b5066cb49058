import ErrandRuntime

/// A simulated server works with JSON. Documents in XML are translated where they arrive, and where they leave.
extension TransportRequest {
    /// The request with the JSON of its document.
    var inJSON: TransportRequest {
        guard let xml = command?.endpoint.xml, let form = xml.body, let body else { return self }
        var request = self
        let json = try? xml.translator.json(from: body, charset: nil, as: form.shape, xml.types)
        request.body = json ?? body
        return request
    }
}

extension TransportResponse {
    /// The response as a document in XML, if the command expects one; itself if the body isn't JSON.
    func inXML(for request: TransportRequest) -> TransportResponse {
        guard let endpoint = request.command?.endpoint, let xml = endpoint.xml, let usual = xml.response else {
            return self
        }
        let row = Classifier.row(for: self, endpoint)
        let form = XMLBody(Self.element, row.flatMap { xml.data[$0.verdict.name] } ?? usual)
        guard let document = try? xml.translator.document(from: body, as: form, xml.types) else { return self }
        var response = self
        response.body = document
        response.headers.set("Content-Type", "application/xml")
        return response
    }

    /// A client reads a document whatever its element is called.
    private static let element = "response"
}
