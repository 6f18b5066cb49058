import ErrandRuntime
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A `URLSession`, with the connections that it keeps and the exchanges under way on them.
final class ConnectionPool: Sendable {
    private let session: URLSession
    private let exchanges: ExchangeDelegate
    private let trust: ServerTrust?
    private let proxy: Proxy?
    private let pins: PublicKeyPins?

    /// - Parameters:
    ///   - trust: the authorities for some hosts; nil if the system's authorities apply to all hosts.
    ///   - proxy: what gets credentials when it asks for them.
    ///   - pins: the keys that the servers of all requests may have; nil for any.
    init(
        _ configuration: URLSessionConfiguration, _ trust: ServerTrust?, _ proxy: Proxy? = nil,
        _ pins: PublicKeyPins? = nil
    ) {
        self.trust = trust
        self.proxy = proxy
        self.pins = pins
        exchanges = ExchangeDelegate(trust, proxy, pins)
        #if canImport(FoundationNetworking)
        let queue = DeliveryQueue()
        #else
        let queue = OperationQueue()
        #endif
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: queue)
    }

    deinit {
        // The session retains its delegate until it is invalidated.
        session.finishTasksAndInvalidate()
    }

    /// Another pool with the same configuration, without connections.
    func makeEmptyCopy() -> ConnectionPool { ConnectionPool(session.configuration, trust, proxy, pins) }

    /// Another pool for requests with pins, with which each of its connections is compared.
    func pinned(to pins: PublicKeyPins) -> ConnectionPool {
        ConnectionPool(session.configuration, trust, proxy, pins)
    }

    func send(
        _ request: TransportRequest, as urlRequest: URLRequest, priority: Float
    ) async throws(TransportFault) -> TransportResponse {
        let start = ExchangeStart()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard start.wait(Exchange(request, continuation)) else { return }
                SessionOrders.give { [self] in
                    guard start.isWanted else { return }
                    let task = makeTask(urlRequest, request)
                    task.priority = priority
                    if start.go(task, { exchanges.begin($0, for: task) }) { task.resume() } else { task.cancel() }
                }
            }
        } onCancel: {
            if let task = start.cancel() { exchanges.stop(task, TransportFault(.cancelled, evidence: .sent)) }
        }
        return try result.get()
    }

    private func makeTask(_ urlRequest: URLRequest, _ request: TransportRequest) -> URLSessionDataTask {
        #if !canImport(FoundationNetworking)
        if request.streamedBody != nil { return session.uploadTask(withStreamedRequest: urlRequest) }
        #endif
        return session.dataTask(with: urlRequest)
    }
}
