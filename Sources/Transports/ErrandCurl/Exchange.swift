#if os(Linux)
import ErrandRuntime

/// One request under way. The task that waits for it and the thread that sends it share this object.
final class Exchange: Sendable {
    typealias Outcome = Result<TransportResponse, TransportFault>

    private struct State {
        /// Nil before the beginning, and once the response, or its head, was handed over.
        var completion: CheckedContinuation<Outcome, Never>?
        /// Retained until the response has ended, because the transport closes the mailbox when it is released.
        var owner: CurlTransport?
        var stream: StreamedBodyBuffer?
        var isSent = false
        var isOver = false
    }

    let request: TransportRequest
    let origin: Origin
    let fields: HeaderLines
    /// The certificates of the only authority that is trusted for the host, in PEM; nil for the system's.
    let authority: [UInt8]?
    /// What the host gets if it asks for a certificate; nil for nothing.
    let identity: ServerTrust.Identity?
    /// What is connected to in place of the server; nil for a direct connection.
    let proxy: Proxy?
    let deadline: ContinuousClock.Instant
    let upload: Upload?
    private let mailbox: Mailbox
    private let state = LockedState<State> { State() }

    init(
        _ request: TransportRequest, to origin: Origin, _ fields: HeaderLines, _ trust: ServerTrust,
        over proxy: Proxy?, until deadline: ContinuousClock.Instant, mailbox: Mailbox
    ) {
        self.request = request
        self.origin = origin
        self.fields = fields
        authority = trust.authority(of: origin.host)
        identity = trust.identity(for: origin)
        self.proxy = proxy
        self.deadline = deadline
        self.mailbox = mailbox
        upload = request.streamedBody.map(Upload.init)
    }

    var isSent: Bool { state.withLock { $0.isSent } }
    var isOver: Bool { state.withLock { $0.isOver } }

    /// False if the exchange was cancelled before. It has ended then.
    func begin(_ continuation: CheckedContinuation<Outcome, Never>, holding owner: CurlTransport) -> Bool {
        let isWanted = state.withLock { state in
            if state.isOver { return false }
            (state.completion, state.owner) = (continuation, owner)
            return true
        }
        if !isWanted { continuation.resume(returning: .failure(TransportFault(.cancelled, evidence: .notSent))) }
        return isWanted
    }

    /// Called once before any byte of the request is written. A request that was cancelled before isn't sent. A request that was
    /// sent isn't sent again, which libcurl would do if a kept connection turns out to be dead.
    func mayBeWritten() -> Bool {
        state.withLock { state in
            if state.isOver || state.isSent { return false }
            state.isSent = true
            return true
        }
    }

    /// Ends the exchange for its task at once. The thread learns of it later.
    func cancel() {
        end { .failure(TransportFault(.cancelled, evidence: $0 ? .sent : .notSent)) }
        mailbox.post(.stop(self))
    }

    /// Hands over the head of a response, with a body that is still to come. Returns false if its reader is gone.
    func handOver(_ head: TransportResponse, _ stream: StreamedBodyBuffer) -> Bool {
        stream.onCancel { [self] in cancel() }
        let completion = state.withLock { state in
            defer { state.completion = nil }
            if !state.isOver { state.stream = stream }
            return state.completion
        }
        guard let completion else { return false }
        var response = head
        response.stream = stream.makeBody()
        completion.resume(returning: .success(response))
        return true
    }

    /// Ends the exchange, unless it has ended.
    ///
    /// - Parameter outcome: makes the result. Its argument is whether the request was sent.
    func end(_ outcome: (_ isSent: Bool) -> Outcome) {
        let (isFirst, ended) = state.withLock { state in
            defer {
                state.isOver = true
                (state.completion, state.owner, state.stream) = (nil, nil, nil)
            }
            return (!state.isOver, state)
        }
        guard isFirst else { return }
        upload?.close()
        if let completion = ended.completion { return completion.resume(returning: outcome(ended.isSent)) }
        guard let stream = ended.stream else { return }
        if case .failure(let fault) = outcome(ended.isSent) { stream.finish(fault) } else { stream.finish() }
        withExtendedLifetime(ended.owner) {}
    }

    /// Lets the thread continue a transfer that waited for room, or for bytes.
    func goOn(_ direction: Direction) { mailbox.post(.resume(self, direction)) }

    enum Direction: Sendable {
        case receiving, sending
    }
}
#endif
