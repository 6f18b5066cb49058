public import ErrandRuntime

/// A transport that answers from a closure, and keeps what was sent.
///
/// For tests of single answers. Where requests shall meet a server that remembers, and all that can go wrong
/// on the way, there is `Simulation`.
public final class ScriptedTransport: Transport {
    /// Answers a request.
    ///
    /// - Parameter number: which request it is, from 1, in the order in which they were sent.
    public typealias Answer =
        @Sendable (_ request: TransportRequest, _ number: Int) async throws(TransportFault) -> TransportResponse

    private let answer: Answer
    private let sent = LockedState<[TransportRequest]> { [] }

    public init(_ answer: @escaping Answer) { self.answer = answer }

    /// Everything that was sent so far, answered or not.
    public var requests: [TransportRequest] { sent.withLock { $0 } }

    /// What was sent so far by one endpoint, `Bank.transferFunds`.
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
    /// An answer of JSON text.
    public static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> TransportResponse {
        var headers = headers
        if headers["Content-Type"] == nil { headers.append("Content-Type", "application/json") }
        return TransportResponse(status: status, headers: headers, body: Array(text.utf8))
    }
}
