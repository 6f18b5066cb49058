/// What a mock server does on an open connection.
package enum MockFrame: Sendable, Equatable {
    /// A message, with the most bytes per second; nil without a limit.
    case text([UInt8], bytesPerSecond: Int? = nil)
    /// Half of a message, after which the connection ends.
    case half([UInt8])
    case close(code: UInt16, reason: String)
    /// The end of the connection without a close frame.
    case cut

    var size: Int {
        switch self {
        case .text(let bytes, _), .half(let bytes): bytes.count
        case .close, .cut: 0
        }
    }

    /// Whether the connection ends with it.
    var isLast: Bool {
        switch self {
        case .text: false
        case .half, .close, .cut: true
        }
    }
}

/// A message of a client, as the server has read it.
package enum MockMessage: Sendable, Equatable {
    case text([UInt8])
    /// A message of bytes, by its length.
    case binary(count: Int)
}

/// How a connection ended, for the log.
package enum MockConnectionEnd: Sendable, Equatable {
    /// The client closed it, with a code or without one.
    case closedByClient(code: UInt16?)
    /// The client broke the protocol of WebSocket.
    case failed(code: UInt16, reason: String)
    /// The client left without closing it.
    case lost
    /// The client was silent for too long, or did not read.
    case late
    /// The server ended it, as the dial says.
    case endedByServer
}

/// What a mock server answers to the handshake of a connection.
package enum MockHandshake: Sendable {
    /// The connection is open, and has this number.
    case opened(number: Int, subprotocol: String?, delay: Duration, entry: LogEntry)
    /// The handshake is answered like a request.
    case refused(MockReply)
}
