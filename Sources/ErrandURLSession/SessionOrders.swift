import Foundation

/// What a `URLSession` is told, on a thread that may wait.
///
/// FoundationNetworking makes, starts and cancels the tasks of all sessions on the one queue on which it reads
/// answers, and blocks until it is its turn there. A server that sends faster than its answer is read makes
/// that last. Neither a command nor a thread of Swift's pool may wait for it.
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
