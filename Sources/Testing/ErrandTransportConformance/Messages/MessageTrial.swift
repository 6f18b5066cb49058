import ErrandRuntime

/// One transport of messages under one check.
final class MessageTrial: Sendable {
    struct Overdue: Error {}

    /// Far more than any check needs.
    private static let limit = Duration.seconds(30)

    let opening: ConnectionOpening
    private let transport: any MessageTransport
    private let notes = LockedState<[String]> { [] }
    private let connections = LockedState<[any MessageConnection]> { [] }

    init(_ transport: any MessageTransport, _ opening: ConnectionOpening) {
        self.transport = transport
        self.opening = opening
    }

    var seen: [String] { notes.withLock { $0 } }

    func note(_ text: String) { notes.withLock { $0.append(text) } }

    func check(_ holds: Bool, _ text: @autoclosure () -> String) {
        if !holds { note(text()) }
    }

    func open(_ opening: ConnectionOpening? = nil) async throws -> any MessageConnection {
        let connection = try await transport.open(opening ?? self.opening)
        connections.withLock { $0.append(connection) }
        return connection
    }

    /// Sends an order, and expects what follows from it.
    func expect(
        _ order: String, _ wanted: [ReceivedMessage], on connection: any MessageConnection
    ) async throws {
        try await connection.send(Array(order.utf8))
        try await expect(wanted, on: connection)
    }

    func expect(_ wanted: [ReceivedMessage], on connection: any MessageConnection) async throws {
        for message in wanted {
            let received: ReceivedMessage
            if let arrived = connection.receiveAtOnce() {
                received = arrived
            } else {
                received = try await connection.receive()
            }
            check(received == message, "\(message.summary) was sent, and \(received.summary) arrived")
        }
    }

    /// The fault that ends a connection; nil if a message arrives.
    func fault(of connection: any MessageConnection) async -> TransportFault? {
        do throws(TransportFault) {
            _ = try await connection.receive()
            return nil
        } catch {
            return error
        }
    }

    /// Ends a check that takes too long, by closing its connections: what waits for them then ends.
    func bounded(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let isOver = LockedState<Bool> { false }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { isOver.withLock { $0 = true } }
                try await work()
            }
            group.addTask {
                try? await Task.sleep(for: Self.limit)
                await self.closeAll()
                if !isOver.withLock({ $0 }) { throw Overdue() }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func closeAll() async {
        for connection in connections.withLock({ $0 }) { await connection.close(.normal) }
    }
}

extension ReceivedMessage {
    fileprivate var summary: String {
        switch self {
        case .text(let bytes): "a text of \(bytes.count) bytes"
        case .binary(let count): "\(count) bytes"
        case .pong: "a pong"
        case .closed(let code): "the end with \(code.rawValue)"
        }
    }
}
