/// How a service wraps its payloads (`envelopes` in the contract).
public struct EnvelopeDescription: Sendable {
    /// Finds the envelope's parts in the body. Printed from the contract.
    public typealias Scan = @Sendable (inout JSONReader, inout EnvelopeParts) -> Void

    /// What tells a success, beside a 2xx status.
    public enum Success: Sendable {
        /// Nothing.
        case status
        /// That there is no error in the envelope.
        case withoutError
        /// That the code is one of these.
        case codes([String])
        /// Both.
        case codesWithoutError([String])
    }

    /// Where the payload is.
    public enum Payload: Sendable {
        /// Where `scan` calls `markData`.
        case marked
        /// It is the whole body.
        case body
    }

    let scan: Scan?
    let success: Success
    let payload: Payload
    let list: JSONPath?

    /// - Parameters:
    ///   - scan: finds the parts in the body.
    ///   - success: what tells a success.
    ///   - payload: `.body` for an envelope that has no `data`.
    ///   - list: where the payload is if it is a list, as a path of the whole body: `data.list`.
    ///     Where the value at `data` is an array itself, that one is taken.
    public init(
        scan: @escaping Scan, success: Success, payload: Payload = .marked, list: String? = nil
    ) {
        self.scan = scan
        self.success = success
        self.payload = payload
        self.list = list.map(JSONPath.init(dotted:))
    }

    private init() {
        scan = nil
        success = .status
        payload = .body
        list = nil
    }

    /// No envelope: the body is the payload, and the status tells a success.
    public static let none = EnvelopeDescription()

    /// Whether an answer is a success.
    func succeeds(status: Int, _ parts: EnvelopeParts) -> Bool {
        guard (200..<300).contains(status) else { return false }
        switch success {
        case .status: return true
        case .withoutError: return !parts.hasError
        case .codes(let codes): return codes.contains(parts.code)
        case .codesWithoutError(let codes): return !parts.hasError && codes.contains(parts.code)
        }
    }
}

/// The parts of one envelope, as `EnvelopeDescription.scan` finds them.
public struct EnvelopeParts {
    /// Whether an error is there that is not null.
    public var hasError = false
    private(set) var code = ""
    private(set) var message: String?
    private(set) var data: JSONMark?
    /// The end of the document, from which nothing is left to read.
    private(set) var end: JSONMark?
    /// Why the body could not be scanned; nil where it is JSON.
    private(set) var fault: JSONFault?

    init() {}

    /// Remembers where the payload is, and skips it.
    public mutating func markData(_ reader: inout JSONReader) {
        data = reader.mark()
        reader.skipValue()
    }

    /// Reads the code: a string, a number or a bool, as text. Anything else is none.
    public mutating func readCode(_ reader: inout JSONReader) {
        code = Self.readScalar(&reader) ?? ""
    }

    /// Reads the message: a scalar as text, or those of a list, each in a line of its own.
    public mutating func readMessage(_ reader: inout JSONReader) {
        guard reader.peekKind() == .array else {
            message = Self.readScalar(&reader)
            return
        }
        var lines: [String] = []
        var elements = reader.beginArray()
        while reader.nextElement(&elements) {
            if let line = Self.readScalar(&reader) { lines.append(line) }
        }
        message = lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    private static func readScalar(_ reader: inout JSONReader) -> String? {
        switch reader.peekKind() {
        case .string, .number, .bool: return reader.readLenientString()
        default:
            reader.skipValue()
            return nil
        }
    }

    /// Scans a body. One that is no JSON leaves all parts empty.
    init(of body: [UInt8], _ endpoint: EndpointDescription) {
        guard let scan = endpoint.envelope.scan else { return }
        do {
            self = try JSON.scan(body, sensitive: endpoint.service.sensitive) { reader in
                var parts = EnvelopeParts()
                if reader.peekKind() == .object { scan(&reader, &parts) } else { reader.skipValue() }
                parts.end = reader.mark()
                return parts
            }
        } catch {
            fault = error
        }
    }
}
