import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A proxy of HTTP on a port of this machine, for tests. It connects for CONNECT, passes requests with whole URLs on, and keeps the head of
/// everything that it is asked for. Every name is that of this machine, so a client that looks a name up itself fails.
public final class TestProxy: @unchecked Sendable {
    public enum Behavior: Sendable {
        case serve
        /// Responds to everything with this status.
        case refuse(Int)
        /// Closes each connection after it has read a head.
        case hangUp
    }

    public let port: Int
    private let listener: Int32
    private let behavior: Behavior
    private let authorization: String?
    private let lock = NSLock()
    private var kept: [String] = []

    struct NoPort: Error {}

    /// - Parameter credentials: `user:password` that a client has to send; nil if it needs none.
    public init(_ behavior: Behavior = .serve, credentials: String? = nil) throws {
        self.behavior = behavior
        authorization = credentials.map { "Basic " + Data($0.utf8).base64EncodedString() }
        listener = Self.makeSocket()
        var address = Self.address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && listen(socket, 128) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isBound else { throw NoPort() }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { break }
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                Thread.detachNewThread { [self] in handle(client) }
            }
            close(listener)
        }
    }

    /// Takes no connections any more.
    public func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// The URL with these credentials.
    public func url(_ credentials: String? = nil) -> String {
        "http://" + (credentials.map { $0 + "@" } ?? "") + "127.0.0.1:\(port)"
    }

    /// The heads of all requests so far, with their line ends.
    public var heads: [String] { lock.withLock { kept } }

    // MARK: A connection

    private func handle(_ client: Int32) {
        defer { close(client) }
        guard let (head, rest) = Self.readHead(client) else { return }
        lock.withLock { kept.append(head) }
        if case .hangUp = behavior { return }
        if case .refuse(let status) = behavior { return Self.write(client, Self.response(status, "no")) }
        let lines = head.components(separatedBy: "\r\n")
        if let authorization, !lines.contains("Proxy-Authorization: \(authorization)"),
            !lines.contains("proxy-authorization: \(authorization)")
        {
            return Self.write(
                client, Self.response(407, "who are you?", "Proxy-Authenticate: Basic realm=\"test\"\r\n"))
        }
        let words = lines[0].split(separator: " ").map(String.init)
        guard words.count == 3, let (port, target) = Self.place(words[0], words[1]), let server = Self.connect(port)
        else {
            return Self.write(client, Self.response(502, "nobody is there"))
        }
        defer { close(server) }
        if words[0] == "CONNECT" {
            Self.write(client, "HTTP/1.1 200 Connection established\r\n\r\n")
        } else {
            let kept = lines.dropFirst().filter { !$0.lowercased().hasPrefix("proxy-") }
            Self.write(
                server, ([[words[0], target, words[2]].joined(separator: " ")] + kept).joined(separator: "\r\n"))
        }
        Self.write(server, rest)
        // Neither end of the connection outlives the other.
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            Self.pump(server, client)
            done.signal()
        }
        Self.pump(client, server)
        done.wait()
    }

    /// The port of the server, and the target of the request there.
    private static func place(_ method: String, _ target: String) -> (Int, String)? {
        if method == "CONNECT" { return target.split(separator: ":").last.flatMap { Int($0) }.map { ($0, "") } }
        guard target.hasPrefix("http://") else { return nil }
        let rest = target.dropFirst(7)
        let authority = rest.prefix { $0 != "/" }
        let path = rest[authority.endIndex...]
        return (
            authority.split(separator: ":").dropFirst().last.flatMap { Int($0) } ?? 80,
            path.isEmpty ? "/" : String(path)
        )
    }

    private static func response(_ status: Int, _ body: String, _ headers: String = "") -> String {
        "HTTP/1.1 \(status) Test\r\nContent-Length: \(body.utf8.count)\r\n\(headers)Connection: close\r\n\r\n\(body)"
    }

    private static func readHead(_ socket: Int32) -> (head: String, rest: [UInt8])? {
        var bytes: [UInt8] = []
        while bytes.count < 64 << 10 {
            guard let part = readSome(socket) else { return nil }
            bytes += part
            guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: [13, 10, 13, 10]) }) else {
                continue
            }
            return (String(decoding: bytes[..<(end + 4)], as: UTF8.self), Array(bytes[(end + 4)...]))
        }
        return nil
    }

    private static func pump(_ from: Int32, _ to: Int32) {
        while let part = readSome(from), write(to, part) {}
        shutdown(to, Int32(SHUT_WR))
    }

    // MARK: Sockets

    private static func readSome(_ socket: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = recv(socket, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    @discardableResult
    private static func write(_ socket: Int32, _ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            #if canImport(Darwin)
            let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, 0) }
            #else
            let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            #endif
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func write(_ socket: Int32, _ text: String) { write(socket, Array(text.utf8)) }

    private static func connect(_ port: Int) -> Int32? {
        let socket = makeSocket()
        var address = address(UInt16(clamping: port))
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                systemConnect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if isConnected { return socket }
        close(socket)
        return nil
    }

    private static func makeSocket() -> Int32 {
        #if canImport(Glibc)
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let socket = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        // A process that a test starts must not hold a connection open.
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
        var isOn: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
        return socket
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return address
    }
}

private func systemConnect(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    connect(socket, address, length)
}
