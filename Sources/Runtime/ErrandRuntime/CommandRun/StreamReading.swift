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
    /// The id after which the server was asked to continue.
    private let resumedAfter: String?
    /// Whether elements of it were delivered.
    private(set) var hasDelivered = false
    /// The id of the last element that was delivered.
    private(set) var lastID: String?
    /// How many bytes of a download came that no earlier response had brought.
    private(set) var newBytes = 0
    /// Whether something new has come since `takeNews`.
    private var hasNews = false

    init(
        _ opened: OpenedStream, _ endpoint: EndpointDescription, limit: Int, begun: Duration,
        resumedAfter: String? = nil, takesChunks: Bool = false
    ) {
        self.resumedAfter = resumedAfter
        self.opened = opened
        self.endpoint = endpoint
        self.begun = begun
        description = endpoint.stream ?? StreamDescription(.lines)
        parser = ElementParser(description, limit: limit)
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

    /// Whether the response has ended in the middle of an element.
    var isCut: Bool { chunks == nil && parser.isCut }

    /// Keeps a failure that ends the stream.
    func hold(_ failure: FailedAttempt) {
        opened.close()
        self.failure = failure
    }

    func noteDelivery() {
        hasDelivered = true
        lastID = parser.lastID
        if hasNewElements { hasNews = true }
    }

    /// Notes bytes of a download that no earlier response had brought.
    func noteNewBytes(_ count: Int) {
        guard count > 0 else { return }
        newBytes += count
        hasNews = true
    }

    /// How long the server wants a client to wait before it opens the stream again.
    var retry: Duration? { parser.retry }

    /// Whether it brought elements beyond the last one of earlier responses. A server that repeats that one brings nothing new.
    var hasNewElements: Bool { hasDelivered && (lastID == nil || lastID != resumedAfter) }

    /// Whether something new has come since the last call.
    func takeNews() -> Bool {
        defer { hasNews = false }
        return hasNews
    }

    /// Adds what the response has brought to what a transfer has come to. A download ends by itself, so its bytes count. A stream
    /// that has delivered counts the time for which it was open.
    func add(to advance: inout TransferAdvance, at now: Duration, isPaid: Bool, isReopening: Bool) {
        if isReopening { advance.time += now - begun }
        guard newBytes > 0 || hasNewElements else { return }
        advance.bytes += newBytes
        if isPaid { advance.tokens += 1 }
    }

    func close() { opened.close() }
}
