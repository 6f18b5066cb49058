#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sends requests over `URLSession`: no cookies, no cache, no stored credentials, redirects as the
/// request allows them, answers up to the size it allows.
///
/// **Limits.** `URLSession` repeats a request by itself where a kept-alive connection turns out to be
/// dead before any of the answer came, and tells nobody. A request that must not be repeated therefore
/// gets a connection of its own, which costs it the time to connect. For the others the server may see
/// one attempt twice.
///
/// FoundationNetworking, which is `URLSession` outside Apple's systems, stops the process where a
/// server closes a connection in the middle of the header of its answer, and loses the body of a 401
/// that asks for Basic or Digest credentials. Processes that talk to servers which they do not trust
/// should use another transport there.
public final class URLSessionTransport: Transport {
    private let pool: ConnectionPool

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
        pool = ConnectionPool(configuration)
    }

    public func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        guard let urlRequest = Self.makeURLRequest(request) else {
            throw TransportFault(.unreadable, evidence: .notSent)
        }
        let pool = Self.mayShareConnections(request) ? pool : pool.makeEmptyCopy()
        return try await pool.send(request, as: urlRequest, priority: Self.priority(request.priority))
    }

    private static func mayShareConnections(_ request: TransportRequest) -> Bool {
        #if canImport(FoundationNetworking)
        // It repeats the header, finds no body to repeat, and is busy waiting until the time is over.
        if request.body != nil { return false }
        #endif
        return request.isRepeatable
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

extension URLSessionTransport: CustomStringConvertible, CustomReflectable {
    public var description: String { "URLSessionTransport" }
    /// Nothing: the session knows the requests under way, with all that they carry.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
