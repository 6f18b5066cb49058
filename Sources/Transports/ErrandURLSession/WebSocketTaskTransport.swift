#if !canImport(FoundationNetworking)
public import ErrandRuntime
import Foundation

/// Opens WebSocket connections over `URLSession`, on Apple's systems.
///
/// Each connection has a session of its own, because a session has one delegate for all of its tasks.
public final class WebSocketTaskTransport: MessageTransport {
    private let trust: ServerTrust
    private let proxies: ProxySettings?

    /// - Parameters:
    ///   - authorities: authorities that are trusted for some hosts, in place of the system's.
    ///   - proxies: which connections go through which proxy; nil for the system's proxies.
    /// - Throws: `TrustedAuthorityError.unreadableCertificate` for a certificate that isn't PEM or DER.
    public init(
        trusting authorities: [TrustedAuthority] = [], proxies: ProxySettings? = nil
    ) throws(TrustedAuthorityError) {
        trust = try ServerTrust(authorities)
        self.proxies = proxies
    }

    /// The same, which also presents an identity of the system to each of some hosts (mutual TLS).
    ///
    /// - Throws: `ClientCertificateError.identityNeeded` for a certificate in PEM; `severalForHost` for two certificates of one host;
    ///   `TrustedAuthorityError` as the other initializer.
    public init(
        trusting authorities: [TrustedAuthority] = [], presenting certificates: [ClientCertificate],
        proxies: ProxySettings? = nil
    ) throws {
        trust = try ServerTrust(authorities, presenting: certificates)
        self.proxies = proxies
    }

    /// - Parameter trust: nil to leave all hosts to the system.
    init(_ trust: ServerTrust?, _ proxies: ProxySettings?) {
        self.trust = trust ?? ServerTrust()
        self.proxies = proxies
    }

    public var enforcesPins: Bool { true }

    public func open(_ opening: ConnectionOpening) async throws(OpeningFault) -> any MessageConnection {
        guard WebSocketURL(opening.url) != nil, let url = URL(string: opening.url) else {
            throw .failed(TransportFault(.unreadable, evidence: .notSent))
        }
        var request = URLRequest(url: url)
        request.timeoutInterval = URLSessionTransport.seconds(opening.timeout)
        for field in opening.headers.fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        if let name = opening.subprotocol { request.setValue(name, forHTTPHeaderField: "Sec-WebSocket-Protocol") }
        let (configuration, proxy) = try configuration(for: opening.url)
        let events = WebSocketEvents(trust, proxy, opening.pins, subprotocol: opening.subprotocol)
        let session = URLSession(configuration: configuration, delegate: events, delegateQueue: nil)
        let task = session.webSocketTask(with: request)
        task.maximumMessageSize = opening.maximumMessageSize
        let connection = WebSocketTaskConnection(task, session, events)
        task.resume()
        do throws(TransportFault) {
            // The time limit of the request ends a server that is silent.
            _ = try await events.opening.next {}.get()
            return connection
        } catch {
            connection.drop()
            if let problem = events.pinError { throw .failed(TransportFault(problem)) }
            if let refusal = events.refusal {
                // A server's refusal is no 407 (RFC 9110 section 15.5.8).
                if let proxy, refusal.status == 407 { throw .failed(TransportFault(ProxyError(proxy, status: 407))) }
                throw .refused(refusal)
            }
            if let failure = error.underlying as? URLError, let host = WebSocketURL(opening.url)?.origin.host,
                let problem = trust.certificateProblem(failure, of: host)
            {
                throw .failed(TransportFault(problem))
            }
            let fault = TransportFault(error.kind, evidence: .notSent, underlying: error.underlying)
            throw .failed(fault.beforeConnection(to: proxy))
        }
    }

    private func configuration(for url: String) throws(OpeningFault) -> (URLSessionConfiguration, Proxy?) {
        let configuration = URLSessionConfiguration.ephemeral
        URLSessionTransport.demandModernTLS(configuration)
        guard let proxies else { return (configuration, nil) }
        let proxy: Proxy?
        do throws(ProxyError) {
            proxy = try proxies.proxy(for: url)
        } catch {
            throw .failed(TransportFault(error))
        }
        guard let dictionary = proxy.map(\.dictionary) ?? [:] else {
            throw .failed(
                TransportFault(.unsupported(proxy: proxy?.description ?? "", transport: "URLSessionWebSocketTask")))
        }
        configuration.connectionProxyDictionary = dictionary
        return (configuration, proxy)
    }
}

/// An open connection of `URLSession`.
final class WebSocketTaskConnection: MessageConnection {
    /// How long the server has to answer a close frame.
    private static let closingTime = Duration.seconds(5)

    private let task: URLSessionWebSocketTask
    private let session: URLSession
    private let events: WebSocketEvents
    /// Whether the task was asked for a message. A canceled receiver leaves its message for the next one.
    private let isAsked = LockedState<Bool> { false }

    init(_ task: URLSessionWebSocketTask, _ session: URLSession, _ events: WebSocketEvents) {
        self.task = task
        self.session = session
        self.events = events
    }

    deinit { drop() }

    func send(_ message: [UInt8]) async throws(TransportFault) {
        guard task.state == .running else { throw TransportFault(.lost, evidence: .notSent) }
        do {
            try await task.send(.string(String(decoding: message, as: UTF8.self)))
        } catch {
            throw TransportFault(TransportFault(error).kind, evidence: .sent)
        }
    }

    func ping() async throws(TransportFault) {
        guard task.state == .running else { throw TransportFault(.lost, evidence: .notSent) }
        task.sendPing { [events] error in
            if error == nil { events.inbox.put(.pong) }
        }
    }

    func receive() async throws(TransportFault) -> ReceivedMessage {
        try await events.inbox.next(ask).get()
    }

    /// Asks for one message, unless that was done already.
    private func ask() {
        let isFirst = isAsked.withLock { isAsked in
            defer { isAsked = true }
            return !isAsked
        }
        guard isFirst else { return }
        task.receive { [weak self, events] result in
            self?.isAsked.withLock { $0 = false }
            switch result {
            case .success(.string(let text)): events.inbox.put(.text(Array(text.utf8)))
            case .success(.data(let data)): events.inbox.put(.binary(count: data.count))
            case .success: break
            // The delegate knows more: whether the server has closed.
            case .failure(let error): events.fail(error)
            }
        }
    }

    func close(_ code: CloseCode) async {
        let known = URLSessionWebSocketTask.CloseCode(rawValue: Int(code.rawValue)) ?? .normalClosure
        task.cancel(with: known, reason: nil)
        // It ends by the server's close frame, or with the session.
        let timer = Task { [weak self] in
            try? await Task.sleep(for: Self.closingTime)
            self?.drop()
        }
        await events.waitForEnd()
        timer.cancel()
        drop()
    }

    /// Closes the connection without a handshake.
    func drop() { session.invalidateAndCancel() }
}

/// What a session reports about its connection.
final class WebSocketEvents: NSObject, URLSessionWebSocketDelegate, Sendable {
    /// Gets a pong when the connection is open, or the fault that ended it before.
    let opening = MessageInbox()
    let inbox = MessageInbox()
    private let over = MessageInbox()
    private let trust: ServerTrust
    private let proxy: Proxy?
    private let pins: PublicKeyPins?
    private let subprotocol: String?
    private let response = LockedState<TransportResponse?> { nil }
    private let otherKey = LockedState<PinError?> { nil }

    init(_ trust: ServerTrust, _ proxy: Proxy?, _ pins: PublicKeyPins?, subprotocol: String?) {
        self.trust = trust
        self.proxy = proxy
        self.pins = pins
        self.subprotocol = subprotocol
    }

    /// The server's response, if it has refused the handshake.
    var refusal: TransportResponse? { response.withLock { $0 } }

    /// Set if the server has another key than the pins say.
    var pinError: PinError? { otherKey.withLock { $0 } }

    func waitForEnd() async { _ = await over.next {} }

    /// Ends the connection, unless the server has closed it.
    func fail(_ error: any Error) {
        let oversized = (error as NSError).domain == NSPOSIXErrorDomain && (error as NSError).code == Int(EMSGSIZE)
        end(.failure(TransportFault(oversized ? .oversized : TransportFault(error).kind, evidence: .sent)))
    }

    private func end(_ end: MessageInbox.Received) {
        opening.end(end)
        inbox.end(end)
        over.end(end)
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol name: String?
    ) {
        guard name == subprotocol else {
            end(.failure(TransportFault(.unreadable, evidence: .notSent)))
            return session.invalidateAndCancel()
        }
        opening.put(.pong)
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
        end(.success(.closed(CloseCode(rawValue: UInt16(clamping: closeCode.rawValue)))))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let head = task.response as? HTTPURLResponse, head.statusCode != 101 {
            let refusal = TransportResponse(status: head.statusCode, headers: Exchange.headers(of: head))
            response.withLock { $0 = refusal }
        }
        fail(error ?? URLError(.networkConnectionLost))
    }

    /// The token must not follow to another place.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if let credential = proxy?.credential(for: challenge) { return completionHandler(.useCredential, credential) }
        if let credential = trust.identity(for: challenge) { return completionHandler(.useCredential, credential) }
        // As over HTTP, the credentials of the machine stay here: they would tell the server who its user is.
        guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust else {
            return completionHandler(.rejectProtectionSpace, nil)
        }
        switch trust.verdict(challenge.protectionSpace, pins) {
        case .systems: completionHandler(.performDefaultHandling, nil)
        case .trusted(let credential): completionHandler(.useCredential, credential)
        case .otherKey(let problem):
            otherKey.withLock { $0 = problem }
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }
}
#endif
