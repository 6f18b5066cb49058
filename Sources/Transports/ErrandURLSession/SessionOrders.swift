import Foundation

/// Sends orders to a `URLSession`, on a thread that may wait.
///
/// FoundationNetworking makes, starts and cancels the tasks of all sessions on one queue, on which it also reads responses. The
/// caller blocks until the queue is free. That takes long if a server sends faster than its response is read. Neither a command
/// nor a thread of Swift's pool may wait for it.
enum SessionOrders {
    #if canImport(FoundationNetworking)
    private static let queue = DispatchQueue(label: "errand.session-orders")
    #endif

    static func give(_ order: @escaping @Sendable () -> Void) {
        #if canImport(FoundationNetworking)
        queue.async(execute: order)
        #else
        order()
        #endif
    }
}
