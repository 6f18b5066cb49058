extension Payload {
    /// Finds the data of an error or an outcome.
    init(
        of response: TransportResponse, _ parts: borrowing EnvelopeParts, _ row: DecisionRow,
        _ endpoint: EndpointDescription
    ) {
        guard response.document != nil else {
            self.init(body: response.body, parts, endpoint, isSuccess: false)
            return
        }
        // The data has another shape than a success, and its translation other places.
        let translated = response.translated(for: row, endpoint)
        self.init(body: translated.body, EnvelopeParts(of: translated, endpoint), endpoint, isSuccess: false)
    }

    /// Finds the payload of a response.
    ///
    /// - Parameter isSuccess: whether the payload is the endpoint's response. If the response is a list, the data of an error
    ///   or an outcome isn't one.
    init(
        body: [UInt8], _ parts: borrowing EnvelopeParts, _ endpoint: EndpointDescription,
        isSuccess: Bool
    ) {
        let envelope = endpoint.envelope
        let place: Place
        if body.isEmpty {
            // A 204 response (RFC 9110 section 15.3.5) cannot carry an envelope.
            place = .missing
        } else if envelope.data == nil {
            place = .whole
        } else if let data = parts.data, let end = parts.end {
            place = .marked(data, end: end)
        } else {
            place = parts.fault == nil ? .missing : .whole
        }
        let sensitive = endpoint.service.sensitive
        // Only a simulated server reads the faults of other data, and it needs the whole path.
        let declared = isSuccess ? endpoint.service.declaredKeys : nil
        self.init(body, place, sensitive, declared)
        guard isSuccess, endpoint.isList, !body.isEmpty, let list = envelope.listPath else { return }
        if let inside = envelope.listInData, case .marked(let data, let end) = place {
            self.init(body, .list(data, inside: inside, end: end), sensitive, declared)
        } else if !isArray {
            self.init(body, .path(list, otherwise: parts.data, end: parts.end), sensitive, declared)
        }
    }

    /// Whether the value itself is an array.
    private var isArray: Bool {
        let kind = try? scan { reader -> JSONKind? in
            let kind = reader.peekKind()
            reader.skipValue()
            return kind
        }
        return kind?.value == .array
    }
}
