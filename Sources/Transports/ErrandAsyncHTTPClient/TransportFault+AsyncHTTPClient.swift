#if AsyncHTTPClient
import AsyncHTTPClient
import ErrandRuntime
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPCompression
import NIOPosix
import NIOSSL
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension TransportFault {
    /// The fault for an error of the client.
    ///
    /// - Parameters:
    ///   - isHeadSent: whether the head of the request was written to a connection, or a response has begun.
    ///   - isAnswered: whether a response has begun.
    ///   - isCancelled: whether the task of the request was cancelled.
    ///   - isPlain: whether the request uses no TLS.
    ///   - proxy: what the client connected to; nil for the server.
    init(
        _ error: any Error, isHeadSent: Bool, isAnswered: Bool, isCancelled: Bool, isPlain: Bool, proxy: Proxy? = nil
    ) {
        if let problem = error as? PinError {
            self.init(problem)
            return
        }
        if let proxy, !isHeadSent, let problem = ProxyError(error, of: proxy) {
            self.init(problem)
            return
        }
        var (kind, isAnswer) = Self.meaning(of: error)
        let code = isAnswered ? nil : (error as? NIOHTTP2Errors.StreamClosed)?.errorCode
        var isStale = error is StaleConnection || code == .staleConnection
        if kind == .cancelled, !isCancelled {
            // The client cancels a request that it has given to a connection of HTTP/2 which began to close meanwhile.
            kind = .lost
            isStale = !isHeadSent
        }
        // The client had given the request to a kept connection, which ended before the request was written: the end is reported
        // by the client, by the channel or by the system, whichever notices it first. With TLS or a proxy, the same errors may be
        // about a connection that was being made.
        if isPlain, proxy == nil, !isHeadSent, !isAnswer, kind == .lost { isStale = true }
        let evidence: Evidence =
            if isAnswer {
                .responded
            } else if code == .refusedStream {
                .unprocessed
            } else {
                isHeadSent ? .sent : .notSent
            }
        let fault = TransportFault(
            kind, evidence: evidence, isStaleConnection: isStale && !isAnswered,
            underlying: error as? BodySourceError ?? ClientError(error, isPlain: isPlain) as any Error)
        self = fault.beforeConnection(to: Self.isOfConnecting(error) ? proxy : nil)
    }

    /// Whether a connection over TLS has ended before the request was written, and nothing says why: over HTTP/2, that may be a refused
    /// client certificate.
    var isUnexplained: Bool { evidence == .notSent && (underlying as? ClientError)?.isUnexplainedEnd ?? false }

    /// Whether no connection was made, to the server or to the proxy.
    private static func isOfConnecting(_ error: any Error) -> Bool {
        switch error {
        case is NIOConnectionError, ChannelError.connectTimeout: true
        case let error as HTTPClientError:
            [.connectTimeout, .httpProxyHandshakeTimeout, .socksHandshakeTimeout].contains(error)
        default: false
        }
    }

    /// The kind, and whether something must have come from the server for this error.
    private static func meaning(of error: any Error) -> (Kind, isAnswer: Bool) {
        switch error {
        case is BodySourceError: (.requestBody, false)
        case let error as HTTPClientError: (meaning(of: error), false)
        case let error as NIOConnectionError: (meaning(of: error), false)
        case HTTPParserError.invalidEOFState, NIOSSLError.uncleanShutdown, is StaleConnection: (.lost, false)
        case is HTTPParserError: (.unreadable, true)
        case NIOHTTPDecompression.DecompressionError.limit: (.oversized, true)
        case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            (.unreadable, true)
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: (.tls, false)
        case ChannelError.connectTimeout: (.timeout, false)
        case let error as IOError: (isOfConnection(error) ? .lost : .refused, false)
        default: meaningOnApple(of: error)
        }
    }

    private static func meaning(of error: HTTPClientError) -> Kind {
        switch error {
        case .cancelled: .cancelled
        case .deadlineExceeded, .readTimeout, .writeTimeout, .connectTimeout, .getConnectionFromPoolTimeout,
            .tlsHandshakeTimeout,
            .httpProxyHandshakeTimeout, .socksHandshakeTimeout:
            .timeout
        case .proxyAuthenticationRequired: .authentication
        case .invalidProxyResponse, .alreadyShutdown: .refused
        case .remoteConnectionClosed, .uncleanShutdown: .lost
        case _ where error.shortDescription == "Server offered unsupported application protocol": .tls
        // The remaining errors are invalid requests: an empty host, or a header with a line break.
        default: .unreadable
        }
    }

    /// A name without an address cannot lead to a refused connection.
    private static func meaning(of error: NIOConnectionError) -> Kind {
        if !error.connectionErrors.isEmpty {
            return error.connectionErrors.allSatisfy { ($0.error as? ChannelError).map(isTimeout) ?? false }
                ? .timeout : .refused
        }
        return error.dnsAError == nil && error.dnsAAAAError == nil ? .refused : .dns
    }

    private static func isTimeout(_ error: ChannelError) -> Bool {
        if case .connectTimeout = error { true } else { false }
    }

    /// Whether it is about a connection that was there, rather than about making one.
    private static func isOfConnection(_ error: IOError) -> Bool {
        [ECONNRESET, EPIPE, ENOTCONN, EBADF].contains(error.errnoCode)
    }

    #if canImport(Network)
    private static func meaningOnApple(of error: any Error) -> (Kind, isAnswer: Bool) {
        switch error {
        case is HTTPClient.NWTLSError: (.tls, false)
        case let error as HTTPClient.NWPOSIXError:
            (
                [.ECONNRESET, .EPIPE, .ENOTCONN].contains(error.errorCode)
                    ? .lost : error.errorCode == .ETIMEDOUT ? .timeout : .refused, false
            )
        default: ("\(type(of: error))".contains("DNS") ? .dns : .lost, false)
        }
    }
    #else
    private static func meaningOnApple(of error: any Error) -> (Kind, isAnswer: Bool) { (.lost, false) }
    #endif
}

extension ProxyError {
    /// The reason why a proxy made no connection; nil for any other error.
    fileprivate init?(_ error: any Error, of proxy: Proxy) {
        switch error as? HTTPClientError {
        case .proxyAuthenticationRequired: self.init(proxy, status: 407)
        case .invalidProxyResponse: self = .refusedConnection(proxy: proxy.description, status: nil)
        default: return nil
        }
    }
}

/// What kind of error the client had, without what it carries: that may name the URL or a header.
struct ClientError: Error, CustomStringConvertible {
    let description: String
    /// Whether the client says only that a connection over TLS has ended.
    let isUnexplainedEnd: Bool

    init(_ error: any Error, isPlain: Bool) {
        isUnexplainedEnd = !isPlain && error as? HTTPClientError == .remoteConnectionClosed
        switch error {
        case let error as HTTPClientError: description = "HTTPClientError: \(error.shortDescription)"
        case let error as IOError: description = "IOError \(error.errnoCode)"
        default: description = "\(type(of: error))"
        }
    }
}
#endif
