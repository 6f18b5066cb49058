#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sends requests over `URLSession`: no cookies, no cache, no stored credentials, redirects as the
/// request allows them, answers up to the size it allows.
///
/// **Limits.** `URLSession` may repeat a request by itself where a kept-alive connection turns out to
/// be dead before any of the answer came. It does so on connections that the server had closed
/// already, where the request cannot have been carried out; but it cannot know for certain, and
/// nothing is told to its caller. A service that must never see a request twice should use effect
/// `keyed`, or a transport that opens a connection for each request.
///
/// FoundationNetworking, which is `URLSession` outside Apple's systems, stops the process where a
/// server closes a connection in the middle of the header of its answer, and loses the body of a 401
/// that asks for Basic or Digest credentials. Processes that talk to servers which they do not trust
/// should use another transport there.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let exchanges: ExchangeDelegate

    /// - Parameter configure: changes the session's configuration, for a proxy or for TLS settings.
    public init(configure: (URLSessionConfiguration) -> Void = { _ in }) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configure(configuration)
        exchanges = ExchangeDelegate()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: queue)
    }

    deinit {
        // The session holds on to its delegate until it is told that it is over.
        session.finishTasksAndInvalidate()
    }

    public func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        guard let urlRequest = Self.makeURLRequest(request) else {
            throw TransportFault(.unreadable, evidence: .notSent)
        }
        let switchOff = CancellationSwitch()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let task = session.dataTask(with: urlRequest)
                task.priority = Self.priority(request.priority)
                exchanges.begin(Exchange(request, continuation), for: task)
                if switchOff.connect(task) { task.resume() } else { task.cancel() }
            }
        } onCancel: {
            switchOff.cancel()
        }
        return try result.get()
    }

    private static func makeURLRequest(_ request: TransportRequest) -> URLRequest? {
        guard let url = URL(string: request.url) else { return nil }
        var urlRequest = URLRequest(url: url)
        urlRequest.timeoutInterval = seconds(request.timeout)
        urlRequest.httpMethod = request.method.rawValue
        for field in request.headers.fields {
            urlRequest.addValue(field.value, forHTTPHeaderField: field.name)
        }
        if let body = request.body { urlRequest.httpBody = Data(body) }
        urlRequest.httpShouldHandleCookies = false
        #if !canImport(FoundationNetworking)
        if request.network == .unmetered {
            urlRequest.allowsExpensiveNetworkAccess = false
            urlRequest.allowsConstrainedNetworkAccess = false
        }
        #endif
        return urlRequest
    }

    /// `URLSession` counts only the time in which nothing happens. The dispatcher counts all of it.
    private static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return max(0.001, Double(seconds) + Double(attoseconds) / 1e18)
    }

    private static func priority(_ priority: Priority) -> Float {
        switch priority {
        case .high: URLSessionTask.highPriority
        case .normal: URLSessionTask.defaultPriority
        case .low: URLSessionTask.lowPriority
        }
    }
}

/// Cancels a task that may not be there yet.
private final class CancellationSwitch: @unchecked Sendable {
    private let lock = NSLock()
    private var task: URLSessionTask?
    private var isCancelled = false

    /// Takes the task; false where it was cancelled before there was one.
    func connect(_ task: URLSessionTask) -> Bool {
        lock.withLock {
            self.task = task
            return !isCancelled
        }
    }

    func cancel() {
        let task = lock.withLock {
            isCancelled = true
            return self.task
        }
        task?.cancel()
    }
}
