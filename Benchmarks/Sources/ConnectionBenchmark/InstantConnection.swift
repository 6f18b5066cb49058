import ErrandRuntime
import Foundation

/// Connections inside of the process whose server replies at once, until it is told not to.
final class InstantServer: MessageTransport, @unchecked Sendable {
    private let lock = NSLock()
    private let payload: [UInt8]
    private var isSilent = false
    private var connections: [InstantConnection] = []
    private var received = 0

    /// - Parameter payload: of each reply, with its member; none for an attachment.
    init(payload: String) { self.payload = Array((",\"data\":" + payload + "}").utf8) }

    /// How many requests have arrived, attachments not counted.
    var requests: Int { lock.withLock { received } }

    func open(_ opening: ConnectionOpening) async throws(OpeningFault) -> any MessageConnection {
        let connection = InstantConnection(self)
        lock.withLock { connections.append(connection) }
        return connection
    }

    /// From now on, nothing but attachments has a reply.
    func fallSilent() { lock.withLock { isSilent = true } }

    /// The server replies again, to requests that it gets from now on, and all connections are lost.
    func restart() {
        let lost = lock.withLock {
            isSilent = false
            defer { connections = [] }
            return connections
        }
        for connection in lost { connection.lose() }
    }

    /// The reply to a request; nil if there is none.
    func reply(to message: [UInt8]) -> [UInt8]? {
        // A frame begins with its kind, and then has its id: the reply has the same two.
        guard let end = Self.endOfID(in: message) else { return nil }
        if message.starts(with: Self.attachment) { return message[..<end] + [UInt8(ascii: "}")] }
        let hasReply = lock.withLock {
            received += 1
            return !isSilent
        }
        return hasReply ? message[..<end] + payload : nil
    }

    private static let attachment = Array(#"{"type":"attach""#.utf8)

    private static func endOfID(in message: [UInt8]) -> Int? {
        var quotes = 0
        for (index, byte) in message.enumerated() where byte == UInt8(ascii: "\"") {
            quotes += 1
            // Four names and values, each in quotation marks.
            if quotes == 8 { return index + 1 }
        }
        return nil
    }
}

/// A connection to an `InstantServer`.
final class InstantConnection: MessageConnection, @unchecked Sendable {
    private typealias Receiver = CheckedContinuation<Result<ReceivedMessage, TransportFault>, Never>
    private typealias Action = @Sendable () -> Void

    private let server: InstantServer
    private let lock = NSLock()
    private var messages: [ReceivedMessage] = []
    private var front = 0
    private var isLost = false
    private var receiver: Receiver?
    private var action: Action?

    init(_ server: InstantServer) { self.server = server }

    func send(_ message: [UInt8]) async throws(TransportFault) {
        guard !lock.withLock({ isLost }) else { throw TransportFault(.lost, evidence: .notSent) }
        if let reply = server.reply(to: message) { put(.text(reply)) }
    }

    func sendAtOnce(_ message: [UInt8]) -> Bool {
        guard !lock.withLock({ isLost }) else { return false }
        if let reply = server.reply(to: message) { put(.text(reply)) }
        return true
    }

    func ping() async throws(TransportFault) { put(.pong) }

    func close(_ code: CloseCode) async { lose() }

    private func put(_ message: ReceivedMessage) {
        let (waiting, action) = lock.withLock { () -> (Receiver?, Action?) in
            guard let waiting = receiver else {
                messages.append(message)
                return (nil, takeAction())
            }
            receiver = nil
            return (waiting, nil)
        }
        waiting?.resume(returning: .success(message))
        action?()
    }

    func lose() {
        let (waiting, action) = lock.withLock { () -> (Receiver?, Action?) in
            isLost = true
            return (takeReceiver(), takeAction())
        }
        waiting?.resume(returning: .failure(TransportFault(.lost, evidence: .sent)))
        action?()
    }

    func receiveAtOnce() -> ReceivedMessage? {
        lock.withLock {
            guard front < messages.count else { return nil }
            defer { advance() }
            return messages[front]
        }
    }

    func notify(_ action: @escaping @Sendable () -> Void) -> ArrivalNotice {
        lock.withLock {
            if front < messages.count { return .arrived }
            if isLost { return .unavailable }
            self.action = action
            return .set
        }
    }

    func receive() async throws(TransportFault) -> ReceivedMessage {
        try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let next = lock.withLock { () -> Result<ReceivedMessage, TransportFault>? in
                    if front < messages.count {
                        defer { advance() }
                        return .success(messages[front])
                    }
                    if isLost { return .failure(TransportFault(.lost, evidence: .sent)) }
                    if Task.isCancelled { return .failure(TransportFault(.cancelled, evidence: .sent)) }
                    receiver = continuation
                    return nil
                }
                if let next { continuation.resume(returning: next) }
            }
        } onCancel: {
            let waiting = lock.withLock { takeReceiver() }
            waiting?.resume(returning: .failure(TransportFault(.cancelled, evidence: .sent)))
        }.get()
    }

    private func takeReceiver() -> Receiver? {
        defer { receiver = nil }
        return receiver
    }

    private func takeAction() -> Action? {
        defer { action = nil }
        return action
    }

    private func advance() {
        front += 1
        guard front == messages.count else { return }
        messages.removeAll(keepingCapacity: messages.capacity <= 64)
        front = 0
    }
}

/// A transport over HTTP that has the response already, or never has one.
final class InstantHTTP: Transport, @unchecked Sendable {
    private let lock = NSLock()
    private let answer: TransportResponse
    private let isSilent: Bool
    private var received = 0

    init(_ body: String, isSilent: Bool = false) {
        answer = TransportResponse(status: 200, body: Array(body.utf8))
        self.isSilent = isSilent
    }

    var requests: Int { lock.withLock { received } }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        guard isSilent else { return answer }
        lock.withLock { received += 1 }
        // Ends with the task.
        let (never, _) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
        throw TransportFault(.cancelled, evidence: .sent)
    }
}

/// A transport over HTTP that gets its responses from a task of its own. Each transport on a socket has such a task or thread, and so has
/// each connection.
final class HandedOverHTTP: Transport {
    private let requests: AsyncStream<CheckedContinuation<Void, Never>>.Continuation
    private let transport: InstantHTTP

    init(_ transport: InstantHTTP) {
        let (waiting, requests) = AsyncStream.makeStream(of: CheckedContinuation<Void, Never>.self)
        (self.transport, self.requests) = (transport, requests)
        Task { for await request in waiting { request.resume() } }
    }

    deinit { requests.finish() }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        await withCheckedContinuation { _ = requests.yield($0) }
        return try await transport.send(request)
    }
}
