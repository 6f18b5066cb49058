import BankClient
import ErrandRuntime

/// Tells the called service how long this one waits for its response, with every attempt anew.
struct DeadlineInterceptor: Interceptor {
    func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
    ) async throws(TransportFault) -> TransportResponse {
        guard let left = Deadline.current?.timeLeft else { return try await next(request) }
        // No caller would wait for the response.
        guard left > .milliseconds(1) else { throw TransportFault(.timeout, evidence: .notSent) }
        var request = request
        request.timeout = min(request.timeout, left)
        request.headers.set(Deadline.header, "\(Int(request.timeout / .milliseconds(1)))")
        return try await next(request)
    }
}
