import ErrandRuntime
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An exchange from its beginning until it has a task. It may be cancelled at any time.
final class ExchangeStart: @unchecked Sendable {
    private enum State {
        case unbegun
        case waiting(Exchange)
        case underWay(URLSessionTask)
        case cancelled
    }

    private let lock = NSLock()
    private var state = State.unbegun

    /// Whether the exchange still needs a task.
    var isWanted: Bool {
        lock.withLock { if case .waiting = state { true } else { false } }
    }

    /// Keeps the exchange until its task exists; false if the exchange was cancelled before, and is over.
    func wait(_ exchange: Exchange) -> Bool {
        let isWanted = lock.withLock {
            guard case .unbegun = state else { return false }
            state = .waiting(exchange)
            return true
        }
        if !isWanted { exchange.end(TransportFault(.cancelled, evidence: .notSent)) }
        return isWanted
    }

    /// Takes the task and passes the exchange on; false if it was cancelled meanwhile.
    func go(_ task: URLSessionTask, _ begin: (Exchange) -> Void) -> Bool {
        lock.withLock {
            guard case .waiting(let exchange) = state else { return false }
            begin(exchange)
            state = .underWay(task)
            return true
        }
    }

    /// Ends the exchange if it still waits. Otherwise returns the task to stop, if one exists.
    func cancel() -> URLSessionTask? {
        let (exchange, task): (Exchange?, URLSessionTask?) = lock.withLock {
            defer { state = .cancelled }
            switch state {
            case .waiting(let exchange): return (exchange, nil)
            case .underWay(let task): return (nil, task)
            case .unbegun, .cancelled: return (nil, nil)
            }
        }
        exchange?.end(TransportFault(.cancelled, evidence: .notSent))
        return task
    }
}
