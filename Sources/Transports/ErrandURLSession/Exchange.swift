import ErrandRuntime
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request under way, and the state of its response. Accessed only under the delegate's lock.
package struct Exchange {
    typealias Completion = CheckedContinuation<Result<TransportResponse, TransportFault>, Never>

    let request: TransportRequest
    private let completion: Completion
    private var body: ByteCollector
    /// The body of a response whose head was handed over.
    private var stream: StreamedBodyBuffer?
    private var pause: TaskPause?
    private var isAnnouncedTooLarge = false
    /// Whether the request was never written to a connection; nil if it is unknown.
    var isUnsent: Bool?
    /// Whether the request was last written to a kept connection, and no response began. False if it is unknown.
    var isStaleConnection = false
    /// Whether the request was last written to a kept connection. False if it is unknown.
    var isReusedConnection = false
    /// Why the body of the request could not be read to its end.
    var problem: BodySourceError?
    /// Set if the server has another key than the pins say.
    var pinError: PinError?
    /// Set if the server has refused this client because of its certificate.
    var certificateProblem: ClientCertificateError?
    /// The 401 that asked for credentials. FoundationNetworking cancels the task if it gets no credentials, which loses the
    /// body of the response. Elsewhere the whole response follows.
    var challenge: HTTPURLResponse?
    private let start = ContinuousClock.now

    init(_ request: TransportRequest, _ completion: Completion) {
        self.request = request
        self.completion = completion
        body = ByteCollector(limit: request.maximumResponseSize)
    }

    /// Examines the head of the response; false if the body will be larger than allowed.
    ///
    /// - Parameter stop: closes the connection of a streamed response that its reader releases.
    mutating func accept(_ response: URLResponse, stop: @escaping @Sendable () -> Void) -> Bool {
        // Each part of a `multipart/x-mixed-replace` has a response of its own. The first one was handed over.
        if stream != nil { return true }
        if let response = response as? HTTPURLResponse, request.streamsResponse(ofStatus: response.statusCode) {
            let stream = StreamedBodyBuffer()
            self.stream = stream
            pause = TaskPause(stream)
            stream.onCancel(stop)
            completion.resume(
                returning: .success(
                    TransportResponse(
                        status: response.statusCode, headers: Self.headers(of: response), stream: stream.makeBody())))
            return true
        }
        // The body that the response to a HEAD announces is not sent.
        isAnnouncedTooLarge =
            request.method != .head && response.expectedContentLength > Int64(request.maximumResponseSize)
        body = ByteCollector(
            expectedSize: Int(exactly: response.expectedContentLength), limit: request.maximumResponseSize)
        return !isAnnouncedTooLarge
    }

    /// The step after a part of the body.
    enum Next {
        case more
        case pause(TaskPause)
        /// The body is larger than allowed.
        case stop
    }

    /// Keeps a part of the body.
    ///
    /// - Parameter follow: called after `pause`, when the buffer has room again.
    mutating func append(_ data: Data, follow: @escaping @Sendable (TaskPause) -> Void) -> Next {
        guard let stream, let pause else { return body.append(data) ? .more : .stop }
        #if canImport(FoundationNetworking)
        // FoundationNetworking ends the process if data arrives for a suspended task. Therefore the connection isn't paused, and
        // the bytes that wait for the reader are bounded here.
        _ = stream.push(Array(data))
        return stream.size > Self.largestBacklog ? .stop : .more
        #else
        return stream.push(Array(data)) { follow(pause) } ? .more : .pause(pause)
        #endif
    }

    #if canImport(FoundationNetworking)
    /// The maximum number of unread bytes of a streamed response if the connection can't be paused: 16 MiB.
    private static let largestBacklog = 16 << 20
    #endif

    /// Ends the exchange without a response.
    func end(_ fault: TransportFault) {
        if let stream { stream.finish(fault) } else { completion.resume(returning: .failure(fault)) }
    }

    /// Ends the exchange with the session's result.
    func finish(_ response: URLResponse?, _ error: (any Error)?) {
        let result = result(response, error)
        guard let stream else { return completion.resume(returning: result) }
        if case .failure(let fault) = result { stream.finish(fault) } else { stream.finish() }
    }

    private func result(
        _ response: URLResponse?, _ error: (any Error)?
    ) -> Result<TransportResponse, TransportFault> {
        if isAnnouncedTooLarge || body.isPastLimit { return .failure(TransportFault(.oversized, evidence: .responded)) }
        if let error {
            if let pinError { return .failure(TransportFault(pinError)) }
            if let certificateProblem {
                return .failure(TransportFault(certificateProblem, isSent: isUnsent != true))
            }
            if let challenge, (error as? URLError)?.code == .cancelled {
                return .success(
                    TransportResponse(status: challenge.statusCode, headers: Self.headers(of: challenge)))
            }
            if let problem {
                return .failure(
                    TransportFault(.requestBody, evidence: isUnsent == true ? .notSent : .sent, underlying: problem))
            }
            var fault = TransportFault(error)
            // FoundationNetworking also reports both for a connection that was closed too early. Statuses below 200 only
            // announce a response.
            let limit = URLSessionTransport.timeLimit(of: request)
            let isEarly = fault.kind == .timeout && ContinuousClock.now - start < limit / 2
            let isAnswered = (response as? HTTPURLResponse).map { $0.statusCode >= 200 } ?? false
            if isEarly || (fault.kind == .unreadable && fault.evidence == .responded && !isAnswered) {
                fault = TransportFault(.lost, evidence: .sent, underlying: fault.underlying)
            }
            if isUnsent == true { fault = TransportFault(fault.kind, evidence: .notSent, underlying: fault.underlying) }
            // A request that was sent on a dead connection may have failed on its second attempt.
            if isUnsent == false, fault.evidence == .notSent {
                fault = TransportFault(fault.kind, evidence: .sent, underlying: fault.underlying)
            }
            if isStaleConnection, fault.kind == .lost {
                fault = TransportFault(
                    .lost, evidence: fault.evidence, isStaleConnection: true, underlying: fault.underlying)
            }
            return .failure(fault)
        }
        guard let response = response as? HTTPURLResponse else {
            return .failure(TransportFault(.unreadable, evidence: .responded))
        }
        return .success(
            TransportResponse(
                status: response.statusCode, headers: Self.headers(of: response), body: body.finish(),
                isReusedConnection: isReusedConnection))
    }

    /// Whether no request was written, by the moments at which the session began to write; nil if it names no transaction. Nil
    /// isn't evidence, because a task can end before its metrics have the request.
    static func isUnsent(requestStarts: [Date?]) -> Bool? {
        requestStarts.isEmpty ? nil : requestStarts.allSatisfy { $0 == nil }
    }

    package static func headers(of response: HTTPURLResponse) -> HTTPHeaders {
        var fields: [HTTPHeaders.Field] = []
        for (name, value) in response.allHeaderFields {
            fields.append(HTTPHeaders.Field("\(name)", "\(value)"))
        }
        return HTTPHeaders(fields.sorted { $0.name < $1.name })
    }
}
