import BankClient
import ErrandRuntime

/// Carries requests for the bank in the contract to the bank on this machine. Commands to this machine's own address would not
/// wait for the network, because they don't need it.
struct RouteToThisMachine: Transport {
    /// The base URL that commands are meant for.
    let named: String
    /// The one that they go to.
    let local: String
    private let transport = SystemTransport.make()

    init(named: String, local: String) {
        self.named = named
        self.local = local
    }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        guard request.url.hasPrefix(named) else { throw TransportFault(.refused, evidence: .notSent) }
        var request = request
        request.url = local + request.url.dropFirst(named.count)
        return try await transport.send(request)
    }
}
