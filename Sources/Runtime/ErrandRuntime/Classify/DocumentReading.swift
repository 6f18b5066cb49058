import ErrandJSON

/// Responses in XML are translated before they are classified.
extension TransportResponse {
    /// The response with the JSON of its document, as the endpoint's success has it; itself if the endpoint expects no XML.
    package func translated(for endpoint: EndpointDescription) -> TransportResponse {
        guard let xml = endpoint.xml, let shape = xml.response, !body.isEmpty, document == nil else { return self }
        return translated(body, as: shape, xml)
    }

    /// The same with the data of the error or the outcome that the response was recognized as.
    func translated(for row: DecisionRow, _ endpoint: EndpointDescription) -> TransportResponse {
        guard let xml = endpoint.xml, let document, document.fault == nil, let shape = xml.data[row.verdict.name] else {
            return self
        }
        return translated(document.bytes, as: shape, xml)
    }

    private func translated(_ bytes: [UInt8], as shape: XMLShape, _ xml: XMLDescription) -> TransportResponse {
        var response = self
        do throws(JSONError) {
            response.body = try xml.translator.json(from: bytes, charset: charset, as: shape, xml.types)
            response.document = TranslatedDocument(bytes)
        } catch {
            response.body = bytes
            response.document = TranslatedDocument(bytes, fault: error)
        }
        return response
    }

    /// The encoding that the media type states (RFC 9110 section 8.3.2); nil without one.
    private var charset: String? {
        let parameters = (headers["Content-Type"] ?? "").split(separator: ";").dropFirst()
        let value = parameters.lazy.compactMap { HTTPHeaders.value(of: "charset", in: String($0)) }.first
        return value?.filter { $0 != "\"" }
    }
}
