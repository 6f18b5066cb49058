/// The parts of one envelope, as an `EnvelopeDescription` finds them.
///
/// If the envelope is known to be a success before its payload comes, the payload is read on the way, so the body is read once.
/// If the code comes late, the payload is only marked, validated and skipped, and read afterwards. Reading on the way decides
/// nothing: the decision table is asked when all parts are known, and the read payload is dropped if the table decides
/// otherwise.
struct EnvelopeParts {
    /// Whether an error is there that is not null.
    var hasError = false
    /// Whether the next value is inside an element of a list, which contains no payload.
    var isInElement = false
    private(set) var code = ""
    private(set) var message: String?
    private(set) var data: JSONMark?
    /// The end of the document, from which nothing is left to read.
    private(set) var end: JSONMark?
    /// Why the body could not be scanned; nil if it is JSON.
    private(set) var fault: JSONError?
    /// The elements that were left out of the payload that was read on the way.
    private(set) var skipped = SkippedElements()
    private let early: EarlyReading?

    init(early: EarlyReading? = nil) { self.early = early }

    /// Notes the place of the payload, and reads or skips it.
    mutating func markData(_ reader: inout JSONReader) {
        guard !isInElement else { return reader.skipValue() }
        let isFirst = data == nil
        data = reader.mark()
        // The last of several payloads counts, and elements that were skipped in the first one don't.
        guard isFirst, let early, early.envelope.saysSuccess(self) else {
            early?.payload.forget()
            return reader.skipValue()
        }
        early.load(&reader)
    }

    /// Reads the code: a string, a number or a bool, as text. Anything else is ignored.
    mutating func readCode(_ reader: inout JSONReader) {
        code = Self.readScalar(&reader) ?? ""
    }

    /// Reads the message: a scalar as text, or those of a list, each in a line of its own.
    mutating func readMessage(_ reader: inout JSONReader) {
        guard reader.peekKind() == .array else {
            message = Self.readText(&reader)
            return
        }
        var lines: [String] = []
        var elements = reader.beginArray()
        while reader.nextElement(&elements) {
            if let line = Self.readText(&reader) { lines.append(line) }
        }
        message = lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// Reads what may be shown to people; nil for text without a visible character.
    private static func readText(_ reader: inout JSONReader) -> String? {
        guard let text = readScalar(&reader), text.contains(where: { !$0.isWhitespace }) else { return nil }
        return text
    }

    private static func readScalar(_ reader: inout JSONReader) -> String? {
        switch reader.peekKind() {
        case .string, .number, .bool: return reader.readLenientString()
        default:
            reader.skipValue()
            return nil
        }
    }

    /// Scans the body of a response. A document in XML that could not be translated leaves all parts empty.
    init(of response: TransportResponse, _ endpoint: EndpointDescription, early payload: (any EarlyPayload)? = nil) {
        if let fault = response.document?.fault {
            self.init()
            self.fault = fault
        } else {
            self.init(of: response.body, endpoint, early: payload)
        }
    }

    /// Scans a body. One that isn't JSON leaves all parts empty.
    ///
    /// - Parameter early: takes the payload of what may be a success; nil to read it later or never.
    init(of body: [UInt8], _ endpoint: EndpointDescription, early payload: (any EarlyPayload)? = nil) {
        self.init()
        guard let root = endpoint.envelope.root else { return }
        let early = payload.map { EarlyReading(endpoint, $0) }
        do {
            let service = endpoint.service
            let result = try JSON.scanReportingSkipped(
                body, sensitive: service.sensitive, declared: service.declaredKeys
            ) { reader in
                var parts = EnvelopeParts(early: early)
                if reader.peekKind() == .object { root.readObject(&reader, &parts) } else { reader.skipValue() }
                parts.end = reader.mark()
                return parts
            }
            self = result.value
            skipped = result.skipped
        } catch {
            fault = error
        }
    }
}

/// The reading of a payload while the envelope around it is scanned.
struct EarlyReading {
    let envelope: EnvelopeDescription
    private let isList: Bool
    let payload: any EarlyPayload

    init(_ endpoint: EndpointDescription, _ payload: any EarlyPayload) {
        envelope = endpoint.envelope
        isList = endpoint.isList && envelope.list != nil
        self.payload = payload
    }

    /// Reads the payload from the value that is next, which is consumed. If it does not fit, reading it again afterwards tells
    /// why.
    func load(_ reader: inout JSONReader) {
        if !isList || reader.peekKind() == .array {
            _ = payload.load(from: &reader)
        } else if let path = envelope.listInData {
            _ = reader.readInside(path) { payload.load(from: &$0) ? true : nil }
        } else {
            reader.skipValue()
        }
    }
}
