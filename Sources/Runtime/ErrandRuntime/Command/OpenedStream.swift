/// A success whose body is still to come: what a stream is opened with, once or more often.
public final class OpenedStream: Sendable {
    package let head: ReplyParts
    let body: StreamedBody
    /// The elements of a stub, in place of a body.
    let stubbed: [any Sendable]?
    private let place = LockedState<(any Sendable)?> { nil }

    init(_ response: TransportResponse) {
        head = ReplyParts(status: response.status, headers: response.headers)
        body = response.stream ?? StreamedBody(response.body)
        stubbed = nil
    }

    private init(stubbed: [any Sendable]) {
        head = ReplyParts(status: 200, headers: HTTPHeaders())
        body = StreamedBody([])
        self.stubbed = stubbed
    }

    /// A stream that no server sends, for stubs: it gives these elements and ends.
    public static func elements(_ elements: [any Sendable]) -> OpenedStream { OpenedStream(stubbed: elements) }

    /// Keeps an object until the response has been read.
    func hold(_ object: any Sendable) { place.withLock { $0 = object } }

    /// Closes the connection and lets go of what was kept.
    func close() {
        body.cancel()
        let held = place.withLock { place in
            defer { place = nil }
            return place
        }
        _ = held
    }
}

extension EndpointDescription {
    /// Whether a response is a success whose elements are read one by one. Any other response is read as a whole and
    /// classified.
    func isStreamed(by response: TransportResponse) -> Bool {
        guard let stream, (200..<300).contains(response.status) else { return false }
        var head = response
        head.body = []
        if table.row(for: head, code: "") != nil { return false }
        // A response without a body ends the stream. Section 9.2.2 of the HTML standard requires this for 204.
        if response.status == 204 || response.status == 205 { return true }
        guard stream.format == .events else { return true }
        let type = response.headers["Content-Type"]?.prefix { $0 != ";" } ?? ""
        return type.trimmingBlanks.lowercased() == "text/event-stream"
    }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        var text = self
        while let last = text.utf8.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return text
    }
}
