import ErrandRuntime
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Passes each report of the session to its exchange.
final class ExchangeDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var exchanges: [Int: Exchange] = [:]
    private let trust: ServerTrust?
    private let proxy: Proxy?
    private let pins: PublicKeyPins?

    init(_ trust: ServerTrust? = nil, _ proxy: Proxy? = nil, _ pins: PublicKeyPins? = nil) {
        self.trust = trust
        self.proxy = proxy
        self.pins = pins
    }

    func begin(_ exchange: Exchange, for task: URLSessionTask) {
        lock.withLock { exchanges[task.taskIdentifier] = exchange }
    }

    /// Stops a task under way.
    func stop(_ task: URLSessionTask, _ fault: TransportFault) {
        #if canImport(FoundationNetworking)
        // The exchange is removed first: a redirect of a canceled task must not be answered. Later events of the session do not
        // matter, and may come late.
        let exchange = take(task)
        SessionOrders.give { task.cancel() }
        exchange?.end(fault)
        #else
        // The session still reports the metrics, which say whether the request was sent.
        task.cancel()
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
        let isWanted =
            change(dataTask) {
                $0.accept(response) { [weak self] in
                    self?.stop(dataTask, TransportFault(.cancelled, evidence: .responded))
                }
            } ?? false
        completionHandler(isWanted ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        switch change(dataTask, { $0.append(data) { $0.follow(dataTask) } }) ?? .more {
        case .more: break
        case .pause(let pause): pause.follow(dataTask)
        case .stop: stop(dataTask, TransportFault(.oversized, evidence: .responded))
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        // The redirect itself is the response. The dispatcher follows it.
        #if canImport(FoundationNetworking)
        // FoundationNetworking ends the process if the delegate decides about a redirect after the task was canceled. Under the
        // lock, the decision is queued before any cancellation, or isn't given. A canceled task doesn't wait for it.
        _ = change(task) { _ in completionHandler(nil) }
        #else
        completionHandler(nil)
        #endif
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Security)
        if challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust {
            switch (trust ?? ServerTrust()).verdict(challenge.protectionSpace, pins) {
            case .systems: completionHandler(.performDefaultHandling, nil)
            case .trusted(let credential): completionHandler(.useCredential, credential)
            case .otherKey(let problem):
                _ = change(task) { $0.pinError = problem }
                completionHandler(.cancelAuthenticationChallenge, nil)
            }
            return
        }
        if let credential = trust?.identity(for: challenge) { return completionHandler(.useCredential, credential) }
        #endif
        #if !canImport(FoundationNetworking)
        if let credential = proxy?.credential(for: challenge) { return completionHandler(.useCredential, credential) }
        #endif
        // Every other challenge asks for credentials. Those of the machine (a certificate of its keychain, the user's
        // Kerberos ticket or NTLM hash) would tell the server who its user is.
        // A 401 is a response like others, which the contract classifies.
        if let response = challenge.failureResponse as? HTTPURLResponse { _ = change(task) { $0.challenge = response } }
        refuse(completionHandler)
    }

    private func refuse(_ completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {
        #if canImport(FoundationNetworking)
        // This cancels the task, which waits for the queue that this code runs on.
        nonisolated(unsafe) let completionHandler = completionHandler
        SessionOrders.give { completionHandler(.rejectProtectionSpace, nil) }
        #else
        completionHandler(.rejectProtectionSpace, nil)
        #endif
    }

    #if !canImport(FoundationNetworking)
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
    ) {
        let body = change(task) { $0.request.streamedBody } ?? nil
        let stream = body.map { body in
            BodyStream(body) { [weak self] problem in self?.fail(task, problem) }
        }
        completionHandler(stream?.open())
    }

    /// Ends a task whose body cannot be read to its end.
    private func fail(_ task: URLSessionTask, _ problem: BodySourceError) {
        _ = change(task) { $0.problem = problem }
        task.cancel()
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        let isUnsent = Exchange.isUnsent(requestStarts: metrics.transactionMetrics.map(\.requestStartDate))
        // The last one is the one that failed.
        let isReused = metrics.transactionMetrics.last?.isReusedConnection ?? false
        let isStale = isReused && metrics.transactionMetrics.last?.responseStartDate == nil
        _ = change(task) {
            $0.isUnsent = isUnsent
            $0.isReusedConnection = isReused
            $0.isStaleConnection = isStale
        }
    }
    #endif

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        #if canImport(Security)
        if let failure = error as? URLError, let host = task.originalRequest?.url?.host?.lowercased() {
            let problem = (trust ?? ServerTrust()).certificateProblem(failure, of: host)
            _ = change(task) { $0.certificateProblem = problem }
        }
        #endif
        take(task)?.finish(task.response, error)
    }
}

extension URLSessionTask: SuspendableTask {}
