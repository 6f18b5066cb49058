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
        var value: Value?
        let skipped = try read { reader in
            value = load(&reader)
            return value != nil
        }
        guard let value else { throw JSONError(code: .noValue, byteOffset: 0) }
        return (value, skipped)
    }

    /// Reads the payload with a function that keeps the value itself, and says whether it has one.
    func read(_ load: (inout JSONReader) -> Bool) throws(JSONError) -> SkippedElements {
        switch place {
        case .whole: return try JSON.read(body, sensitive: sensitive, declared: declared, load)
        case .missing:
            do {
                return try JSON.read(Self.null, load)
            } catch {
                // An empty body is reported as empty, not as a null that the server did not send.
                guard body.isEmpty else { throw error }
                return try JSON.read(body, sensitive: sensitive, declared: declared, load)
            }
        case .marked(let data, let end):
            return try JSON.read(body, sensitive: sensitive, declared: declared) { reader in
                reader.rewind(to: data)
                guard load(&reader), !reader.isFaulted else { return false }
                reader.rewind(to: end)
                return true
            }
        case .list(let data, let path, let end):
            return try JSON.read(body, sensitive: sensitive, declared: declared) { reader in
                reader.rewind(to: data)
                var hasValue = reader.peekKind() != .array && Self.read(at: path, &reader, load)
                if !hasValue, !reader.isFaulted { hasValue = load(&reader) }
                guard hasValue, !reader.isFaulted else { return false }
                reader.rewind(to: end)
                return true
            }
        case .path(let path, let data, let end):
            return try JSON.read(body, sensitive: sensitive, declared: declared) { reader in
                if Self.read(at: path, &reader, load) {
                    reader.skipValue()
                    return true
                }
                guard !reader.isFaulted, let data, let end else { return false }
                reader.rewind(to: data)
                guard load(&reader), !reader.isFaulted else { return false }
                reader.rewind(to: end)
                return true
            }
        }
    }

    private static func read(
        at path: JSONPath, _ reader: inout JSONReader, _ load: (inout JSONReader) -> Bool
    ) -> Bool {
        reader.read(at: path) { reader -> Void? in load(&reader) ? () : nil } != nil
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
