#if WebSocket
import ErrandRuntime
import NIOCore
import NIOHTTP1
import NIOSSL

/// Asks a proxy for a connection to a server (RFC 9110 section 9.3.6), and makes way for the handlers of that connection.
final class ProxyTunnel: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private enum State {
        case waiting
        /// The proxy has connected, and the end of its response is still to come.
        case connected
        case over
    }

    private let proxy: Proxy
    private let authority: String
    private let encoder = HTTPRequestEncoder()
    /// A server says nothing before the client does, so nothing may follow the proxy's response.
    private let decoder = ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes))
    private let proceed: (any Channel) throws -> Void
    private let fail: (any Error) -> Void
    private var state = State.waiting
    private var isSent = false

    private init(
        _ proxy: Proxy, to server: Origin, then proceed: @escaping (any Channel) throws -> Void,
        orFail fail: @escaping (any Error) -> Void
    ) {
        self.proxy = proxy
        authority = "\(server.host):\(server.port)"
        self.proceed = proceed
        self.fail = fail
    }

    /// - Parameters:
    ///   - proceed: adds the handlers of the connection to the server. Called on the event loop.
    ///   - fail: gets the `ProxyError`, or an error of the connection. Called on the event loop.
    static func add(
        to channel: any Channel, _ proxy: Proxy, server: Origin, then proceed: @escaping (any Channel) throws -> Void,
        orFail fail: @escaping (any Error) -> Void
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        if proxy.kind == .https {
            let context = try NIOSSLContext(configuration: .modern)
            let name = (try? SocketAddress(ipAddress: proxy.address, port: 0)) == nil ? proxy.address : nil
            try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: name))
        }
        let tunnel = ProxyTunnel(proxy, to: server, then: proceed, orFail: fail)
        try pipeline.addHandler(tunnel.encoder)
        try pipeline.addHandler(tunnel.decoder)
        try pipeline.addHandler(tunnel)
    }

    func channelActive(context: ChannelHandlerContext) {
        send(context)
        context.fireChannelActive()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { send(context) }
    }

    /// The proxy gets no header of the handshake, which has the token.
    private func send(_ context: ChannelHandlerContext) {
        guard !isSent else { return }
        isSent = true
        var head = HTTPRequestHead(version: .http1_1, method: .CONNECT, uri: authority)
        head.headers.add(name: "Host", value: authority)
        if let credentials = proxy.credentials {
            head.headers.add(name: "Proxy-Authorization", value: credentials.authorization)
        }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (state, unwrapInboundIn(data)) {
        case (.waiting, .head(let head)) where (200..<300).contains(head.status.code): state = .connected
        case (.waiting, .head(let head)): end(ProxyError(proxy, status: Int(head.status.code)))
        case (.connected, .end): makeWay(context)
        default: break
        }
    }

    private func makeWay(_ context: ChannelHandlerContext) {
        state = .over
        let (pipeline, channel) = (context.pipeline.syncOperations, context.channel)
        pipeline.removeHandler(encoder).and(pipeline.removeHandler(decoder))
            .and(pipeline.removeHandler(context: context))
            .assumeIsolated()
            .whenComplete { [proceed, fail] result in
                do {
                    _ = try result.get()
                    // A channel that is closed by now reports nothing to new handlers.
                    guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
                    try proceed(channel)
                } catch {
                    fail(error)
                }
            }
    }

    private func end(_ error: any Error) {
        guard state != .over else { return }
        state = .over
        fail(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(ProxyError.refusedConnection(proxy: proxy.description, status: nil))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(error) }
}
#endif
