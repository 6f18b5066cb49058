public import ErrandRuntime

/// A transport that responds from a closure, and keeps the requests.
///
/// Use it for tests of single responses. Use `Simulation` if requests are to meet a server that remembers, and all faults of a
/// network.
public final class ScriptedTransport: Transport {
    /// Answers a request.
    ///
    /// - Parameter number: which request it is, from 1, in the order in which they were sent.
    public typealias Answer =
        @Sendable (_ request: TransportRequest, _ number: Int) async throws(TransportFault) -> TransportResponse

    private let answer: Answer
    private let sent = LockedState<[TransportRequest]> { [] }

    public init(_ answer: @escaping Answer) { self.answer = answer }

    /// There is no TLS, so no server has another key.
    public var enforcesPins: Bool { true }

    /// All requests so far, with or without a response.
    public var requests: [TransportRequest] { sent.withLock { $0 } }

    /// The requests of one endpoint so far, `Bank.transferFunds`.
    public func requests(of endpoint: String) -> [TransportRequest] {
        requests.filter { $0.endpoint == endpoint }
    }

    public func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        let number = sent.withLock { requests in
            requests.append(request)
            return requests.count
        }
        return try await answer(request, number)
    }
}

extension TransportResponse {
    /// A response of JSON text.
    public static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> TransportResponse {
        var headers = headers
        if headers["Content-Type"] == nil { headers.append("Content-Type", "application/json") }
        return TransportResponse(status: status, headers: headers, body: Array(text.utf8))
    }
}
