#if !canImport(FoundationNetworking)
import ErrandRuntime
import ErrandURLSession
import Foundation

/// A background `URLSession` that starts the tasks of the registry, and passes the system's reports to it. It makes no
/// decisions.
final class BackgroundSession: NSObject, TransferCarrier, URLSessionDataDelegate, URLSessionDownloadDelegate,
    @unchecked Sendable
{
    private let lock = NSLock()
    private var session: URLSession?
    private weak var registry: TransferRegistry?
    /// The data by which the system requests the rest of a download. It may contain the request with its token, so it is kept
    /// in memory only.
    private var resumeData: [String: Data] = [:]
    /// The tasks of the uploads that have received a part of their response, and of those whose response is too large.
    private var answered: Set<Int> = []
    private var oversized: Set<Int> = []

    /// Creates the session. From then on, the system reports the events that happened while the app didn't run.
    func connect(_ configuration: URLSessionConfiguration, _ registry: TransferRegistry) {
        let queue = OperationQueue()
        // The reports must stay in order: a list of tasks comes after the ends of the tasks that aren't in it.
        queue.maxConcurrentOperationCount = 1
        lock.withLock {
            self.registry = registry
            session = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
        }
    }

    // MARK: What the registry asks

    func start(_ order: TransferOrder) {
        if let path = order.bodyPath, !FileManager.default.isReadableFile(atPath: path) {
            return current?.end(order.name, .fault(.storage, .notSent)) ?? ()
        }
        guard let task = makeTask(order) else {
            // A session that gets such a request ends the process.
            return current?.end(order.name, .fault(.requestBody, .notSent)) ?? ()
        }
        task.taskDescription = order.name.text
        task.priority = URLSessionTransport.priority(order.request.priority)
        task.resume()
    }

    private func makeTask(_ order: TransferOrder) -> URLSessionTask? {
        let data = lock.withLock { resumeData.removeValue(forKey: order.name.id) }
        guard let session = lock.withLock({ session }), let request = URLSessionTransport.makeURLRequest(order.request)
        else { return nil }
        if let path = order.bodyPath {
            return session.uploadTask(with: request, fromFile: URL(fileURLWithPath: path))
        }
        if order.resumes, let data { return session.downloadTask(withResumeData: data) }
        return session.downloadTask(with: request)
    }

    func cancel(_ name: TransferName) {
        lock.withLock { session }?.getAllTasks { tasks in
            for task in tasks where TransferName(task.taskDescription) == name { task.cancel() }
        }
    }

    func underWay() async -> [TransferName] {
        guard let session = lock.withLock({ session }) else { return [] }
        return await withCheckedContinuation { continuation in
            session.getAllTasks { tasks in
                continuation.resume(returning: tasks.compactMap { TransferName($0.taskDescription) })
            }
        }
    }

    private var current: TransferRegistry? { lock.withLock { registry } }

    // MARK: What the session reports

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        guard let name = TransferName(downloadTask.taskDescription) else { return }
        // The system removes the file when this returns.
        current?.receive(location.path, as: name)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let name = TransferName(dataTask.taskDescription), let registry = current else { return }
        let isFirst = lock.withLock { answered.insert(dataTask.taskIdentifier).inserted }
        if registry.append(Array(data), of: name, isFirst: isFirst) { return }
        lock.withLock { _ = oversized.insert(dataTask.taskIdentifier) }
        dataTask.cancel()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let isOversized = lock.withLock {
            answered.remove(task.taskIdentifier)
            return oversized.remove(task.taskIdentifier) != nil
        }
        guard let name = TransferName(task.taskDescription), let registry = current else { return }
        let data = (error as? URLError)?.downloadTaskResumeData
        lock.withLock { resumeData[name.id] = data }
        registry.end(
            name, Self.end(of: task, error, isOversized: isOversized), redirectedTo: Self.redirect(of: task),
            hasFile: task is URLSessionDownloadTask, canResume: data != nil)
    }

    /// The URL of the last redirect that the system has followed.
    private static func redirect(of task: URLSessionTask) -> String? {
        guard let last = task.currentRequest?.url, last != task.originalRequest?.url else { return nil }
        return last.absoluteString
    }

    /// How a task ended.
    private static func end(of task: URLSessionTask, _ error: (any Error)?, isOversized: Bool) -> TransferEnd {
        if isOversized { return .fault(.oversized, .responded) }
        if let error {
            let fault = URLSessionTransport.fault(for: error)
            // The registry knows whether it has cancelled the task. Otherwise the user or the system has ended the app, which
            // ends the attempt.
            return fault.kind == .cancelled ? .fault(.lost, .sent) : .fault(fault.kind, evidence(of: fault))
        }
        // The system follows redirects by itself. A 303 turns a POST into a GET, whose success isn't the success of the
        // command. A 303 to a QUERY names a place that has its result (RFC 10008), but the delegate of a background session isn't
        // told the status of a redirect: after a 301 or 302, a GET would ask for something else.
        guard let response = task.response as? HTTPURLResponse,
            task.originalRequest?.httpMethod == task.currentRequest?.httpMethod
        else { return .fault(.unreadable, .responded) }
        return .response(status: response.statusCode, Exchange.headers(of: response))
    }

    /// The system may have tried before. If the last try wasn't sent, an earlier one may have been.
    private static func evidence(of fault: TransportFault) -> Evidence {
        fault.evidence == .notSent ? .sent : fault.evidence
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        note(totalBytesWritten, of: totalBytesExpectedToWrite, downloadTask)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        note(totalBytesSent, of: totalBytesExpectedToSend, task)
    }

    private func note(_ count: Int64, of total: Int64, _ task: URLSessionTask) {
        guard let name = TransferName(task.taskDescription) else { return }
        current?.note(bytes: Int(count), total: total < 0 ? nil : Int(total), of: name)
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) { current?.noteEventsDelivered() }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // A server that asks for credentials gets none of the machine's. Its 401 is an ordinary response.
        let isServer = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
        completionHandler(isServer ? .performDefaultHandling : .rejectProtectionSpace, nil)
    }
}
#endif
