/// Where in a body the payload is.
struct Payload: Sendable {
    let body: [UInt8]
    let place: Place
    /// The keys under which no value may appear in a fault, and the only ones that may appear themselves.
    let sensitive: Set<String>
    let declared: Set<String>?

    enum Place: Sendable {
        /// The whole body.
        case whole
        /// One value of it, and where the document ends.
        case marked(JSONMark, end: JSONMark)
        /// The same, where a list may also stand at a path inside that value.
        case list(JSONMark, inside: JSONPath, end: JSONMark)
        /// A value at a path of it; where nothing is there, what the envelope has marked, which then
        /// says by its own fault where it is not the list.
        case path(JSONPath, otherwise: JSONMark?, end: JSONMark?)
        /// The envelope is there, the payload is not.
        case missing
    }

    /// Reads the payload with one of the command's functions.
    func scan<Value>(
        _ load: (inout JSONReader) -> Value?
    ) throws(JSONFault) -> (value: Value, skipped: SkippedElements) {
        switch place {
        case .whole: return try JSON.scanReportingSkipped(body, sensitive: sensitive, declared: declared, load)
        case .missing:
            do {
                return try JSON.scanReportingSkipped(Self.null, load)
            } catch {
                // Nothing at all is told as that, and not as a null that nobody sent.
                guard body.isEmpty else { throw error }
                return try JSON.scanReportingSkipped(body, sensitive: sensitive, declared: declared, load)
            }
        case .marked(let data, let end):
            return try JSON.scanReportingSkipped(body, sensitive: sensitive, declared: declared) { reader in
                reader.rewind(to: data)
                guard let value = load(&reader), !reader.isFaulted else { return nil }
                reader.rewind(to: end)
                return value
            }
        case .list(let data, let path, let end):
            return try JSON.scanReportingSkipped(body, sensitive: sensitive, declared: declared) { reader in
                reader.rewind(to: data)
                var value = reader.peekKind() == .array ? nil : reader.read(at: path, load)
                if value == nil, !reader.isFaulted { value = load(&reader) }
                guard let value, !reader.isFaulted else { return nil }
                reader.rewind(to: end)
                return value
            }
        case .path(let path, let data, let end):
            return try JSON.scanReportingSkipped(body, sensitive: sensitive, declared: declared) { reader in
                if let value = reader.read(at: path, load) {
                    reader.skipValue()
                    return value
                }
                guard !reader.isFaulted, let data, let end else { return nil }
                reader.rewind(to: data)
                guard let value = load(&reader), !reader.isFaulted else { return nil }
                reader.rewind(to: end)
                return value
            }
        }
    }

    private static let null = Array("null".utf8)

    /// The payload of an answer without one.
    static let nothing = Payload([], .missing, [], nil)

    /// Finds the payload of an answer.
    ///
    /// - Parameter isSuccess: whether it is the endpoint's response. The data of an error or an
    ///   outcome is no list because the response is one.
    init(
        body: [UInt8], _ parts: borrowing EnvelopeParts, _ endpoint: EndpointDescription,
        isSuccess: Bool
    ) {
        let envelope = endpoint.envelope
        let place: Place
        if body.isEmpty {
            // 204 (RFC 9110 section 15.3.5) has no room for an envelope either.
            place = .missing
        } else if envelope.data == nil {
            place = .whole
        } else if let data = parts.data, let end = parts.end {
            place = .marked(data, end: end)
        } else {
            place = parts.fault == nil ? .missing : .whole
        }
        let sensitive = endpoint.service.sensitive
        // The faults of other data are told to nobody but who makes up answers, and must find the place.
        let declared = isSuccess ? endpoint.service.declaredKeys : nil
        self.init(body, place, sensitive, declared)
        guard isSuccess, endpoint.isList, !body.isEmpty, let list = envelope.listPath else { return }
        if let inside = envelope.listInData, case .marked(let data, let end) = place {
            self.init(body, .list(data, inside: inside, end: end), sensitive, declared)
        } else if !isArray {
            self.init(body, .path(list, otherwise: parts.data, end: parts.end), sensitive, declared)
        }
    }

    private init(_ body: [UInt8], _ place: Place, _ sensitive: Set<String>, _ declared: Set<String>?) {
        self.body = body
        self.place = place
        self.sensitive = sensitive
        self.declared = declared
    }

    /// Whether the value is an array, as it stands.
    private var isArray: Bool {
        let kind = try? scan { reader -> JSONKind? in
            let kind = reader.peekKind()
            reader.skipValue()
            return kind
        }
        return kind?.value == .array
    }
}
