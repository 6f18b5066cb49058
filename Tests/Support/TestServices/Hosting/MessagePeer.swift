import FlyingFox
import Foundation

/// A service whose clients send messages over connections that stay open.
protocol MessageService: TestService {
    func receive(_ message: String, from peer: MessagePeer) async
    func lose(_ peer: MessagePeer) async
}

/// One connection that carries messages (RFC 6455), as its service sees it.
actor MessagePeer {
    nonisolated let request: ReceivedRequest
    private let out: AsyncStream<WSFrame>.Continuation
    fileprivate nonisolated let frames: AsyncStream<WSFrame>
    private var isSilent = false
    private var reader: Task<Void, Never>?

    init(_ request: ReceivedRequest) {
        self.request = request
        (frames, out) = AsyncStream.makeStream()
    }

    func send(_ message: WireJSON) { send(message.description) }

    func send(_ text: String) { send(WSFrame(fin: true, opcode: .text, mask: nil, payload: Data(text.utf8))) }

    fileprivate func send(_ frame: WSFrame) {
        if !isSilent { out.yield(frame) }
    }

    /// Ends the connection as the protocol wants it.
    func close(_ code: UInt16) async {
        send(WSFrame.close(code: WSCloseCode(code)))
        await cut()
    }

    /// Ends the connection without a word, after what was sent.
    func cut() async {
        // The server's sockets wait for good if one is closed that is being read.
        reader?.cancel()
        await reader?.value
        out.finish()
    }

    fileprivate func finish() { out.finish() }

    fileprivate func start(_ reading: @escaping @Sendable () async -> Void) {
        let task = Task(operation: reading)
        reader = task
        out.onTermination = { _ in task.cancel() }
    }

    /// The connection stays, and nothing more is sent over it.
    func fallSilent() { isSilent = true }
}

/// Reads what a client sends, and hands it to the service.
struct PeerReader: WSHandler {
    let peer: MessagePeer
    let service: any MessageService

    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        await peer.start { [peer, service] in
            do {
                var text = Data()
                reading: for try await frame in client {
                    switch frame.opcode {
                    case .text, .continuation:
                        text += frame.payload
                        guard frame.fin else { continue }
                        await service.receive(String(decoding: text, as: UTF8.self), from: peer)
                        text = Data()
                    case .ping: await peer.send(WSFrame(fin: true, opcode: .pong, mask: nil, payload: frame.payload))
                    case .close:
                        await peer.send(WSFrame(fin: true, opcode: .close, mask: nil, payload: frame.payload))
                        break reading
                    default: break
                    }
                }
            } catch {
                // The client is gone, or the service was stopped.
            }
            await service.lose(peer)
            await peer.finish()
        }
        return peer.frames
    }
}
