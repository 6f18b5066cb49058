// Without the trait `Tool`, the target is empty, so that only the message of `errand/ToolRequirement.swift` is shown.
#if canImport(FlyingSocks)
import ContractModel
import FlyingSocks
import MockServer

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The mock server on a socket.
///
/// It reads HTTP/1.1 itself, on the sockets of FlyingSocks. FlyingFox's own server reads heads and bodies of any size, and has one
/// timeout for a whole request. It also has no way to end a connection inside a response, which is what half of the failures are.
///
/// Architecture invariant: everything that a client can use up is in ``ConnectionLimits``.
package actor MockHost {
    /// Why the host cannot listen.
    package enum StartError: Error, Equatable {
        /// Another program has the port.
        case portInUse(Int)
        /// The text is not an IPv4 address of this machine.
        case noAddress(String)
        case other(String)
    }

    /// The port that it listens on.
    package nonisolated let port: Int
    private let limits: ConnectionLimits
    private var engine: MockEngine
    private let start = ContinuousClock.now
    private let log: @Sendable (LogEntry) -> Void
    private let complain: @Sendable (String) -> Void
    private let listener: Socket

    /// The open connections: their files, and when each is closed if nothing happens.
    private var connections: [Int: (socket: AsyncSocket, deadline: ContinuousClock.Instant)] = [:]
    private var nextConnection = 0

    /// The latest entries of the log, for a page that is opened later.
    private(set) var recent: [LogEntry] = []
    /// The pages that follow the log, the oldest first.
    private var listeners: [AsyncStream<[UInt8]>.Continuation] = []
    private static let mostRecent = 200

    /// Whether only this machine reaches the server.
    nonisolated let isLoopback: Bool

    /// Listens. Requests are taken as soon as ``run()`` is called.
    ///
    /// - Parameters:
    ///   - address: an IPv4 address of this machine: `127.0.0.1`, or `0.0.0.0` for all.
    ///   - port: 0 for any port that is free.
    ///   - log: gets a line for each request.
    ///   - complain: gets what is wrong with a connection.
    package init(
        _ engine: MockEngine, address: String, port: Int, limits: ConnectionLimits = ConnectionLimits(),
        log: @escaping @Sendable (LogEntry) -> Void, complain: @escaping @Sendable (String) -> Void
    ) throws(StartError) {
        self.engine = engine
        self.limits = limits
        self.log = log
        self.complain = complain
        isLoopback = address.hasPrefix("127.")
        (listener, self.port) = try Self.listen(address, port)
    }

    private static func listen(_ address: String, _ port: Int) throws(StartError) -> (Socket, Int) {
        do {
            guard let number = UInt16(exactly: port) else { throw StartError.other("\(port) is not a port") }
            let place: sockaddr_in
            do {
                place = try .inet(ip4: address, port: number)
            } catch {
                throw StartError.noAddress(address)
            }
            let socket = try Socket(domain: Int32(AF_INET))
            try socket.setValue(true, for: .localAddressReuse)
            try socket.bind(to: place)
            try socket.listen()
            guard case .ip4(_, let port) = try socket.sockname() else { throw StartError.noAddress(address) }
            return (socket, Int(port))
        } catch let error as StartError {
            throw error
        } catch SocketError.failed(_, let code, let message) {
            if code == EADDRINUSE { throw StartError.portInUse(port) }
            if code == EADDRNOTAVAIL { throw StartError.noAddress(address) }
            throw StartError.other(message)
        } catch {
            throw StartError.other("\(error)")
        }
    }

    /// Takes connections until the task is cancelled.
    package func run() async throws {
        let pool: some AsyncSocketPool = SocketPool.make()
        try await pool.prepare()
        let listener = try AsyncSocket(socket: listener, pool: pool)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run() }
            group.addTask { try await self.accept(from: listener) }
            group.addTask { try await self.closeLateConnections() }
            defer {
                group.cancelAll()
                try? listener.close()
            }
            try await group.next()
        }
    }

    private nonisolated func accept(from listener: AsyncSocket) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                let socket: AsyncSocket
                do {
                    socket = try await listener.accept()
                } catch SocketError.failed(_, let code, _)
                    where [EMFILE, ENFILE, ECONNABORTED, ENOBUFS, ENOMEM].contains(code)
                {
                    // Without files, the next connection waits until another one is closed.
                    try await Task.sleep(for: .milliseconds(50))
                    continue
                }
                guard let number = await self.open(socket) else {
                    group.addTask {
                        let body = Array("{\"message\":\"too many connections\"}".utf8)
                        let head = HTTPText.head(
                            503, [("Content-Type", "application/json")], length: body.count, isLast: true)
                        try? await socket.write(.init(head + body))
                        try? socket.close()
                    }
                    continue
                }
                group.addTask {
                    var connection = SocketConnection(socket, number: number, host: self, limits: self.limits)
                    await connection.run()
                    await self.close(number)
                    try? socket.close()
                }
            }
        }
    }

    // MARK: Connections

    private func open(_ socket: AsyncSocket) -> Int? {
        guard connections.count < limits.connections else {
            complain("there are \(limits.connections) connections already, and another one was closed")
            return nil
        }
        nextConnection += 1
        connections[nextConnection] = (socket, ContinuousClock.now + limits.idle)
        return nextConnection
    }

    private func close(_ number: Int) { connections[number] = nil }

    func setDeadline(of number: Int, in time: Duration) {
        connections[number]?.deadline = ContinuousClock.now + time
    }

    /// Tells a client that nothing more comes.
    func endWriting(to number: Int) {
        guard let connection = connections[number] else { return }
        _ = shutdown(connection.socket.socket.file.rawValue, Int32(SHUT_WR))
    }

    /// Closes the connections whose clients take too long. A connection is only shut down here: its own task closes the file, so that
    /// no other file gets its number meanwhile.
    private func closeLateConnections() async throws {
        while true {
            try await Task.sleep(for: .milliseconds(250))
            let now = ContinuousClock.now
            for connection in connections.values where connection.deadline < now {
                _ = shutdown(connection.socket.socket.file.rawValue, Int32(SHUT_RDWR))
            }
        }
    }

    // MARK: Requests

    func reply(to request: MockRequest) -> MockReply {
        let reply = engine.respond(to: request, at: ContinuousClock.now - start)
        log(reply.entry)
        recent.append(reply.entry)
        if recent.count > Self.mostRecent { recent.removeFirst() }
        tell(Self.event(reply.entry))
        return reply
    }

    func note(_ fault: HTTPFault) {
        complain("a request was refused with \(fault.status): \(fault.message)")
    }

    // MARK: Pages

    /// Lets a page follow the log. With too many, the oldest ends.
    func add(_ listener: AsyncStream<[UInt8]>.Continuation, most: Int) {
        listeners.append(listener)
        if listeners.count > most { listeners.removeFirst().finish() }
    }

    private func tell(_ event: [UInt8]) {
        listeners.removeAll { listener in
            if case .terminated = listener.yield(event) { true } else { false }
        }
    }

    // MARK: The service

    /// The contract that is played.
    package var contract: ResolvedContract { engine.contract }

    /// Changes the service that is played: a contract that was edited, or other settings.
    package func change(_ change: @Sendable (inout MockEngine) -> Void) {
        change(&engine)
        tell(Array("event: edited\ndata: {}\n\n".utf8))
    }

    /// The dial.
    var settings: MockSettings {
        get { engine.settings }
        set { engine.settings = newValue }
    }
}
#endif
