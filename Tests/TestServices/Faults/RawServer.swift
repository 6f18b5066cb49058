import Foundation
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A server that does to its connections exactly what a test says, on a port of its own. Blocking, one
/// thread per connection.
public final class RawServer: Sendable {
    public let port: Int
    private let listener: Int32
    private let log = Log()

    /// - Parameters:
    ///   - keepsRequests: whether `requests` has them; a test with very many of them can do without.
    ///   - handle: what to do with each connection, by its number from 1.
    public init(keepsRequests: Bool = true, _ handle: @escaping @Sendable (RawConnection, Int) -> Void) throws {
        signal(SIGPIPE, SIG_IGN)
        listener = makeSocket()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                bind(listener, plain, length) == 0 && listen(listener, 512) == 0
                    && getsockname(listener, plain, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        port = Int(UInt16(bigEndian: address.sin_port))
        let log = log
        Thread.detachNewThread {
            var number = 0
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0 else { break }
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
            close(listener)
        }
    }

    deinit { stopListening() }

    /// Takes no connections any more: the next ones are refused. Those that are open go on.
    public func stopListening() {
        if log.endsListening() { shutdown(listener, Int32(SHUT_RDWR)) }
    }

    public var url: String { "http://127.0.0.1:\(port)" }
    /// Every request that was read, headers and body.
    public var requests: [String] { log.lines }

    /// What was read, and whether there may be more.
    final class Log: @unchecked Sendable {
        private let lock = NSLock()
        private var kept: [String] = []
        private var isListening = true
        var lines: [String] { lock.withLock { kept } }
        func add(_ line: String) { lock.withLock { kept.append(line) } }
        /// Whether it listened until now.
        func endsListening() -> Bool {
            lock.withLock {
                defer { isListening = false }
                return isListening
            }
        }
    }
}

private func makeSocket() -> Int32 {
    #if canImport(Darwin)
    socket(AF_INET, SOCK_STREAM, 0)
    #elseif canImport(Musl)
    socket(AF_INET, SOCK_STREAM, 0)
    #else
    socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
}
