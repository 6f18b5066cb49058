import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL

/// A server with a certificate that only its tests trust, over HTTP/2. The path of a request determines its result: `/answer`,
/// `/reset` (of the stream), `/close` (of the connection), `/refuse` (the stream), `/goaway` (names the stream before); `/drain`
/// responds to twenty requests on each connection, and then sends a GOAWAY; others stay without a response.
final class SecureServer: Sendable {
    let certificate: NIOSSLCertificate
    private let channel: any Channel
    private let log = NIOLockedValueBox<(paths: [String], connections: Int)>(([], 0))

    /// The addresses of its name, regardless of the machine's own tables.
    static let addresses = ["localhost": "127.0.0.1"]

    /// An account of the bank.
    static let account =
        #"{"data":{"id":1,"owner":"A","balance":1,"status":"active","openedAt":"2026-01-01T00:00:00Z"}}"#

    var url: String { "https://localhost:\(channel.localAddress?.port ?? 0)" }
    var paths: [String] { log.withLockedValue { $0.paths } }
    var connections: Int { log.withLockedValue { $0.connections } }

    convenience init() async throws {
        let made = try ServerCertificate()
        try await self.init(made.file, key: made.keyFile)
    }

    /// - Parameters:
    ///   - file: its certificate in PEM.
    ///   - key: the file of its key in PEM.
    init(_ file: String, key: String) async throws {
        let certificates = try NIOSSLCertificate.fromPEMFile(file)
        certificate = certificates[0]
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
        configuration.applicationProtocols = ["h2"]
        let (context, log) = (try NIOSSLContext(configuration: configuration), log)
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    log.withLockedValue { $0.connections += 1 }
                    let drain = NIOLockedValueBox(Drain())
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
                        mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
                    ) { stream in
                        stream.eventLoop.makeCompletedFuture {
                            try stream.pipeline.syncOperations.addHandlers(
                                HTTP2FramePayloadToHTTP1ServerCodec(), Answering(log, channel, drain))
                        }
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    func stop() async throws { try await channel.close() }
}

/// How far a connection has got that is to end in an orderly way.
private struct Drain {
    private var left = 20
    /// The last stream that is processed, once its GOAWAY names it.
    private(set) var last: HTTP2StreamID?

    /// Whether a stream whose request is whole is processed.
    mutating func takes(_ stream: HTTP2StreamID) -> Bool {
        if let last { return stream < last }
        left -= 1
        if left == 0 { last = stream }
        return true
    }
}

/// Answers one request.
private final class Answering: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let log: NIOLockedValueBox<(paths: [String], connections: Int)>
    private let connection: any Channel
    private let drain: NIOLockedValueBox<Drain>
    private var path = ""

    init(
        _ log: NIOLockedValueBox<(paths: [String], connections: Int)>, _ connection: any Channel,
        _ drain: NIOLockedValueBox<Drain>
    ) {
        self.log = log
        self.connection = connection
        self.drain = drain
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): path = head.uri
        case .body: break
        case .end:
            guard let stream = stream(of: context) else { return }
            let isDrained = path.hasPrefix("/drain/")
            if isDrained, !drain.withLockedValue({ $0.takes(stream) }) { return }
            log.withLockedValue { $0.paths.append(path) }
            switch path.split(separator: "/").first {
            case "answer":
                let headers: NIOHTTP1.HTTPHeaders = ["x-many": "one", "X-Many": "two"]
                context.write(
                    wrapOutboundOut(.head(HTTPResponseHead(version: .http2, status: .ok, headers: headers))),
                    promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: path)))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(["x-trailer": "1"])), promise: nil)
            case "drain":
                let head = HTTPResponseHead(version: .http2, status: .ok, headers: ["content-type": "application/json"])
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.write(
                    wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: SecureServer.account)))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
                if drain.withLockedValue({ $0.last }) == stream { sendGoAway(last: stream) }
            case "refuse":
                connection.writeAndFlush(
                    HTTP2Frame(streamID: stream, payload: .rstStream(.refusedStream)), promise: nil)
            case "goaway":
                sendGoAway(last: HTTP2StreamID(max(0, Int(stream) - 2)))
            case "reset": context.close(promise: nil)
            case "close": connection.close(promise: nil)
            default: break
            }
        }
    }

    private func stream(of context: ChannelHandlerContext) -> HTTP2StreamID? {
        try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
    }

    private func sendGoAway(last: HTTP2StreamID) {
        let payload = HTTP2Frame.FramePayload.goAway(lastStreamID: last, errorCode: .noError, opaqueData: nil)
        connection.writeAndFlush(HTTP2Frame(streamID: .rootStream, payload: payload), promise: nil)
    }
}
