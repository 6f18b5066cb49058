import ErrandRuntime
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A server that does to its connections exactly what a test says, on a port of its own. Blocking, one
/// thread per connection.
///
///     let server = try RawServer { connection, _ in
///         _ = connection.readRequest()
///         connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
///     }
public final class RawServer: Sendable {
    public let port: Int
    private let listener: Int32
    private let log = Log()

    /// - Parameters:
    ///   - keepsRequests: whether the server keeps `requests`; a test with very many requests can turn this off.
    ///   - handle: handles each connection, by its number from 1. The connection is closed when it returns.
    /// - Throws: `POSIXError` if no port is available.
    public init(keepsRequests: Bool = true, _ handle: @escaping @Sendable (RawConnection, Int) -> Void) throws {
        (listener, port) = try boundSocket()
        guard listen(listener, 512) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        let (listener, log) = (listener, log)
        Thread.detachNewThread {
            var number = 0
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0 else { break }
                closeOnExec(socket)
                number += 1
                let connection = RawConnection(socket, keepsRequests ? log : nil)
                let current = number
                Thread.detachNewThread {
                    handle(connection, current)
                    connection.close()
                }
            }
            // Here and nowhere else: its number may be another server's as soon as it is closed, and
            // this thread would take that one's connections.
            closeSocket(listener)
        }
    }

    /// Refuses each request when it has read one to four parts of it, and closes the connection.
    ///
    /// - Parameter lingers: whether the server reads on after its response, as gateways do, so that the client isn't reset before it has
    ///   read the response.
    package convenience init(refusingPartsWith status: String, lingers: Bool) throws {
        try self.init(keepsRequests: false) { connection, number in
            for _ in 0...number % 4 { _ = connection.readPart(16 << 10) }
            connection.respond(status, "Connection: close\r\n", "{\"code\": 7}")
            guard lingers else { return }
            connection.finishWriting()
            while connection.readPart(64 << 10) {}
        }
    }

    deinit { stopListening() }

    /// Takes no connections any more: the next ones are refused. Those that are open go on.
    public func stopListening() {
        if log.endsListening() { shutdown(listener, Int32(SHUT_RDWR)) }
    }

    public var url: String { "http://127.0.0.1:\(port)" }
    /// Every request that was read, headers and body.
    public var requests: [String] { log.requests.map { String(decoding: $0, as: UTF8.self) } }

    /// The requests read so far, and whether more may follow.
    final class Log: Sendable {
        // Bytes, not text: the repair of a megabyte of random bytes takes longer than a transport waits for a response.
        private let state = LockedState<(kept: [[UInt8]], isListening: Bool)> { ([], true) }
        var requests: [[UInt8]] { state.withLock { $0.kept } }
        func add(_ request: [UInt8]) { state.withLock { $0.kept.append(request) } }
        /// Whether it listened until now.
        func endsListening() -> Bool {
            state.withLock { state in
                let isListening = state.isListening
                state.isListening = false
                return isListening
            }
        }
    }
}

/// A port that is taken and has no listener, for as long as this object lives: connections to it are refused.
final class SilentPort: Sendable {
    let port: Int
    private let socket: Int32

    init() throws { (socket, port) = try boundSocket() }

    deinit { closeSocket(socket) }
}

/// A socket on a free port of this machine.
private func boundSocket() throws -> (socket: Int32, port: Int) {
    let socket = makeSocket()
    closeOnExec(socket)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
            bind(socket, plain, length) == 0 && getsockname(socket, plain, &length) == 0
        }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    return (socket, Int(UInt16(bigEndian: address.sin_port)))
}

private func makeSocket() -> Int32 {
    #if canImport(Glibc)
    socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    socket(AF_INET, SOCK_STREAM, 0)
    #endif
}

/// Keeps a process that a test starts from holding a connection open.
private func closeOnExec(_ socket: Int32) { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }

func closeSocket(_ socket: Int32) {
    #if canImport(Glibc)
    _ = Glibc.close(socket)
    #elseif canImport(Musl)
    _ = Musl.close(socket)
    #elseif canImport(Darwin)
    _ = Darwin.close(socket)
    #endif
}
