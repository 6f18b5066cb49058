/// An open stream: its bytes, and the elements that were made of them.
final class StreamReading {
    /// The next part of the received data.
    enum Next {
        case item(StreamItem)
        case needsMore
        /// The whole stream was read.
        case end
        case failed(FailedAttempt)
        /// An element is longer than allowed.
        case oversized
    }

    /// The fault that ended the body, before or in place of its last chunk.
    enum EarlyEnd: Sendable {
        case idle, sessionEnded
    }

    let opened: OpenedStream
    let description: StreamDescription
    private let endpoint: EndpointDescription
    private let begun: Duration
    private var parser: ElementParser
    private var hasEnded = false
    private var failure: FailedAttempt?
    /// The chunks of a response that is handed over as it arrives, without elements; nil if it has elements.
    private var chunks: [[UInt8]]?
    /// Whether elements of it were delivered.
    private(set) var hasDelivered = false
    /// The id of the last element that was delivered.
    private(set) var lastID: String?

    init(
        _ opened: OpenedStream, _ endpoint: EndpointDescription, limit: Int, begun: Duration, takesChunks: Bool = false
    ) {
        self.opened = opened
        self.endpoint = endpoint
        self.begun = begun
        description = endpoint.stream ?? StreamDescription(.lines)
        parser = ElementParser(description.format, limit: limit)
        chunks = takesChunks ? [] : nil
    }

    func next() -> Next {
        if let failure { return .failed(failure) }
        do throws(OversizedElement) {
            if let item = try parser.next() ?? (hasEnded ? parser.finish() : nil) {
                guard let end = description.end, item.data.elementsEqual(end.utf8) else { return .item(item) }
                opened.close()
                return .end
            }
        } catch {
            return .oversized
        }
        return hasEnded ? .end : .needsMore
    }

    func append(_ chunk: [UInt8]) {
        if chunks == nil { parser.append(chunk) } else { chunks?.append(chunk) }
    }

    /// The next part of a response that is handed over as it arrives.
    enum NextChunk {
        case chunk([UInt8])
        case needsMore
        case end
        case failed(FailedAttempt)
    }

    func nextChunk() -> NextChunk {
        if let first = chunks?.first {
            chunks?.removeFirst()
            return .chunk(first)
        }
        if let failure { return .failed(failure) }
        return hasEnded ? .end : .needsMore
    }

    func noteEnd() { hasEnded = true }

    /// Keeps a failure that ends the stream.
    func hold(_ failure: FailedAttempt) {
        opened.close()
        self.failure = failure
    }

    func noteDelivery() {
        hasDelivered = true
        lastID = parser.lastID
    }

    /// How long the server wants a client to wait before it opens the stream again.
    var retry: Duration? { parser.retry }

    /// Whether the stream has delivered something or stayed open long enough. The attempt that opened it then doesn't count as
    /// failed.
    func isProven(at now: Duration) -> Bool { hasDelivered || now - begun >= .seconds(60) }

    func close() { opened.close() }
}
