/// Where the pipeline, which is the same code for all commands, leaves the typed response.
protocol ResponseReceiver: AnyObject {
    /// Reads the payload of a success.
    func load(_ payload: Payload) throws(JSONFault) -> SkippedElements
    /// Reads the value that is next, which may be the payload of a success; false if it does not fit, and is skipped.
    func load(from reader: inout JSONReader) -> Bool
    /// Takes the body as it is.
    func load(bytes: [UInt8]) -> Bool
    /// Takes an outcome. Returns false if the command has no outcome of this name.
    func take(outcome: DeclaredName, _ match: ErrorMatch) -> Bool
    /// Takes a response that was found in another way; false if it is another command's.
    func take(response: any Sendable) -> Bool
    /// Takes a success whose body is still to come; false if the command reads none.
    func take(stream: TransportResponse) -> Bool
    /// A success whose body is still to come; nil if the body is here.
    var opened: OpenedStream? { get }
    /// The change that the response makes to the client's session; nil if it makes none.
    var sessionChange: SessionChange? { get }
}

/// A receiver whose response has a type that the caller knows.
protocol ResponseHolder<Response>: AnyObject {
    associatedtype Response
    /// Nil until there is one.
    var response: Response? { get }
}

/// The response of one command, once there is one.
final class ResponseInbox<C: Command>: ResponseReceiver, ResponseHolder {
    private(set) var response: C.Response?

    func load(_ payload: Payload) throws(JSONFault) -> SkippedElements { try load(payload, C.load(from:)) }

    func load(from reader: inout JSONReader) -> Bool { load(from: &reader, C.load(from:)) }

    /// Reads the payload of a success with a function that calls the command's.
    func load(
        _ payload: Payload, _ read: (inout JSONReader) -> C.Response?
    ) throws(JSONFault) -> SkippedElements {
        let (value, skipped) = try payload.scan(read)
        response = value
        return skipped
    }

    func load(from reader: inout JSONReader, _ read: (inout JSONReader) -> C.Response?) -> Bool {
        response = reader.attempt(read)
        return response != nil
    }

    func load(bytes: [UInt8]) -> Bool {
        if let type = C.self as? any OutcomeCommand.Type {
            response = type.anyResponse(bytes: bytes) as? C.Response
        } else {
            response = bytes as? C.Response
        }
        return response != nil
    }

    var sessionChange: SessionChange? {
        guard let response else { return nil }
        let change = C.sessionChange(after: response)
        if case .none = change { return nil }
        return change
    }

    func take(outcome: DeclaredName, _ match: ErrorMatch) -> Bool {
        response = (C.self as? any OutcomeCommand.Type)?.anyOutcome(outcome, match) as? C.Response
        return response != nil
    }

    func take(stream: TransportResponse) -> Bool { take(response: OpenedStream(stream)) }

    var opened: OpenedStream? { response as? OpenedStream }

    func take(response: any Sendable) -> Bool {
        self.response = response as? C.Response
        return self.response != nil
    }
}
