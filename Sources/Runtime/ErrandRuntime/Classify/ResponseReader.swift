/// Reads the response of a success. The value goes back through the pipeline's one generic function to the caller, and nowhere else.
protocol ResponseReader<Response> {
    associatedtype Response: Sendable

    /// Reads the payload of a success; nil if the JSON reader is at fault.
    func load(from reader: inout JSONReader) -> Response?
    /// Takes a response without a JSON payload; nil if the command has none of this kind.
    func take(_ content: UnparsedResponse) -> Response?
    /// The problem that prevents the use of a response that was read: for a page, whether the next one can be asked for.
    ///
    /// - Parameters:
    ///   - url: what the request was sent to, which the target of a link may be relative to.
    ///   - membership: the login that the response belongs to.
    func problem(
        of response: Response, in answer: TransportResponse, from url: String, _ membership: CommandEpoch
    ) -> PageError?
    /// Whether a status shows that the page comes after the last one of its list.
    func isPastTheEnd(_ status: Int) -> Bool
    /// Reads the declared headers of a response that has a payload; nil if the reader is at fault.
    func loadHeaders(from reader: inout JSONReader) -> (any Sendable)?
    /// Notes that the response has no payload, and that the last value was read from another document than the body.
    func noteMissingPayload()
}

extension ResponseReader {
    func problem(
        of response: Response, in answer: TransportResponse, from url: String, _ membership: CommandEpoch
    ) -> PageError? { nil }
    func isPastTheEnd(_ status: Int) -> Bool { false }
    func noteMissingPayload() {}
}

/// A response that isn't read from JSON.
enum UnparsedResponse {
    case bytes([UInt8])
    /// A success whose body is still to come.
    case stream(TransportResponse)
    case outcome(DeclaredName, ErrorMatch)
}

/// Reads the response of one command.
struct CommandReader<C: Command>: ResponseReader {
    func load(from reader: inout JSONReader) -> C.Response? { C.load(from: &reader) }

    func loadHeaders(from reader: inout JSONReader) -> (any Sendable)? {
        (C.self as? any HeaderCommand.Type)?.anyHeaders(from: &reader)
    }

    func take(_ content: UnparsedResponse) -> C.Response? {
        switch content {
        case .bytes(let bytes):
            guard let type = C.self as? any OutcomeCommand.Type else { return bytes as? C.Response }
            return type.anyResponse(bytes: bytes) as? C.Response
        case .stream(let response): return OpenedStream(response) as? C.Response
        case .outcome(let name, let match):
            return (C.self as? any OutcomeCommand.Type)?.anyOutcome(name, match) as? C.Response
        }
    }
}

/// Takes a payload that the scan of an envelope meets on its way. The scan is the same code for all commands.
protocol EarlyPayload: AnyObject {
    /// Reads the value that is next, which may be the payload of a success; false if it does not fit, and is skipped.
    func load(from reader: inout JSONReader) -> Bool
    /// Forgets the value, because another one counts.
    func forget()
}

/// The payload that was read while its envelope was scanned.
final class EarlyResponse<Reader: ResponseReader>: EarlyPayload {
    private let reader: Reader
    private(set) var response: Reader.Response?

    init(_ reader: Reader) { self.reader = reader }

    func load(from reader: inout JSONReader) -> Bool {
        response = reader.attempt(self.reader.load(from:))
        return response != nil
    }

    func forget() { response = nil }
}

extension EndpointDescription {
    /// Whether the scan of an envelope meets the payload, and the response may be a success.
    func hasEarlyPayload(in response: TransportResponse) -> Bool {
        self.response == .json && envelope.data != nil && (200..<300).contains(response.status)
    }
}
