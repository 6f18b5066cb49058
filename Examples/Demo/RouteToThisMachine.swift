import BankClient
import ErrandRuntime

/// Has the bank of this machine answer for the one that the contract names. Commands that are meant for this machine
/// would not wait for the network, since they need none.
struct RouteToThisMachine: Interceptor {
    /// The base URL that commands are meant for.
    let named: String
    /// The one that they go to.
    let local: String

    func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
    ) async throws(TransportFault) -> TransportResponse {
        guard request.url.hasPrefix(named) else { throw TransportFault(.refused, evidence: .notSent) }
        var request = request
        request.url = local + request.url.dropFirst(named.count)
        return try await next(request)
    }
}
