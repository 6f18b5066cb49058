/// Receives one element of a stream from the pipeline.
final class ElementInbox<C: StreamCommand>: ResponseReceiver {
    private(set) var element: C.Element?

    func load(_ payload: Payload) throws(JSONFault) -> SkippedElements {
        let (value, skipped) = try payload.scan(C.element(from:))
        element = value
        return skipped
    }

    func load(from reader: inout JSONReader) -> Bool {
        element = reader.attempt(C.element(from:))
        return element != nil
    }

    /// Takes the element out.
    func take() -> C.Element? {
        defer { element = nil }
        return element
    }

    func load(bytes: [UInt8]) -> Bool { false }
    func take(outcome: DeclaredName, _ match: ErrorMatch) -> Bool { false }
    func take(response: any Sendable) -> Bool { false }
    func take(stream: TransportResponse) -> Bool { false }
    var opened: OpenedStream? { nil }
    var sessionChange: SessionChange? { nil }
}
