import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// One connection to a raw server.
public struct RawConnection: Sendable {
    private let socket: Int32
    private let log: RawServer.Log?

    init(_ socket: Int32, _ log: RawServer.Log?) {
        self.socket = socket
        self.log = log
        #if canImport(Darwin)
        // A write to a connection that is gone fails, and does not end the process; elsewhere a flag of each write says so.
        var isOn: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout.size(ofValue: isOn)))
        #endif
    }

    // MARK: Reading

    /// Reads one request with its body; nil if the client closed before.
    ///
    /// - Parameter pause: how many microseconds to wait before each piece of at most 64 KB.
    public func readRequest(pause: UInt32 = 0) -> String? {
        readMessage(pause: pause).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// The same as bytes, and how long its head is. A client that waits for leave to send its body gets it.
    func readMessage(pause: UInt32 = 0) -> (bytes: [UInt8], headSize: Int)? {
        var bytes: [UInt8] = []
        var headSize: Int?
        var end = RequestEnd.length(.max)
        while true {
            if let headSize, end.isReached(in: bytes, behind: headSize) {
                log?.add(bytes)
                return (bytes, headSize)
            }
            if pause > 0 { usleep(pause) }
            guard let more = readSome(65_536) else { return nil }
            // The blank line may have begun in what was there.
            let start = max(0, bytes.count - 3)
            bytes += more
            guard headSize == nil, let size = Self.headSize(in: bytes, from: start) else { continue }
            headSize = size
            let head = String(decoding: bytes[..<size], as: UTF8.self).lowercased()
            end = RequestEnd(head)
            if head.contains("\r\nexpect: 100-continue\r\n") { write("HTTP/1.1 100 Continue\r\n\r\n") }
        }
    }

    /// Reads so many bytes of a request at most, and leaves the others unread; false if the client has gone.
    public func readPart(_ size: Int) -> Bool { readSome(size) != nil }

    private func readSome(_ size: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            var received = recv(socket, buffer.baseAddress, size, 0)
            while received < 0, errno == EINTR { received = recv(socket, buffer.baseAddress, size, 0) }
            count = max(0, received)
        }
        return bytes.isEmpty ? nil : bytes
    }

    private static func headSize(in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (start...(bytes.count - 4)).first { bytes[$0...].starts(with: [13, 10, 13, 10]) }.map { $0 + 4 }
    }

    // MARK: Writing

    @discardableResult
    public func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Writes all of it; false if the client has gone.
    @discardableResult
    public func write(_ bytes: [UInt8]) -> Bool {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        var position = 0
        while position < bytes.count {
            let count = bytes[position...].withUnsafeBytes { send(socket, $0.baseAddress, $0.count, flags) }
            guard count > 0 else { return false }
            position += count
        }
        return true
    }

    /// Sends a complete response, after which the connection may be used again.
    ///
    /// - Parameter headers: lines, each with its line break.
    public func respond(_ status: String, _ headers: String = "", _ body: String = "") {
        write(TransportConformance.message(status, headers, body))
    }

    // MARK: Ends

    /// Waits until the client sends something or closes; false if it did not in time.
    public func hears(within milliseconds: Int32) -> Bool {
        var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return Foundation.poll(&poll, 1, milliseconds) > 0
    }

    /// Waits until the client sends something, and leaves that unread; false if it closed, or did not in time.
    func hearsBytes(within milliseconds: Int32) -> Bool {
        guard hears(within: milliseconds) else { return false }
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK)) > 0
    }

    /// Waits until the client closes; false if it did not in time.
    public func isClosedByClient(within seconds: Int32) -> Bool {
        guard hears(within: seconds * 1_000) else { return false }
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, 0) <= 0
    }

    /// Stops writing, and continues to read: a half-close (RFC 9293 section 3.6).
    public func finishWriting() { shutdown(socket, Int32(SHUT_WR)) }

    /// Makes the connection end with a reset (RFC 9293 section 3.5) rather than in peace, when the test
    /// is done with it. Each socket is closed once: its number may be another's by then.
    public func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    func close() { closeSocket(socket) }
}

/// Where the body of a request ends (RFC 9112 section 6.3).
private enum RequestEnd {
    case length(Int)
    case chunks

    /// - Parameter head: in lowercase.
    init(_ head: String) {
        let lines = head.components(separatedBy: "\r\n")
        if lines.contains(where: { $0.hasPrefix("transfer-encoding:") && $0.contains("chunked") }) {
            self = .chunks
        } else {
            let length = lines.first { $0.hasPrefix("content-length:") }
            self = .length(length.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0)
        }
    }

    func isReached(in bytes: [UInt8], behind headSize: Int) -> Bool {
        switch self {
        case .length(let length): bytes.count - headSize >= length
        case .chunks: bytes.suffix(5).elementsEqual("0\r\n\r\n".utf8)
        }
    }
}
