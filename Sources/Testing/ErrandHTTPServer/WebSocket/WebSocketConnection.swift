/// The server's part that knows what messages mean. The calls for one connection come one after the other, and what the client sends
/// meanwhile waits.
package protocol WebSocketHandler: Sendable {
    /// The handshake was answered.
    func opened(_ connection: WebSocketConnection) async
    func received(_ message: WebSocketMessage, on connection: WebSocketConnection) async
    /// The connection is over, or the handshake could not be answered. Nothing more is called.
    func ended(_ end: WebSocketEnd) async
}

/// A response that ends the handshake with success.
package struct WebSocketUpgrade: Sendable {
    /// The time before the response.
    package var delay = Duration.zero
    let handshake: WebSocketHandshake
    /// One of the subprotocols that the client offers; nil for none.
    let subprotocol: String?
    let handler: any WebSocketHandler

    package init(_ handshake: WebSocketHandshake, subprotocol: String?, _ handler: any WebSocketHandler) {
        self.handshake = handshake
        self.subprotocol = subprotocol
        self.handler = handler
    }

    var headers: [(name: String, value: String)] {
        var headers = [
            (name: "Upgrade", value: "websocket"), (name: "Connection", value: "Upgrade"),
            (name: "Sec-WebSocket-Accept", value: handshake.accept),
        ]
        if let subprotocol { headers.append((name: "Sec-WebSocket-Protocol", value: subprotocol)) }
        return headers
    }
}

/// A message of a client.
package enum WebSocketMessage: Equatable, Sendable {
    /// UTF-8.
    case text([UInt8])
    /// A message of bytes, by its length.
    case binary(count: Int)
}

/// How a connection ended.
package enum WebSocketEnd: Equatable, Sendable {
    /// The client sent a close frame. The code is nil if it named none.
    case closedByClient(code: UInt16?)
    /// The handler closed or cut it.
    case endedByServer
    /// The client broke the protocol, and the server closed the connection.
    case failed(WebSocketFault)
    /// The client left without a close frame.
    case lost
    /// The client was silent for too long, or did not read what the server sent.
    case late
}

/// A connection that is open. What the handler sends waits here until the client has read what was before it.
package actor WebSocketConnection {
    /// What the server does, in this order.
    package enum Output: Equatable, Sendable {
        /// A message, with the most bytes per second; nil without a limit.
        case text([UInt8], bytesPerSecond: Int? = nil)
        /// A message of so many bytes, which are zero.
        case binary(count: Int)
        /// Half of a message, after which the connection ends.
        case half([UInt8])
        case pong([UInt8])
        case ping
        /// A close frame. The client's own is still read.
        case close(code: UInt16?, reason: String)
        /// The end of the connection without a close frame.
        case cut

        var size: Int {
            switch self {
            case .text(let text, _), .half(let text): text.count
            case .binary(let count): count
            case .pong(let payload): payload.count
            case .ping, .close, .cut: 0
            }
        }

        var isLast: Bool {
            switch self {
            case .half, .close, .cut: true
            case .text, .binary, .pong, .ping: false
            }
        }
    }

    nonisolated let outputs: AsyncStream<Output>
    private let continuation: AsyncStream<Output>.Continuation
    private let limits: ConnectionLimits
    /// The bytes of all outputs that were not written yet, and of their frames.
    private var waiting = 0
    /// Whether nothing more is sent.
    private(set) var isEnding = false
    /// Whether the client left too much unread.
    private(set) var isOverrun = false
    /// The reader of the client's messages, while too much waits.
    private var reader: CheckedContinuation<Void, Never>?
    private let shutDown: @Sendable () async -> Void

    /// - Parameter shutDown: ends the connection at once, also while something is written.
    init(_ limits: ConnectionLimits, shutDown: @escaping @Sendable () async -> Void) {
        self.limits = limits
        self.shutDown = shutDown
        (outputs, continuation) = AsyncStream.makeStream(of: Output.self)
    }

    /// Sends something, unless the connection ends already.
    package func send(_ output: Output) async {
        guard !isEnding else { return }
        let size = output.size + Self.frameBytes
        guard waiting == 0 || waiting + size <= limits.unreadBytes else {
            isOverrun = true
            end()
            return await shutDown()
        }
        waiting += size
        continuation.yield(output)
        if output.isLast { end() }
    }

    /// The most bytes around a payload, so that also empty frames have a bound.
    private static let frameBytes = 14

    func wrote(_ output: Output) {
        waiting -= output.size + Self.frameBytes
        if hasRoom { resumeReader() }
    }

    private var hasRoom: Bool { isEnding || waiting <= limits.unreadBytes / 2 }

    /// Waits until the client has read enough of what it was sent. A client that sends and does not read is so held back by its own
    /// connection. There is one reader.
    func waitForRoom() async {
        guard !hasRoom else { return }
        await withCheckedContinuation { reader = $0 }
    }

    private func resumeReader() {
        reader?.resume()
        reader = nil
    }

    /// Ends the outputs after those that wait.
    func end() {
        isEnding = true
        continuation.finish()
        resumeReader()
    }
}
