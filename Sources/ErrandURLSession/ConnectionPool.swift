import ErrandRuntime
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A `URLSession`, with the connections that it keeps and the exchanges under way on them.
final class ConnectionPool: Sendable {
    private let session: URLSession
    private let exchanges = ExchangeDelegate()

    init(_ configuration: URLSessionConfiguration) {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: queue)
    }

    deinit {
        // The session holds on to its delegate until it is told that it is over.
        session.finishTasksAndInvalidate()
    }

    /// Another one like this, without a connection as yet.
    func makeEmptyCopy() -> ConnectionPool { ConnectionPool(session.configuration) }

    func send(
        _ request: TransportRequest, as urlRequest: URLRequest, priority: Float
    ) async throws(TransportFault) -> TransportResponse {
        let switchOff = CancellationSwitch()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let task = session.dataTask(with: urlRequest)
                task.priority = priority
                exchanges.begin(Exchange(request, continuation), for: task)
                if switchOff.connect(task) { task.resume() } else { task.cancel() }
            }
        } onCancel: {
            switchOff.cancel()
        }
        return try result.get()
    }
}

/// Cancels a task that may not be there yet.
private final class CancellationSwitch: @unchecked Sendable {
    private let lock = NSLock()
    private var task: URLSessionTask?
    private var isCancelled = false

    /// Takes the task; false where it was cancelled before there was one.
    func connect(_ task: URLSessionTask) -> Bool {
        lock.withLock {
            self.task = task
            return !isCancelled
        }
    }

    func cancel() {
        let task = lock.withLock {
            isCancelled = true
            return self.task
        }
        task?.cancel()
    }
}
