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
final class RawServer: Sendable {
    let port: Int
    private let listener: Int32
    private let log = Log()

    /// - Parameter handle: what to do with each connection, by its number from 1.
    init(_ handle: @escaping @Sendable (RawConnection, Int) -> Void) throws {
        signal(SIGPIPE, SIG_IGN)
        listener = makeSocket()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                bind(listener, plain, length) == 0 && listen(listener, 64) == 0
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
                let connection = RawConnection(socket, log)
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

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    var url: String { "http://127.0.0.1:\(port)" }
    /// Every request that was read, headers and body.
    var requests: [String] { log.lines }

    final class Log: @unchecked Sendable {
        private let lock = NSLock()
        private var kept: [String] = []
        var lines: [String] { lock.withLock { kept } }
        func add(_ line: String) { lock.withLock { kept.append(line) } }
    }
}

/// One connection to a raw server.
struct RawConnection: Sendable {
    private let socket: Int32
    private let log: RawServer.Log

    init(_ socket: Int32, _ log: RawServer.Log) {
        self.socket = socket
        self.log = log
    }

    /// Reads one request with its body; nil where the client closed before.
    func readRequest() -> String? {
        var bytes: [UInt8] = []
        var wanted = Int.max
        while bytes.count < wanted {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
            let text = String(decoding: bytes, as: UTF8.self)
            guard wanted == .max, let end = text.range(of: "\r\n\r\n") else { continue }
            let head = text[..<end.lowerBound].lowercased()
            let length = head.components(separatedBy: "\r\n").first { $0.hasPrefix("content-length:") }
            let body = length.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
            wanted = text[..<end.upperBound].utf8.count + body
        }
        let request = String(decoding: bytes, as: UTF8.self)
        log.add(request)
        return request
    }

    func write(_ text: String) { write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) {
        var position = 0
        while position < bytes.count {
            let count = bytes[position...].withUnsafeBytes { send(socket, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return }
            position += count
        }
    }

    /// A whole answer, after which the connection may be used again.
    func respond(_ status: String, _ headers: String = "", _ body: String = "") {
        write("HTTP/1.1 \(status)\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// Waits until the client closes; false where it did not in time.
    func isClosedByClient(within seconds: Int32) -> Bool {
        var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard Foundation.poll(&poll, 1, seconds * 1_000) > 0 else { return false }
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, 0) <= 0
    }

    /// Makes the connection end with a reset (RFC 9293 section 3.5) rather than in peace, when the test
    /// is done with it. Each socket is closed once: its number may be another's by then.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    func close() { closeSocket() }

    private func closeSocket() {
        #if canImport(Darwin)
        _ = Darwin.close(socket)
        #elseif canImport(Musl)
        _ = Musl.close(socket)
        #else
        _ = Glibc.close(socket)
        #endif
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
