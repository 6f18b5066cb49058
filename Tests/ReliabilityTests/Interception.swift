import BankClient
import ErrandRuntime
import ErrandTesting

/// An interceptor that does what the test says.
struct Interception: Interceptor {
    typealias Next = @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse

    let body: @Sendable (TransportRequest, Next) async throws(TransportFault) -> TransportResponse

    func intercept(_ request: TransportRequest, next: Next) async throws(TransportFault) -> TransportResponse {
        try await body(request, next)
    }
}
