#if AsyncHTTPClient
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The end of a kept connection before the first line of a response.
struct StaleConnection: Error {}

/// The field by which a connection tells a request that its response came over a kept connection, because the client passes nothing but
/// messages on. The transport removes it. A server that sends it says nothing but that it keeps its connections.
enum ReusedConnectionMark {
    static let name = "errand-reused-connection"
}

extension HTTP2ErrorCode {
    /// The same on HTTP/2. It is for the streams of this process only: a server that sends it means nothing by it.
    static let staleConnection = HTTP2ErrorCode(networkCode: 0xFFFF_FFE7)
}

extension HTTPClient.Configuration {
    /// Has each connection tell its requests how it ended, which the client doesn't: the client reports the same error for a
    /// connection that was dead, for one that broke, and for a stream above the last one of a GOAWAY.
    mutating func watchConnections() {
        let (first, second) = (http1_1ConnectionDebugInitializer, http2ConnectionDebugInitializer)
        http1_1ConnectionDebugInitializer = { channel in
            Self.watch(channel, beside: first) { pipeline in
                let watch = HTTP1ConnectionWatch()
                let encoder = try pipeline.handler(type: HTTPRequestEncoder.self)
                try pipeline.addHandler(watch, position: .after(encoder))
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                try pipeline.addHandler(HTTP1ResponseMarker(watch), position: .after(decoder))
            }
        }
        http2ConnectionDebugInitializer = { channel in
            Self.watch(channel, beside: second) { pipeline in
                let multiplexer = try pipeline.handler(type: HTTP2StreamMultiplexer.self)
                try pipeline.addHandler(HTTP2ConnectionWatch(), position: .before(multiplexer))
            }
        }
    }

    /// - Parameter initialize: the app's own.
    private static func watch(
        _ channel: any Channel, beside initialize: (@Sendable (any Channel) -> EventLoopFuture<Void>)?,
        _ add: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void
    ) -> EventLoopFuture<Void> {
        // A client whose connections are built in another way reports less, and works.
        let add: @Sendable () -> Void = {
            closeOnExec(channel)
            try? add(channel.pipeline.syncOperations)
        }
        if channel.eventLoop.inEventLoop {
            add()
            return initialize?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()
        }
        let added = channel.eventLoop.submit(add)
        return added.flatMap { initialize?(channel) ?? channel.eventLoop.makeSucceededVoidFuture() }
    }

    /// Closes a connection in processes that this one starts. NIO opens its sockets without that flag, and a process that holds
    /// one keeps a cancelled request alive. No request is written before.
    private static func closeOnExec(_ channel: any Channel) {
        // A channel over Network.framework has no descriptor.
        _ = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { (descriptor: NIOBSDSocket.Handle) in
            fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }
}

/// Watches a connection of HTTP/1.1, between the client's messages and the bytes of the connection.
private final class HTTP1ConnectionWatch: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = HTTPClientRequestPart

    private var requests = 0
    /// Whether a request was written of whose response no byte has arrived.
    private var isWaiting = false

    /// Whether it has carried a request before the last one.
    var isReused: Bool { requests > 1 }
    private var isStale: Bool { isReused && isWaiting }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head = unwrapOutboundIn(data) {
            requests += 1
            isWaiting = true
        }
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isWaiting = false
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard isStale, Self.endsConnection(error) else { return context.fireErrorCaught(error) }
        isWaiting = false
        context.fireErrorCaught(StaleConnection())
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isStale {
            isWaiting = false
            context.fireErrorCaught(StaleConnection())
        }
        context.fireChannelInactive()
    }

    private static func endsConnection(_ error: any Error) -> Bool {
        if case NIOSSLError.uncleanShutdown = error { true } else { error is IOError }
    }
}

/// Marks the responses of a connection of HTTP/1.1 that has carried a request before.
private final class HTTP1ResponseMarker: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private let watch: HTTP1ConnectionWatch

    init(_ watch: HTTP1ConnectionWatch) { self.watch = watch }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard watch.isReused, case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        head.headers.add(name: ReusedConnectionMark.name, value: "")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}

/// Watches a connection of HTTP/2, between its frames and its streams.
private final class HTTP2ConnectionWatch: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame
    typealias OutboundIn = HTTP2Frame

    private var firstBegun: HTTP2StreamID?
    private var lastBegun: HTTP2StreamID = .rootStream
    /// The open streams without any part of a response, apart from the connection's first one.
    private var waiting: Set<HTTP2StreamID> = []
    /// The last stream that the server may have processed, if it has sent a GOAWAY.
    private var lastProcessed: HTTP2StreamID?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let frame = unwrapOutboundIn(data)
        // Trailers have the number of a stream that has begun.
        if case .headers = frame.payload, frame.streamID > lastBegun {
            if firstBegun == nil { firstBegun = frame.streamID } else { waiting.insert(frame.streamID) }
            lastBegun = frame.streamID
        }
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(var headers):
            waiting.remove(frame.streamID)
            if frame.streamID != firstBegun {
                headers.headers.add(name: ReusedConnectionMark.name, value: "")
                frame.payload = .headers(headers)
                return context.fireChannelRead(wrapInboundOut(frame))
            }
        // A second GOAWAY cannot name a later stream (RFC 9113 section 6.8).
        case .goAway(let last, _, _): lastProcessed = min(last, lastProcessed ?? last)
        default: break
        }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? StreamClosedEvent else { return context.fireUserInboundEventTriggered(event) }
        waiting.remove(event.streamID)
        context.fireUserInboundEventTriggered(
            StreamClosedEvent(streamID: event.streamID, reason: reason(of: event)))
    }

    /// NIO closes the streams above the last one of a GOAWAY as it closes others.
    private func reason(of event: StreamClosedEvent) -> HTTP2ErrorCode? {
        switch event.reason {
        case .cancel? where lastProcessed.map { event.streamID > $0 } ?? false: .refusedStream
        case .staleConnection?: .internalError
        case let reason: reason
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        let streams = waiting
        waiting = []
        for stream in streams.sorted() {
            context.fireUserInboundEventTriggered(StreamClosedEvent(streamID: stream, reason: .staleConnection))
        }
        context.fireChannelInactive()
    }
}
#endif
