/// Sees every attempt before it is sent, and its response: to add a header, to log, to measure, to respond from a cache.
///
/// It is called once per attempt, after the session's token and the signature have been added; each retry calls it again. It
/// may change the request, the response, or the fault. It may call `next` once, or not at all. An error that it throws is
/// classified like a transport's own fault, so its evidence must be true.
///
/// A redirect is followed after the interceptors, which see the first request and the last response. A header that an
/// interceptor adds follows no redirect to another origin. If the request itself goes to another origin than the service's
/// (`TransportRequest.isForeign`), such a header is only sent if it is written for that URL (`HTTPHeaders.Field.isForURL`).
/// An interceptor that changes the URL to another origin decides about the headers itself.
///
/// An interceptor sees a body that the contract has compressed in its uncompressed form (`TransportRequest.compression`).
///
/// An interceptor sees a streamed body unread: a request may have `streamedBody` in place of `body`, and a response may have
/// `stream`.
///
/// A failure names the URL that the transport was given last. Parts of this URL that an interceptor has added, other than
/// another origin, aren't printed, because they may be secret.
public protocol Interceptor: Sendable {
    /// - Parameter next: carries on with a request, through the next interceptor and finally the transport.
    func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
    ) async throws(TransportFault) -> TransportResponse
}

/// A transport with interceptors around it, the first one outermost.
struct InterceptedTransport: Transport {
    private let transport: any Transport
    private let interceptors: [any Interceptor]
    let compressor: (any BodyCompressor)?

    init(_ transport: any Transport, _ interceptors: [any Interceptor], _ compressor: (any BodyCompressor)?) {
        self.transport = transport
        self.compressor = compressor
        self.interceptors = interceptors
    }

    /// The same interceptors around another transport.
    func around(_ other: any Transport) -> InterceptedTransport {
        InterceptedTransport(other, interceptors, compressor)
    }

    var maximumRequestsPerHost: Int? { transport.maximumRequestsPerHost }
    var streamsRequestBodies: Bool { transport.streamsRequestBodies }
    var enforcesPins: Bool { transport.enforcesPins }
    var messageTransport: (any MessageTransport)? { transport.messageTransport }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        try await send(request, from: 0, original: request)
    }

    /// - Parameter original: the request before the interceptors, one of which may make another one.
    private func send(
        _ request: TransportRequest, from index: Int, original: TransportRequest
    ) async throws(TransportFault) -> TransportResponse {
        guard index < interceptors.count else { return try await sendLast(request, original) }
        return try await interceptors[index].intercept(request) {
            (request) async throws(TransportFault) in
            try await self.send(request, from: index + 1, original: original)
        }
    }

    private func sendLast(
        _ intercepted: TransportRequest, _ original: TransportRequest
    ) async throws(TransportFault) -> TransportResponse {
        do throws(TransportFault) {
            let request = await Self.last(intercepted, original).compressed(with: compressor)
            let response = try await request.sent(over: transport)
            original.sent?.note(response.followed)
            return response
        } catch {
            if error.isRedirected { original.sent?.note(.open) }
            throw error
        }
    }

    /// What an interceptor has made of a request, with what none may change.
    @inline(never)
    private static func last(_ intercepted: TransportRequest, _ original: TransportRequest) -> TransportRequest {
        var request = intercepted
        request.finalRedirects = original.finalRedirects
        request.frame = original.frame
        let isAtOrigin = Origin(request.url) == Origin(original.url)
        if isAtOrigin { request.pins = original.pins }
        request.isForeign = original.isForeign && isAtOrigin
        request = request.withoutServiceHeaders()
        original.sent?.note(request)
        return request
    }
}

/// The request that the transport was given in the end. It bypasses the interceptors, one of which may make a request of its
/// own.
final class SentRequest: Sendable {
    private struct State: Sendable {
        var line: (method: HTTPMethod, url: String)?
        var headers: HTTPHeaders?
        var followed = FollowedRedirects.none
    }

    private let state = LockedState<State> { State() }

    /// Where it went, and how; nil if no interceptor has let it through.
    var line: (method: HTTPMethod, url: String)? { state.withLock { $0.line } }
    /// Its headers; nil if no interceptor has let it through.
    var headers: HTTPHeaders? { state.withLock { $0.headers } }
    /// The redirects that were followed.
    var followed: FollowedRedirects { state.withLock { $0.followed } }

    func note(_ request: TransportRequest) {
        state.withLock { state in
            state.line = (request.method, request.url)
            state.headers = request.headers
        }
    }
    func note(_ followed: FollowedRedirects) { state.withLock { $0.followed = max($0.followed, followed) } }
}
