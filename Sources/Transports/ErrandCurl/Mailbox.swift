#if os(Linux)
import CCurl
import ErrandRuntime
import Foundation

/// The orders to the thread of a transport. The thread is started with the first order, and ends when the mailbox is closed, or
/// a minute after the last request.
final class Mailbox: Sendable {
    enum Order: Sendable {
        case start(Exchange)
        case stop(Exchange)
        case resume(Exchange, Exchange.Direction)
        /// Goes on with the addresses of a host.
        case connect(Exchange, Peer, addresses: [String])
    }

    private struct State {
        var orders: [Order] = []
        /// The address of the multi handle while the thread waits. The handle wakes the thread. Access it only under the lock.
        var waiting: UInt?
        var isRunning = false
        var isClosed = false
    }

    let connectionsPerHost: Int
    let lookups: HostLookups
    private let state = LockedState<State> { State() }

    init(connectionsPerHost: Int, lookups: HostLookups = .shared) {
        self.connectionsPerHost = connectionsPerHost
        self.lookups = lookups
    }

    func post(_ order: Order) {
        let isStart = if case .start = order { true } else { false }
        let isNew = state.withLock { state in
            // An order without a request under way doesn't need a thread.
            guard state.isRunning || isStart else { return false }
            state.orders.append(order)
            Self.wake(&state)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isNew else { return }
        let thread = Thread { [self] in
            TransferLoop(self)?.run()
        }
        thread.name = "errand.curl"
        thread.start()
    }

    /// Ends the thread.
    func close() {
        state.withLock { state in
            state.isClosed = true
            Self.wake(&state)
        }
    }

    private static func wake(_ state: inout State) {
        guard let multi = state.waiting.flatMap(UnsafeMutableRawPointer.init(bitPattern:)) else { return }
        errand_curl_multi_wake(multi)
        // The thread needs to be woken only once.
        state.waiting = nil
    }

    // MARK: For the thread

    /// The orders since the last call.
    func takeOrders() -> [Order] {
        state.withLock { state in
            defer { state.orders = [] }
            return state.orders
        }
    }

    /// Notes that the thread is about to wait; false if it must not wait, because orders exist.
    func beginWaiting(_ multi: UnsafeMutableRawPointer) -> Bool {
        let address = UInt(bitPattern: multi)
        return state.withLock { state in
            guard state.orders.isEmpty, !state.isClosed else { return false }
            state.waiting = address
            return true
        }
    }

    func endWaiting() { state.withLock { $0.waiting = nil } }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Notes that the thread ends; false if it must continue, because orders exist.
    func retire() -> Bool {
        state.withLock { state in
            guard state.orders.isEmpty else { return false }
            state.isRunning = false
            return true
        }
    }
}
#endif
