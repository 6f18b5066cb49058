#if WebSocket
import ErrandRuntime
import NIOConcurrencyHelpers
import NIOCore
import NIOWebSocket

/// Makes messages of frames, answers pings and closes (RFC 6455 sections 5 and 7).
///
/// It reads from the socket only while a receiver waits, so that a receiver that doesn't ask holds the server back.
final class MessageHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// A message whose last fragment has not arrived.
    private struct Partial {
        let isText: Bool
        /// Those of a text. The client does not read a message of bytes.
        var bytes: [UInt8] = []
        var count = 0
    }

    let inbox = MessageInbox()
    private let maximumSize: Int
    private var partial: Partial?
    /// What one read has brought. The receiver is woken once for all of it, because waking a task costs more than to read a message.
    private var arrived: [ReceivedMessage] = []
    /// The data of the last ping, until there is room for its pong.
    private var unansweredPing: ByteBuffer?
    /// Whether a close frame was sent or received. What comes after it is ignored.
    private var isClosing = false

    init(maximumSize: Int) { self.maximumSize = maximumSize }

    func handlerAdded(context: ChannelHandlerContext) {
        // Reading begins when a receiver asks.
        context.channel.setOption(.autoRead, value: false).whenFailure { _ in }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard !isClosing || frame.opcode == .connectionClose else { return }
        // A server masks nothing, and no extension gives the reserved bits a meaning.
        guard frame.maskKey == nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
            return fail(.protocolError, .unreadable, context)
        }
        switch frame.opcode {
        case .text, .binary:
            guard partial == nil else { return fail(.protocolError, .unreadable, context) }
            append(frame, to: Partial(isText: frame.opcode == .text), context)
        case .continuation:
            guard let message = partial else { return fail(.protocolError, .unreadable, context) }
            partial = nil
            append(frame, to: message, context)
        case .ping:
            unansweredPing = frame.data
            answerPing(context)
        case .pong: arrived.append(.pong)
        case .connectionClose: receiveClose(frame, context)
        default: fail(.protocolError, .unreadable, context)
        }
    }

    private func append(_ frame: WebSocketFrame, to message: consuming Partial, _ context: ChannelHandlerContext) {
        message.count += frame.data.readableBytes
        guard message.count <= maximumSize else { return fail(.tooLong, .oversized, context) }
        if message.isText {
            if message.bytes.isEmpty {
                message.bytes = Array(buffer: frame.data)
            } else {
                message.bytes += frame.data.readableBytesView
            }
        }
        guard frame.fin else {
            partial = message
            return
        }
        arrived.append(message.isText ? .text(message.bytes) : .binary(count: message.count))
    }

    /// Answers the last ping if there is room. The pings before it need no pong (RFC 6455 section 5.5.3), so that a server that sends
    /// pings and reads nothing fills no memory.
    private func answerPing(_ context: ChannelHandlerContext) {
        guard !isClosing, context.channel.isWritable, let data = unansweredPing else { return }
        unansweredPing = nil
        let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: data)
        context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        answerPing(context)
        context.fireChannelWritabilityChanged()
    }

    private func handOver() {
        guard !arrived.isEmpty else { return }
        // Taken out before: the receiver may write at once, and a write that fails ends the connection, which hands over once more.
        var messages: [ReceivedMessage] = []
        swap(&messages, &arrived)
        inbox.put(messages)
    }

    private func end(_ end: MessageInbox.Received) {
        handOver()
        inbox.end(end)
    }

    /// Reads on if no message is complete, and a receiver still waits.
    func channelReadComplete(context: ChannelHandlerContext) {
        handOver()
        if isClosing || inbox.isAwaited { context.read() }
        context.fireChannelReadComplete()
    }

    private func receiveClose(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        var data = frame.data
        let code: CloseCode
        switch (data.readableBytes, data.readInteger(as: UInt16.self).map(CloseCode.init(rawValue:))) {
        case (0, _): code = .noStatus
        case (_, let sent?) where sent.isSendable: code = sent
        default: return fail(.protocolError, .unreadable, context)
        }
        end(.success(.closed(code)))
        if isClosing { return context.close(promise: nil) }
        close(code == .noStatus ? nil : code, context)
    }

    /// Ends the connection because of what the server has sent.
    private func fail(_ code: CloseCode, _ kind: TransportFault.Kind, _ context: ChannelHandlerContext) {
        end(.failure(TransportFault(kind, evidence: .sent)))
        if !isClosing { close(code, context) }
    }

    private func close(_ code: CloseCode?, _ context: ChannelHandlerContext) {
        isClosing = true
        partial = nil
        let frame = WebSocketFrame.close(code, in: context.channel)
        context.writeAndFlush(wrapOutboundOut(frame)).assumeIsolated().whenComplete { _ in
            context.close(promise: nil)
        }
    }

    // MARK: Orders of the connection

    /// Sends a close frame, and waits for the server's.
    func beginClosing(_ code: CloseCode, _ context: ChannelHandlerContext) {
        guard !isClosing else { return }
        isClosing = true
        partial = nil
        context.writeAndFlush(wrapOutboundOut(.close(code, in: context.channel)), promise: nil)
        context.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let order = event as? ClosingOrder { return beginClosing(order.code, context) }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: The end

    func channelInactive(context: ChannelHandlerContext) {
        end(.failure(TransportFault(.lost, evidence: .sent)))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength: fail(.tooLong, .oversized, context)
        case is NIOWebSocketError: fail(.protocolError, .unreadable, context)
        default:
            // First of all, so that nothing is sent any more once the receiver knows.
            context.close(promise: nil)
            end(.failure(TransportFault(.lost, evidence: .sent, underlying: HiddenError(error))))
        }
    }
}

/// Counts what arrives, before frames are made of it: a frame is handed on when all of it is there. Under TLS it counts before that too,
/// because a record of up to 16 KiB is handed on when all of it is there.
final class CountingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    let counter = ByteCounter()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        counter.add(unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }
}

/// How many bytes have arrived over a connection.
final class ByteCounter: Sendable {
    private let state = NIOLockedValueBox(0)

    var count: Int { state.withLockedValue { $0 } }
    func add(_ count: Int) { state.withLockedValue { $0 += count } }

    /// Adds bytes if there is room for them, or if there are no others.
    func add(_ count: Int, upTo limit: Int) -> Bool {
        state.withLockedValue { sum in
            guard sum == 0 || sum + count <= limit else { return false }
            sum += count
            return true
        }
    }

    /// Begins anew, when the handshake is over.
    func restart() { state.withLockedValue { $0 = 0 } }
}

/// An order to close a connection, which its channel carries to the handler.
struct ClosingOrder: Sendable {
    let code: CloseCode
}

extension WebSocketFrame {
    static func text(_ message: [UInt8]) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(bytes: message))
    }

    fileprivate static func close(_ code: CloseCode?, in channel: any Channel) -> WebSocketFrame {
        var data = channel.allocator.buffer(capacity: 2)
        if let code { data.writeInteger(code.rawValue) }
        return WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: .random(), data: data)
    }
}
#endif
