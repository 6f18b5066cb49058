import ErrandRuntime
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Passes what the session reports on to the exchange that it belongs to.
final class ExchangeDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var exchanges: [Int: Exchange] = [:]

    func begin(_ exchange: Exchange, for task: URLSessionTask) {
        lock.withLock { exchanges[task.taskIdentifier] = exchange }
    }

    /// Stops a task under way.
    func stop(_ task: URLSessionTask, _ fault: TransportFault) {
        SessionOrders.give { task.cancel() }
        #if canImport(FoundationNetworking)
        // What is said when it has been cancelled is no news, and may come late. Elsewhere its metrics come with
        // it, which know whether the request was sent.
        take(task)?.end(fault)
        #endif
    }

    private func take(_ task: URLSessionTask) -> Exchange? {
        lock.withLock { exchanges.removeValue(forKey: task.taskIdentifier) }
    }

    private func change<Value>(
        _ task: URLSessionTask, _ body: (inout Exchange) -> Value
    ) -> Value? {
        lock.withLock {
            guard let index = exchanges.index(forKey: task.taskIdentifier) else { return nil }
            return body(&exchanges.values[index])
        }
    }

    // MARK: What the session reports

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let isWanted = change(dataTask) { $0.accept(response) } ?? false
        completionHandler(isWanted ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooMuch = change(dataTask) { !$0.append(data) } ?? false
        if isTooMuch { stop(dataTask, TransportFault(.oversized, evidence: .responded)) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(change(task) { $0.follow(to: request) } ?? nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // A 401 is an answer like others, to be classified by the contract. TLS is the system's matter.
        switch challenge.protectionSpace.authenticationMethod {
        case NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
            NSURLAuthenticationMethodDefault:
            if let response = challenge.failureResponse as? HTTPURLResponse {
                _ = change(task) { $0.challenge = response }
            }
            completionHandler(.rejectProtectionSpace, nil)
        default: completionHandler(.performDefaultHandling, nil)
        }
    }

    #if !canImport(FoundationNetworking)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        let isUnsent = metrics.transactionMetrics.allSatisfy { $0.requestStartDate == nil }
        _ = change(task) { $0.isUnsent = isUnsent }
    }
    #endif

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        take(task)?.finish(task.response, error)
    }
}
