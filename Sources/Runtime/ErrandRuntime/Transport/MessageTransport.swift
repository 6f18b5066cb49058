/// Opens connections that carry messages in both directions, as `Transport` carries requests over HTTP: over WebSocket, or over
/// anything else that keeps the order and the limits of messages.
///
/// A transport knows nothing of contracts, sessions and reconnection. It must:
/// - open exactly one connection per call, and follow no redirect;
/// - return soon after the task is cancelled, and close what was opened;
/// - report truthfully whether a message may have been sent.
///
/// `MessageConformance` of `ErrandTransportConformance` holds one against all of that.
public protocol MessageTransport: Sendable {
    /// Opens a connection, with name, TLS and handshake.
    ///
    /// - Throws: why there is none, with the server's response if it has refused the handshake.
    func open(_ opening: ConnectionOpening) async throws(OpeningFault) -> any MessageConnection

    /// Whether the transport compares the server's key with the pins of an opening (`ConnectionOpening.pins`), before the handshake of
    /// the protocol is sent. Otherwise no such connection is opened.
    var enforcesPins: Bool { get }
}

extension MessageTransport {
    public var enforcesPins: Bool { false }

    /// Opens a connection, unless its pins can't be compared with the server's key.
    package func openPinned(_ opening: ConnectionOpening) async throws(OpeningFault) -> any MessageConnection {
        if let pins = opening.pins, let origin = WebSocketURL(opening.url)?.origin {
            do throws(PinError) {
                try pins.verify(
                    origin.host, isSecure: origin.scheme == "https",
                    unsupportedBy: enforcesPins ? nil : "\(type(of: self))")
            } catch {
                throw .failed(TransportFault(error))
            }
        }
        return try await open(opening)
    }
}

/// A connection that carries messages. One task sends, another one receives.
public protocol MessageConnection: Sendable {
    /// Sends one message as text.
    ///
    /// - Returns: when the system has taken it, so that a server that reads slowly holds the sender back.
    /// - Throws: the fault. Its evidence is `notSent` only if no byte of the message can have reached the server.
    func send(_ message: [UInt8]) async throws(TransportFault)

    /// Takes one message as text without waiting, if there is room for it. A connection without this function takes none, and is
    /// asked to `send` each message.
    ///
    /// - Returns: whether it took the message. All of it may then reach the server; a fault ends the connection.
    func sendAtOnce(_ message: [UInt8]) -> Bool

    /// Asks the server for a sign of life, which arrives as `pong`. A connection without such signs does nothing.
    func ping() async throws(TransportFault)

    /// Waits for the next thing that arrives. The connection reads no further than it must, so that a receiver that doesn't ask
    /// holds the server back.
    ///
    /// - Returns: after `closed`, always `closed`.
    /// - Throws: the fault that ended the connection, or `cancelled` if the task was cancelled. The connection then stays open.
    func receive() async throws(TransportFault) -> ReceivedMessage

    /// Takes the next message that has already arrived, without waiting and without reading further. A connection without this function
    /// gives none, and is asked to `receive` each message.
    ///
    /// - Returns: nil if none has arrived. The end of the connection comes from `receive` alone.
    func receiveAtOnce() -> ReceivedMessage?

    /// Calls an action when something arrives, once: then `receiveAtOnce` gives it, or the connection has ended. The transport reads on
    /// for it as for `receive`. The action takes little time and may run on the transport's own thread, so that no task has to be
    /// woken. A connection without this function is asked to `receive`, which also takes a notice back that was set.
    func notify(_ action: @escaping @Sendable () -> Void) -> ArrivalNotice

    /// How many bytes have arrived over the connection so far, those of messages that are not complete included. They show that the
    /// server is there while a long message arrives slowly. A connection that cannot tell says 0.
    var receivedByteCount: Int { get }

    /// Closes the connection, and waits a bounded time for the server to do the same. Further calls do nothing.
    func close(_ code: CloseCode) async
}

extension MessageConnection {
    public func sendAtOnce(_ message: [UInt8]) -> Bool { false }
    public func receiveAtOnce() -> ReceivedMessage? { nil }
    public func notify(_ action: @escaping @Sendable () -> Void) -> ArrivalNotice { .unavailable }
    public var receivedByteCount: Int { 0 }
}

/// What becomes of an action that is to be called when something arrives.
public enum ArrivalNotice: Sendable, Hashable {
    /// It is called, once.
    case set
    /// It is not called: `receiveAtOnce` gives something now.
    case arrived
    /// It is not called: the connection has ended, or gives no notice. `receive` says more.
    case unavailable
}

/// A transport of messages that learns the types of the commands whose frames it carries: a simulated server, which makes replies of
/// them.
package protocol CommandListener: Sendable {
    /// Called before the frame of a request is sent.
    func noteCommand(of request: TransportRequest)
}

/// Something that arrived over a connection.
public enum ReceivedMessage: Sendable, Equatable {
    /// A complete text. Its bytes are UTF-8.
    case text([UInt8])
    /// A complete message of bytes, of this length. Frames are text, so the bytes are dropped.
    case binary(count: Int)
    case pong
    /// The server has closed the connection.
    case closed(CloseCode)
}

/// A request for a connection.
public struct ConnectionOpening: Sendable {
    /// An absolute ws or wss URL (RFC 6455 section 3).
    public var url: String
    /// The headers of the handshake beside those that the protocol demands.
    public var headers: HTTPHeaders
    /// The subprotocol that the server must agree to; nil for none (RFC 6455 section 1.9).
    public var subprotocol: String?
    /// How long opening may take.
    public var timeout: Duration
    /// The longest message that is received, in bytes. A longer one ends the connection as `oversized`.
    public var maximumMessageSize: Int
    /// The keys that the server may have; nil for any.
    public var pins: PublicKeyPins?

    public init(
        url: String, headers: HTTPHeaders = HTTPHeaders(), subprotocol: String? = nil,
        timeout: Duration = .seconds(30), maximumMessageSize: Int = 8 << 20
    ) {
        self.url = url
        self.headers = headers
        self.subprotocol = subprotocol
        self.timeout = timeout
        self.maximumMessageSize = maximumMessageSize
    }
}

extension ConnectionOpening: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The origin: the rest may hold secrets.
    public var description: String { "connection to \(WebSocketURL(url)?.origin.description ?? "?")" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["origin": WebSocketURL(url)?.origin.description as Any], displayStyle: .struct)
    }
}

/// Why a connection could not be opened.
public enum OpeningFault: Error, Sendable {
    /// The server has responded to the handshake with something else than the protocol demands: a status other than 101, whose
    /// head and body say why.
    case refused(TransportResponse)
    case failed(TransportFault)
}
