public import BankClient
public import ErrandRuntime

/// A transport that already has the response.
public struct InstantTransport: Transport {
    private let answer: TransportResponse

    public init(_ body: String) { answer = TransportResponse(status: 200, body: Array(body.utf8)) }

    public func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse { answer }
}

/// Commands of the bank that are measured: a keyed POST with an envelope, a body and a session's token.
public enum InstantBank {
    public static let answer =
        #"{"error":null,"data":{"fromAccount":1,"toAccount":5,"amount":500.00,"confirmation":232348844}}"#
    public static let transport = InstantTransport(answer)

    public static func make(
        _ transport: any Transport = transport, on network: any PathMonitor = AlwaysSatisfiedPath()
    ) async -> Bank {
        let session = Session()
        await session.begin(SessionTokens(access: "token"))
        return Bank(on: Dispatcher(transport: transport, network: network), session: session)
    }

    /// Moves money, and returns the number that the bank gave it.
    public static func transfer(_ bank: Bank) async throws -> Int {
        guard case .completed(let transfer) = try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 500)
        else { return 0 }
        return transfer.confirmation
    }
}

/// A network that is unavailable until the benchmark makes it available.
public final class SwitchedNetwork: PathMonitor {
    private let stream: AsyncStream<NetworkPath>
    private let continuation: AsyncStream<NetworkPath>.Continuation

    public init() { (stream, continuation) = AsyncStream.makeStream() }

    public var current: NetworkPath { .unsatisfied }
    public func paths() -> AsyncStream<NetworkPath> { stream }
    public func comeBack() { continuation.yield(.satisfied) }
}
