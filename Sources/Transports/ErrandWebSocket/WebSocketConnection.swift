#if WebSocket
public import ErrandRuntime
import NIOCore
import NIOWebSocket

/// An open WebSocket connection.
public final class WebSocketConnection: MessageConnection {
    /// How long the server has to answer a close frame.
    private static let closingTime = TimeAmount.seconds(5)

    private let channel: any Channel
    private let inbox: MessageInbox
    private let counter: ByteCounter
    /// The bytes of messages that the event loop has not come to yet. Until it has, the channel does not know of them.
    private let unhandled = ByteCounter()

    /// What may wait for the event loop. NIO's channels stop being writable at as much.
    private static let mostUnhandled = 64 << 10

    init(_ channel: any Channel, _ inbox: MessageInbox, _ counter: ByteCounter) {
        self.channel = channel
        self.inbox = inbox
        self.counter = counter
    }

    deinit { channel.close(promise: nil) }

    public func send(_ message: [UInt8]) async throws(TransportFault) { try await write(.text(message)) }

    public func sendAtOnce(_ message: [UInt8]) -> Bool {
        // A channel is not writable while the system has not taken what was written before.
        guard channel.isActive, channel.isWritable,
            unhandled.add(message.count, upTo: Self.mostUnhandled)
        else { return false }
        // Always later: a write that fails must not end the connection in the middle of what calls this.
        channel.eventLoop.execute { [channel, unhandled] in
            channel.writeAndFlush(WebSocketFrame.text(message), promise: nil)
            unhandled.add(-message.count)
        }
        return true
    }

    public func ping() async throws(TransportFault) {
        try await write(WebSocketFrame(fin: true, opcode: .ping, maskKey: .random(), data: ByteBuffer()))
    }

    private func write(_ frame: WebSocketFrame) async throws(TransportFault) {
        // Once the connection has ended, nothing of the message leaves. Before, all of it may.
        guard channel.isActive else { throw TransportFault(.lost, evidence: .notSent) }
        do {
            try await channel.writeAndFlush(frame)
        } catch {
            throw TransportFault(.lost, evidence: .sent, underlying: HiddenError(error))
        }
    }

    public func receive() async throws(TransportFault) -> ReceivedMessage {
        try await inbox.next { channel.read() }.get()
    }

    public func receiveAtOnce() -> ReceivedMessage? { inbox.nextAtOnce }

    public func notify(_ action: @escaping @Sendable () -> Void) -> ArrivalNotice {
        inbox.notify({ channel.read() }, action)
    }

    public var receivedByteCount: Int { counter.count }

    public func close(_ code: CloseCode) async {
        guard channel.isActive else { return }
        channel.pipeline.fireUserInboundEventTriggered(ClosingOrder(code: code.isSendable ? code : .normal))
        let timer = channel.eventLoop.scheduleTask(in: Self.closingTime) { [channel] in channel.close(promise: nil) }
        try? await channel.closeFuture.get()
        timer.cancel()
    }

    /// Closes the connection without a handshake.
    func drop() { channel.close(promise: nil) }
}

extension WebSocketConnection: CustomStringConvertible, CustomReflectable {
    public var description: String { "WebSocketConnection" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
#endif
