#if AsyncHTTPClient
import AsyncHTTPClient
import ErrandJSON
import ErrandRuntime
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1

/// One request under way, and what has come of its answer. The client reports all of it on one event loop.
final class Exchange: HTTPClientResponseDelegate {
    typealias Response = TransportResponse

    private struct State {
        var task: HTTPClient.Task<TransportResponse>?
        var isCancelled = false
        var isHeadSent = false
        var head: HTTPResponseHead?
        var body: ByteCollector
    }

    /// Ends an exchange from inside.
    private enum End: Error {
        case oversized, redirect
    }

    private let request: TransportRequest
    private let stopsAtRedirects: Bool
    private let state: NIOLockedValueBox<State>

    /// - Parameter stopsAtRedirects: whether the client might follow a redirect by itself, with all headers, and must be
    ///   stopped.
    init(_ request: TransportRequest, stopsAtRedirects: Bool) {
        self.request = request
        self.stopsAtRedirects = stopsAtRedirects
        state = NIOLockedValueBox(State(body: ByteCollector(limit: request.maximumResponseSize)))
    }

    /// - Parameter isDemanding: whether the connection has to be on the loop, too, also where another one is free.
    func carryOut(
        _ prepared: HTTPClient.Request, over client: HTTPClient, on eventLoop: any EventLoop, isDemanding: Bool,
        until deadline: NIODeadline
    ) async -> Result<TransportResponse, TransportFault> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // From there, so that a cancellation comes before the request or after it.
                eventLoop.execute { [self] in
                    guard !state.withLockedValue({ $0.isCancelled }) else {
                        return continuation.resume(
                            returning: .failure(TransportFault(.cancelled, evidence: .notSent)))
                    }
                    let task = client.execute(
                        request: prepared, delegate: self,
                        eventLoop: isDemanding ? .delegateAndChannel(on: eventLoop) : .delegate(on: eventLoop),
                        deadline: deadline)
                    task.futureResult.whenComplete { continuation.resume(returning: self.result($0)) }
                    let isCancelled = state.withLockedValue { state in
                        state.task = task
                        return state.isCancelled
                    }
                    if isCancelled { task.cancel() }
                }
            }
        } onCancel: {
            let task = state.withLockedValue { state in
                state.isCancelled = true
                return state.task
            }
            task?.cancel()
        }
    }

    private func result(_ result: Result<TransportResponse, any Error>) -> Result<TransportResponse, TransportFault> {
        let state = state.withLockedValue { state in
            // It holds this exchange.
            state.task = nil
            return state
        }
        switch (result, state.head) {
        case (.success(let response), _): return .success(response)
        case (.failure(End.redirect), let head?): return .success(TransportResponse(head, body: []))
        case (.failure(let error), _):
            if error is End || state.body.isPastLimit {
                return .failure(TransportFault(.oversized, evidence: .responded))
            }
            return .failure(TransportFault(error, isHeadSent: state.isHeadSent || state.head != nil))
        }
    }

    // MARK: What the client reports

    func didSendRequestHead(task: HTTPClient.Task<TransportResponse>, _ head: HTTPRequestHead) {
        state.withLockedValue { $0.isHeadSent = true }
    }

    func didVisitURL(
        task: HTTPClient.Task<TransportResponse>, _ request: HTTPClient.Request, _ head: HTTPResponseHead
    ) {
        guard stopsAtRedirects, (300..<400).contains(head.status.code), head.headers.contains(name: "Location")
        else {
            return
        }
        state.withLockedValue { $0.head = head }
        task.fail(reason: End.redirect)
    }

    func didReceiveHead(task: HTTPClient.Task<TransportResponse>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        // What a HEAD announces does not come.
        let announced =
            request.method == .head ? nil : head.headers.first(name: "Content-Length").flatMap { Int($0) }
        state.withLockedValue { state in
            state.head = head
            state.body = ByteCollector(expectedSize: announced, limit: request.maximumResponseSize)
        }
        if let announced, announced > request.maximumResponseSize {
            return task.eventLoop.makeFailedFuture(End.oversized)
        }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(task: HTTPClient.Task<TransportResponse>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        let isTaken = state.withLockedValue { state in buffer.withUnsafeReadableBytes { state.body.append($0) } }
        return isTaken ? task.eventLoop.makeSucceededVoidFuture() : task.eventLoop.makeFailedFuture(End.oversized)
    }

    func didFinishRequest(task: HTTPClient.Task<TransportResponse>) throws -> TransportResponse {
        let state = state.withLockedValue { $0 }
        guard let head = state.head else { throw HTTPParserError.invalidEOFState }
        return TransportResponse(head, body: state.body.finish())
    }
}

extension TransportResponse {
    fileprivate init(_ head: HTTPResponseHead, body: [UInt8]) {
        self.init(
            status: Int(head.status.code),
            headers: HTTPHeaders(head.headers.map { HTTPHeaders.Field($0.name, $0.value) }), body: body)
    }
}
#endif
