// Without a trait that brings FlyingFox, the target is empty.
#if canImport(FlyingSocks)
import FlyingSocks

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An HTTP/1.1 server on a socket, whose responses may fail on the wire.
///
/// It reads HTTP/1.1 itself, on the sockets of FlyingSocks. FlyingFox's own server reads heads and bodies of any size, and has one
/// timeout for a whole request. It also has no way to end a connection inside a response, which is what half of the failures are.
///
/// Architecture invariant: everything that a client can use up is in ``ConnectionLimits``.
package actor SocketServer {
    /// Why the server cannot listen.
    package enum StartError: Error, Equatable {
        /// Another program has the port.
        case portInUse(Int)
        /// The text is not an IPv4 address of this machine.
        case noAddress(String)
        case other(String)
    }

    /// The port that it listens on.
    package nonisolated let port: Int
    nonisolated let limits: ConnectionLimits
    private let listener: Socket

    private struct OpenConnection {
        let socket: AsyncSocket
        /// When it is closed if nothing happens.
        var deadline: ContinuousClock.Instant
        /// Whether it is one of those that the limit counts, and not one too many.
        let isServed: Bool
        /// Whether it was closed because its client took too long.
        var isLate = false
        /// The bytes of its body that is under way.
        var held = 0
    }

    private var connections: [Int: OpenConnection] = [:]
    private var served = 0
    private var nextConnection = 0
    /// The bytes of all bodies that are under way.
    private(set) var held = 0

    /// Listens. Requests are taken as soon as ``run(_:)`` is called.
    ///
    /// - Parameters:
    ///   - address: an IPv4 address of this machine: `127.0.0.1`, or `0.0.0.0` for all.
    ///   - port: 0 for any port that is free.
    package init(address: String, port: Int, limits: ConnectionLimits = ConnectionLimits()) throws(StartError) {
        self.limits = limits
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
            do {
                try socket.setValue(true, for: .localAddressReuse)
                try socket.bind(to: place)
                try socket.listen()
                guard case .ip4(_, let port) = try socket.sockname() else { throw StartError.noAddress(address) }
                return (socket, Int(port))
            } catch {
                try? socket.close()
                throw error
            }
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
    package func run(_ handler: any HTTPHandler) async throws {
        let pool: some AsyncSocketPool = SocketPool.make()
        try await pool.prepare()
        let listener = try AsyncSocket(socket: listener, pool: pool)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run() }
            group.addTask { try await self.accept(from: listener, handler) }
            group.addTask { try await self.closeLateConnections() }
            defer {
                group.cancelAll()
                try? listener.close()
            }
            try await group.next()
        }
    }

    private nonisolated func accept(from listener: AsyncSocket, _ handler: any HTTPHandler) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                let socket: AsyncSocket
                do {
                    socket = try await listener.accept()
                } catch SocketError.failed(let call, let code, _) where !Self.endsListening(call, code) {
                    // Without files, the next connection waits until another one is closed.
                    try await Task.sleep(for: .milliseconds(50))
                    continue
                }
                Self.configure(socket)
                guard let (number, isServed) = await self.open(socket) else {
                    try? socket.close()
                    continue
                }
                group.addTask {
                    var connection = SocketConnection(socket, number: number, server: self, handler: handler)
                    if isServed {
                        await connection.run()
                    } else {
                        await connection.refuse(
                            HTTPFault(503, "there are \(self.limits.connections) connections already"))
                    }
                    await self.close(number)
                    try? socket.close()
                }
            }
        }
    }

    /// Whether a failure of a system call means that no connection can come any more. All others are about one connection, whose
    /// client has left or whose network is down, or they pass (accept(2)).
    static func endsListening(_ call: String, _ code: Int32) -> Bool {
        call == "Accept" && [EBADF, EINVAL, ENOTSOCK, EFAULT].contains(code)
    }

    /// Sends each part of a response at once. Otherwise, the system keeps the second part until the client has acknowledged the first, for
    /// which many clients take 40 milliseconds. On Apple's systems, a write to a client that has left would end the process.
    private static func configure(_ socket: AsyncSocket) {
        var isOn: Int32 = 1
        _ = setsockopt(
            socket.socket.file.rawValue, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #if canImport(Darwin)
        _ = setsockopt(
            socket.socket.file.rawValue, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    // MARK: Connections

    /// Nil if the connection is not even told that it is one too many.
    private func open(_ socket: AsyncSocket) -> (number: Int, isServed: Bool)? {
        let isServed = served < limits.connections
        guard isServed || connections.count - served < limits.refusals else { return nil }
        nextConnection += 1
        let time = isServed ? limits.idle : limits.refusalTime
        connections[nextConnection] = OpenConnection(
            socket: socket, deadline: ContinuousClock.now + time, isServed: isServed)
        if isServed { served += 1 }
        return (nextConnection, isServed)
    }

    private func close(_ number: Int) {
        guard let connection = connections.removeValue(forKey: number) else { return }
        if connection.isServed { served -= 1 }
        held -= connection.held
    }

    /// Takes note of the bytes of a connection's body. Returns false if there are too many under way.
    func hold(_ bytes: Int, of number: Int) -> Bool {
        guard let before = connections[number]?.held else { return false }
        guard bytes <= before || held - before + bytes <= limits.heldBytes else { return false }
        held += bytes - before
        connections[number]?.held = bytes
        return true
    }

    /// Whether the server has closed the connection because its client took too long.
    func isLate(_ number: Int) -> Bool { connections[number]?.isLate ?? false }

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
            for (number, connection) in connections where connection.deadline < now {
                connections[number]?.isLate = true
                _ = shutdown(connection.socket.socket.file.rawValue, Int32(SHUT_RDWR))
            }
        }
    }
}
#endif
