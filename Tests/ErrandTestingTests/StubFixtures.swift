import BankClient
import ErrandRuntime
import Testing

/// A transport that is never to be asked.
struct NoTransport: Transport {
    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        Issue.record("\(request.endpoint) was sent")
        throw TransportFault(.refused, evidence: .notSent)
    }
}

/// Counts calls.
final class CallCounter: Sendable {
    private let calls = LockedState { 0 }

    var count: Int { calls.withLock { $0 } }

    /// The number of this call, from 1.
    func next() -> Int {
        calls.withLock { calls in
            calls += 1
            return calls
        }
    }
}

extension Bank.Transfer {
    init(of command: Bank.TransferFunds) {
        self.init(
            fromAccount: command.fromAccount, toAccount: command.toAccount, amount: command.amount, confirmation: 1)
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
