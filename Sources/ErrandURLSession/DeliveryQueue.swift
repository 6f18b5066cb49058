#if canImport(FoundationNetworking)
import FoundationNetworking
import Foundation

/// Where FoundationNetworking reports what it has read. It reads on while nobody has looked at that yet: without
/// a bound, a server that sends faster than its answer is thrown away would fill the memory. So the reader waits.
final class DeliveryQueue: OperationQueue, @unchecked Sendable {
    /// How many reports, of 16 KB at most, may wait.
    private static let capacity = 64

    private let places = DispatchSemaphore(value: 0)

    override init() {
        super.init()
        // Not as the initial value, below which a semaphore must not be when it goes.
        for _ in 0..<Self.capacity { places.signal() }
    }

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        // What a report leads to must not wait for that report.
        if OperationQueue.current === self { return super.addOperation(block) }
        places.wait()
        super.addOperation { [places] in
            block()
            places.signal()
        }
    }
}
#endif
