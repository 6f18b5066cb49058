#if WebSocket
import ErrandRuntime
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Makes the opening handshake (RFC 6455 section 4.1), and gives its place to the handlers of messages.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart
    typealias Completion = @Sendable (Result<WebSocketConnection, OpeningFault>) -> Void

    /// The longest body of a refusal that is kept, in bytes.
    private static let maximumBodySize = 64 << 10

    private enum State {
        case waiting
        /// The server agrees, and the end of its response is still to come.
        case accepted
        /// The handlers are exchanged. What arrives meanwhile belongs to the new ones.
        case changing([NIOAny])
        case refused(HTTPResponseHead, body: [UInt8])
        case over
    }

    private let opening: ConnectionOpening
    private let url: WebSocketURL
    private let complete: Completion
    /// Counts the bytes below TLS; nil without TLS.
    private let counter: ByteCounter?
    /// Makes the key, and checks the server's response to it.
    private let upgrader = NIOWebSocketClientUpgrader { channel, _ in channel.eventLoop.makeSucceededVoidFuture() }
    private let encoder: HTTPRequestEncoder
    private let decoder: ByteToMessageHandler<HTTPResponseDecoder>
    private var state = State.waiting
    private var isSent = false

    private init(
        _ opening: ConnectionOpening, _ url: WebSocketURL, _ encoder: HTTPRequestEncoder,
        _ decoder: ByteToMessageHandler<HTTPResponseDecoder>, counter: ByteCounter?,
        completing complete: @escaping Completion
    ) {
        self.opening = opening
        self.url = url
        self.encoder = encoder
        self.decoder = decoder
        self.counter = counter
        self.complete = complete
    }

    static func add(
        to channel: any Channel, for opening: ConnectionOpening, _ url: WebSocketURL, countedBy counter: ByteCounter?,
        complete: @escaping Completion
    ) throws {
        let encoder = HTTPRequestEncoder()
        let decoder = ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes))
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(encoder)
        try pipeline.addHandler(decoder)
        try pipeline.addHandler(
            HandshakeHandler(opening, url, encoder, decoder, counter: counter, completing: complete))
    }

    // MARK: The request

    func channelActive(context: ChannelHandlerContext) { send(context) }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { send(context) }
    }

    private func send(_ context: ChannelHandlerContext) {
        guard !isSent else { return }
        isSent = true
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: url.target)
        head.headers.add(name: "Host", value: url.authority)
        head.headers.add(name: "Upgrade", value: "websocket")
        head.headers.add(name: "Connection", value: "Upgrade")
        upgrader.addCustom(upgradeRequestHeaders: &head.headers)
        if let name = opening.subprotocol { head.headers.add(name: "Sec-WebSocket-Protocol", value: name) }
        for field in opening.headers.fields { head.headers.add(name: field.name, value: field.value) }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    // MARK: The response

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .changing(var held) = state {
            held.append(data)
            state = .changing(held)
            return
        }
        switch (state, unwrapInboundIn(data)) {
        case (.waiting, .head(let head)): receive(head, context)
        case (.accepted, .end): change(context)
        case (.refused(let head, var body), .body(let part)):
            body += part.readableBytesView.prefix(Self.maximumBodySize - body.count)
            // What comes after that says nothing more, and may never end.
            if body.count == Self.maximumBodySize { return refuse(head, body) }
            state = .refused(head, body: body)
        case (.refused(let head, let body), .end): refuse(head, body)
        default: break
        }
    }

    private func receive(_ head: HTTPResponseHead, _ context: ChannelHandlerContext) {
        guard head.status == .switchingProtocols else {
            state = .refused(head, body: [])
            return
        }
        let agreed = head.headers[canonicalForm: "Sec-WebSocket-Protocol"]
        guard head.headers[canonicalForm: "Upgrade"].map({ $0.lowercased() }) == ["websocket"],
            upgrader.shouldAllowUpgrade(upgradeResponse: head),
            agreed == (opening.subprotocol.map { [Substring($0)] } ?? []),
            head.headers["Sec-WebSocket-Extensions"].isEmpty
        else { return fail(.unreadable) }
        state = .accepted
    }

    /// Exchanges the handlers of HTTP for those of messages.
    private func change(_ context: ChannelHandlerContext) {
        state = .changing([])
        let pipeline = context.pipeline.syncOperations
        // The decoder hands on what it has not read when it is removed.
        pipeline.removeHandler(encoder).and(pipeline.removeHandler(decoder))
            .assumeIsolated()
            .whenComplete { [self] result in
                guard case .success = result, case .changing(let held) = state else { return fail(.lost) }
                do {
                    let size = min(max(1, opening.maximumMessageSize), Int(clamping: UInt32.max))
                    let messages = MessageHandler(maximumSize: size)
                    let counting = CountingHandler()
                    if let counter { counter.restart() } else { try pipeline.addHandler(counting) }
                    try pipeline.addHandler(WebSocketFrameEncoder())
                    try pipeline.addHandler(ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: size)))
                    try pipeline.addHandler(messages)
                    state = .over
                    let bytes = counter ?? counting.counter
                    complete(.success(WebSocketConnection(context.channel, messages.inbox, bytes)))
                    for data in held { context.fireChannelRead(data) }
                    if !held.isEmpty { context.fireChannelReadComplete() }
                    pipeline.removeHandler(self, promise: nil)
                } catch {
                    fail(.lost)
                }
            }
    }

    private func refuse(_ head: HTTPResponseHead, _ body: [UInt8]) {
        state = .over
        var headers = ErrandRuntime.HTTPHeaders()
        for (name, value) in head.headers { headers.append(name, value) }
        complete(.failure(.refused(TransportResponse(status: Int(head.status.code), headers: headers, body: body))))
    }

    private func fail(_ kind: TransportFault.Kind) {
        state = .over
        complete(.failure(.failed(TransportFault(kind, evidence: .notSent))))
    }

    // MARK: The end

    func channelInactive(context: ChannelHandlerContext) {
        switch state {
        case .refused(let head, let body): refuse(head, body)
        case .over: break
        case .waiting, .accepted, .changing: fail(.lost)
        }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case .over = state { return context.fireErrorCaught(error) }
        state = .over
        complete(.failure(.failed(TransportFault(opening: error))))
    }
}

extension TransportFault {
    /// The fault for an error while a connection is opened.
    init(opening error: any Error) {
        let kind: Kind =
            switch error {
            case let error as NIOConnectionError where error.connectionErrors.isEmpty:
                error.dnsAError == nil && error.dnsAAAAError == nil ? .refused : .dns
            case is NIOConnectionError: .refused
            case NIOSSLError.uncleanShutdown: .lost
            case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: .tls
            case ChannelError.connectTimeout: .timeout
            case HTTPParserError.invalidEOFState: .lost
            case is HTTPParserError: .unreadable
            case let error as IOError: Self.isOfConnection(error) ? .lost : .refused
            default: .lost
            }
        self.init(kind, evidence: .notSent, underlying: HiddenError(error))
    }

    /// Whether it is about a connection that was there, rather than about making one.
    private static func isOfConnection(_ error: IOError) -> Bool {
        [ECONNRESET, EPIPE, ENOTCONN, EBADF].contains(error.errnoCode)
    }
}

/// What kind of error there was, without what it carries.
struct HiddenError: Error, CustomStringConvertible {
    let description: String
    /// Whether the server has refused the client because of its certificate.
    let isCertificateRefused: Bool

    init(_ error: any Error) {
        isCertificateRefused =
            (error is BoringSSLError || error is NIOSSLError)
            && CertificateRefusal.isReported(by: "\(error)", isSent: error is BoringSSLError)
        description = (error as? IOError).map { "IOError \($0.errnoCode)" } ?? "\(type(of: error))"
    }
}
#endif
