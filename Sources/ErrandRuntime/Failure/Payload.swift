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
        /// One value of the payload, and the end of the document.
        case marked(JSONMark, end: JSONMark)
        /// The same, where a list may also be at a path inside that value.
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
    ) throws(JSONError) -> (value: Value, skipped: SkippedElements) {
        switch place {
        case .whole: return try JSON.scanReportingSkipped(body, sensitive: sensitive, declared: declared, load)
        case .missing:
            do {
                return try JSON.scanReportingSkipped(Self.null, load)
            } catch {
                // An empty body is reported as empty, not as a null that the server did not send.
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

    /// The payload of a response without one.
    static let nothing = Payload([], .missing, [], nil)

    init(_ body: [UInt8], _ place: Place, _ sensitive: Set<String>, _ declared: Set<String>?) {
        self.body = body
        self.place = place
        self.sensitive = sensitive
        self.declared = declared
    }
}
