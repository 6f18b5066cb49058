import Foundation
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One connection to a raw server.
public struct RawConnection: Sendable {
    private let socket: Int32
    private let log: RawServer.Log?

    init(_ socket: Int32, _ log: RawServer.Log?) {
        self.socket = socket
        self.log = log
    }

    /// Reads one request with its body; nil where the client closed before.
    public func readRequest() -> String? {
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
        log?.add(request)
        return request
    }

    @discardableResult
    public func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Writes all of it; false where the client has gone.
    @discardableResult
    public func write(_ bytes: [UInt8]) -> Bool {
        var position = 0
        while position < bytes.count {
            let count = bytes[position...].withUnsafeBytes { send(socket, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return false }
            position += count
        }
        return true
    }

    /// A whole answer, after which the connection may be used again.
    public func respond(_ status: String, _ headers: String = "", _ body: String = "") {
        write("HTTP/1.1 \(status)\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// Reads so many bytes of a request at most, and leaves the others unread; false where the client has gone.
    public func readPart(_ size: Int) -> Bool {
        var buffer = [UInt8](repeating: 0, count: size)
        return recv(socket, &buffer, size, 0) > 0
    }

    /// Waits until the client sends something or closes; false where it did not in time.
    public func hears(within milliseconds: Int32) -> Bool {
        var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return Foundation.poll(&poll, 1, milliseconds) > 0
    }

    /// Waits until the client closes; false where it did not in time.
    public func isClosedByClient(within seconds: Int32) -> Bool {
        guard hears(within: seconds * 1_000) else { return false }
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, 0) <= 0
    }

    /// Makes the connection end with a reset (RFC 9293 section 3.5) rather than in peace, when the test
    /// is done with it. Each socket is closed once: its number may be another's by then.
    public func reset() {
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
