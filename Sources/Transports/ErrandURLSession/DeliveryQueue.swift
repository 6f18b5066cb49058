#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

/// Runs each report of FoundationNetworking on the thread that made it.
///
/// FoundationNetworking reads and inflates the responses of all sessions on one queue and reports each 16 KB of a body in an
/// operation of its own. A server that sends fast, or a body that inflates to a thousand times its size, causes so many
/// operations that all other requests of the process wait for seconds. A report that runs at once takes microseconds, and no
/// report waits in memory. A response that is too large is noticed before more of it is inflated.
///
/// The delegate must not wait for the session's queue, since it runs on it: `SessionOrders` cancels tasks.
final class DeliveryQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}
#endif
