/// The two streams between the server and its client.
///
/// Reading waits at most as long as asked, so that one thread is enough: between two messages it does what is due.
package struct ClientStreams {
    package enum Received: Equatable {
        case bytes([UInt8])
        /// Nothing came in the time given.
        case nothing
        case end
    }

    /// Waits for bytes, without a limit if the time is `nil`.
    package var receive: (Duration?) -> Received
    package var send: ([UInt8]) -> Void
    /// A line for the server's log.
    package var log: (String) -> Void

    package init(
        receive: @escaping (Duration?) -> Received, send: @escaping ([UInt8]) -> Void, log: @escaping (String) -> Void
    ) {
        self.receive = receive
        self.send = send
        self.log = log
    }
}

/// The incoming and outgoing messages. The server reads all messages that have arrived before it handles a request, so that it
/// knows of requests that were cancelled meanwhile, or overtaken by an edit.
final class Connection {
    private let streams: ClientStreams
    private var framing = MessageFraming()
    private var waiting: [Incoming] = []
    private var cancelled: Set<RequestID> = []
    private var isOver = false

    init(_ streams: ClientStreams) {
        self.streams = streams
    }

    enum Next {
        case message(Incoming)
        case nothing
        case end
    }

    /// The next message; waits for one as long as the time says.
    func next(waitingAtMost time: Duration?) -> Next {
        take(waitingAtMost: .zero)
        if waiting.isEmpty, !isOver { take(waitingAtMost: time) }
        if !waiting.isEmpty { return .message(waiting.removeFirst()) }
        return isOver ? .end : .nothing
    }

    /// Whether the client took a request back.
    func isCancelled(_ id: RequestID) -> Bool { cancelled.remove(id) != nil }

    /// Whether an edit has come that was not looked at yet.
    var hasEditWaiting: Bool {
        take(waitingAtMost: .zero)
        return waiting.contains { $0.method == "textDocument/didChange" }
    }

    func send(_ message: [UInt8]) { streams.send(MessageFraming.framed(message)) }

    func log(_ text: String) { streams.log(text) }

    /// Reads until a message is whole or the time is over.
    private func take(waitingAtMost time: Duration?) {
        var time = time
        while !isOver {
            switch streams.receive(time) {
            case .nothing: return
            case .end: isOver = true
            case .bytes(let bytes):
                framing.append(bytes)
                cut()
                // From here on only what is there already.
                if !waiting.isEmpty { time = .zero }
            }
        }
    }

    private func cut() {
        while true {
            switch framing.next() {
            case .incomplete: return
            case .broken(let problem):
                log("the client's messages cannot be read: \(problem)")
                isOver = true
                return
            case .message(let bytes):
                let message = Incoming(bytes)
                if let id = message.cancelledRequest {
                    // A request that has its response can no longer be cancelled.
                    if waiting.contains(where: { $0.id == id && $0.method != nil }) { cancelled.insert(id) }
                } else {
                    waiting.append(message)
                }
            }
        }
    }
}
