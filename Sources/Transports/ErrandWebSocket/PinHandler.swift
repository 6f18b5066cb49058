#if WebSocket
import Crypto
import ErrandRuntime
import NIOCore
import NIOSSL
import NIOTLS

/// Compares the key of a server with pins after the handshake of TLS, and makes way for the handlers of the connection. Before that,
/// nothing is sent.
final class PinHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let pins: PublicKeyPins
    private let host: String
    private let proceed: (any Channel) throws -> Void
    private let fail: (any Error) -> Void
    private var isOver = false

    /// - Parameters:
    ///   - proceed: adds the handlers of the connection. Called on the event loop.
    ///   - fail: gets the `PinError`, or an error of the connection. Called on the event loop.
    init(
        _ pins: PublicKeyPins, of host: String, then proceed: @escaping (any Channel) throws -> Void,
        orFail fail: @escaping (any Error) -> Void
    ) {
        self.pins = pins
        self.host = host
        self.proceed = proceed
        self.fail = fail
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted? = event as? TLSUserEvent, !isOver else {
            return context.fireUserInboundEventTriggered(event)
        }
        isOver = true
        do {
            let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate()
            try pins.verify(try? certificate?.toDERBytes(), of: host) { Array(SHA256.hash(data: $0)) }
            let (pipeline, channel) = (context.pipeline.syncOperations, context.channel)
            try proceed(channel)
            pipeline.removeHandler(context: context, promise: nil)
        } catch {
            fail(error)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(ChannelError.eof)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(error) }

    private func end(_ error: any Error) {
        guard !isOver else { return }
        isOver = true
        fail(error)
    }
}
#endif
