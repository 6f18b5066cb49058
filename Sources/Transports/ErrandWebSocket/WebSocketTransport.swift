#if WebSocket
public import ErrandRuntime
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL

/// Opens WebSocket connections (RFC 6455) on SwiftNIO. It needs the package's trait `WebSocket`.
///
/// It offers no extension, so that messages are not compressed. A message is never sent twice. A server cannot end the process, and
/// fills at most the memory of one message and of one read.
public final class WebSocketTransport: MessageTransport {
    private let group: any EventLoopGroup
    private let trust: ServerTrust
    private let proxies: ProxySettings

    /// - Parameters:
    ///   - authorities: authorities that are trusted for some hosts, in place of the system's.
    ///   - proxies: which connections go through which proxy, by default those of the environment, which is read once, here. A proxy is
    ///     asked for a connection (CONNECT) to every server, as RFC 6455 section 4.1 says. A connection to which a proxy of SOCKS
    ///     applies fails (`ProxyError.unsupported`).
    ///   - group: the event loops of the connections; by default those that the process shares.
    /// - Throws: `TrustedAuthorityError.unreadableCertificate` if a certificate isn't PEM or DER.
    public convenience init(
        trusting authorities: [TrustedAuthority] = [], proxies: ProxySettings = .environment,
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) throws(TrustedAuthorityError) {
        self.init(try ServerTrust(authorities), proxies, group)
    }

    /// The same, which also presents a certificate to each of some hosts (mutual TLS).
    ///
    /// - Throws: `ClientCertificateError.unusable` if the key isn't the one of the certificate; `severalForHost` for two certificates of
    ///   one host; `TrustedAuthorityError` as the other initializer.
    public convenience init(
        trusting authorities: [TrustedAuthority] = [], presenting certificates: [ClientCertificate],
        proxies: ProxySettings = .environment,
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) throws {
        self.init(try ServerTrust(authorities, presenting: certificates), proxies, group)
    }

    private init(_ trust: ServerTrust, _ proxies: ProxySettings, _ group: any EventLoopGroup) {
        self.trust = trust
        self.proxies = proxies
        self.group = group
    }

    public var enforcesPins: Bool { true }

    public func open(_ opening: ConnectionOpening) async throws(OpeningFault) -> any MessageConnection {
        guard let url = WebSocketURL(opening.url) else {
            throw .failed(TransportFault(.unreadable, evidence: .notSent))
        }
        let tls: NIOSSLContext?
        do {
            tls = url.isSecure ? try NIOSSLContext(configuration: trust.configuration(for: url.origin.host)) : nil
        } catch {
            throw .failed(TransportFault(.tls, evidence: .notSent, underlying: HiddenError(error)))
        }
        let attempt = OpeningAttempt(opening, url, tls, over: try proxy(to: url.origin), on: group.next())
        do throws(OpeningFault) {
            return try await attempt.carryOut().get()
        } catch {
            guard case .failed(let fault) = error, (fault.underlying as? HiddenError)?.isCertificateRefused ?? false
            else { throw error }
            throw .failed(TransportFault(trust.certificateProblem(of: url.origin.host)))
        }
    }

    private func proxy(to origin: Origin) throws(OpeningFault) -> Proxy? {
        do throws(ProxyError) {
            let proxy = try proxies.proxy(for: origin)
            if let proxy, !proxy.kind.isHTTP {
                throw .unsupported(proxy: proxy.description, transport: "WebSocketTransport")
            }
            return proxy
        } catch {
            throw .failed(TransportFault(error))
        }
    }
}

/// One attempt to open a connection.
private final class OpeningAttempt: Sendable {
    typealias Outcome = Result<WebSocketConnection, OpeningFault>

    private struct State {
        var completion: CheckedContinuation<Outcome, Never>?
        var outcome: Outcome?
        var channel: (any Channel)?
        var timer: Scheduled<Void>?
    }

    private let opening: ConnectionOpening
    private let url: WebSocketURL
    private let tls: NIOSSLContext?
    private let proxy: Proxy?
    private let eventLoop: any EventLoop
    private let state = NIOLockedValueBox(State())

    /// - Parameter proxy: what is connected to in place of the server; nil for a direct connection.
    init(
        _ opening: ConnectionOpening, _ url: WebSocketURL, _ tls: NIOSSLContext?, over proxy: Proxy?,
        on eventLoop: any EventLoop
    ) {
        self.opening = opening
        self.url = url
        self.tls = tls
        self.proxy = proxy
        self.eventLoop = eventLoop
    }

    func carryOut() async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = state.withLockedValue { state in
                    if state.outcome == nil { state.completion = continuation }
                    return state.outcome
                }
                if let outcome { return continuation.resume(returning: outcome) }
                connect()
            }
        } onCancel: {
            finish(.failure(.failed(TransportFault(.cancelled, evidence: .notSent))))
        }
    }

    private func connect() {
        let limit = TimeAmount(limiting: opening.timeout)
        let timer = eventLoop.scheduleTask(in: limit) { [self] in
            finish(.failure(.failed(TransportFault(.timeout, evidence: .notSent))))
        }
        let isOver = state.withLockedValue { state in
            state.timer = timer
            return state.outcome != nil
        }
        if isOver { timer.cancel() }
        // The brackets of an IPv6 address belong to the URL.
        let host = url.origin.host.hasPrefix("[") ? String(url.origin.host.dropFirst().dropLast()) : url.origin.host
        ClientBootstrap(group: eventLoop)
            .connectTimeout(limit)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelInitializer { [self] channel in
                let isOver = state.withLockedValue { state in
                    state.channel = channel
                    return state.outcome != nil
                }
                if isOver { return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel) }
                return channel.eventLoop.makeCompletedFuture { try self.begin(channel, host) }
            }
            .connect(host: proxy?.address ?? host, port: proxy?.port ?? url.origin.port)
            .whenFailure { [self] error in
                finish(.failure(.failed(TransportFault(opening: error).beforeConnection(to: proxy))))
            }
    }

    /// Adds the handlers of a new connection, which leads to the server or to the proxy.
    private func begin(_ channel: any Channel, _ host: String) throws {
        guard let proxy else { return try prepare(channel, host) }
        try ProxyTunnel.add(to: channel, proxy, server: url.origin) { [self] channel in
            try prepare(channel, host)
        } orFail: { [self] error in
            let fault = (error as? ProxyError).map { TransportFault($0) } ?? TransportFault(opening: error)
            finish(.failure(.failed(fault)))
        }
    }

    private func prepare(_ channel: any Channel, _ host: String) throws {
        let pipeline = channel.pipeline.syncOperations
        let counting = tls.map { _ in CountingHandler() }
        if let tls, let counting {
            // An address has no name to ask for.
            let name = (try? SocketAddress(ipAddress: host, port: 0)) == nil ? host : nil
            try pipeline.addHandler(counting)
            try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name))
            if let pins = opening.pins {
                return try pipeline.addHandler(
                    PinHandler(pins, of: host) { [self] channel in
                        try shakeHands(channel, counting)
                    } orFail: { [self] error in
                        let fault = (error as? PinError).map { TransportFault($0) } ?? TransportFault(opening: error)
                        finish(.failure(.failed(fault)))
                    })
            }
        }
        try shakeHands(channel, counting)
    }

    private func shakeHands(_ channel: any Channel, _ counting: CountingHandler?) throws {
        try HandshakeHandler.add(to: channel, for: opening, url, countedBy: counting?.counter) { [self] outcome in
            finish(outcome)
        }
    }

    /// Ends the attempt, once.
    private func finish(_ outcome: Outcome) {
        let (isFirst, completion, channel, timer) = state.withLockedValue { state in
            let isFirst = state.outcome == nil
            if isFirst { state.outcome = outcome }
            defer { state.completion = nil }
            return (isFirst, state.completion, state.channel, state.timer)
        }
        guard isFirst else {
            // It has opened too late.
            if case .success(let connection) = outcome { connection.drop() }
            return
        }
        timer?.cancel()
        if case .failure = outcome { channel?.close(promise: nil) }
        completion?.resume(returning: outcome)
    }
}

extension TimeAmount {
    /// A duration in nanoseconds, a year at most.
    init(limiting duration: Duration) {
        let limited = min(max(duration, .zero), .seconds(31_536_000)).components
        self = .nanoseconds(limited.seconds * 1_000_000_000 + limited.attoseconds / 1_000_000_000)
    }
}
#endif
