import Foundation

@testable import ErrandRuntime

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Messages as lines over TCP, to show that a transport of messages need not be WebSocket. A line is `t` and a text, `b` and a count of
/// bytes, `c` and a code, or `p` for a sign of life.
struct LineTransport: MessageTransport {
    func open(_ opening: ConnectionOpening) async throws(OpeningFault) -> any MessageConnection {
        guard let url = WebSocketURL(opening.url) else {
            throw .failed(TransportFault(.unreadable, evidence: .notSent))
        }
        // It speaks no TLS at all.
        if url.isSecure { throw .failed(TransportFault(.tls, evidence: .notSent)) }
        let socket = LineSocket.connected(to: url.origin.port)
        guard let socket else { throw .failed(TransportFault(.refused, evidence: .notSent)) }
        return LineConnection(socket, limit: opening.maximumMessageSize)
    }
}

final class LineConnection: MessageConnection {
    private let socket: LineSocket
    private let inbox = MessageInbox()
    private let limit: Int
    // Both block, so that each has a thread of its own.
    private let reading = DispatchQueue(label: "reading")
    private let writing = DispatchQueue(label: "writing")
    private let state = LockedState<(isAsked: Bool, isOver: Bool)> { (false, false) }

    init(_ socket: LineSocket, limit: Int) {
        self.socket = socket
        self.limit = limit
    }

    deinit { socket.shutDown() }

    func send(_ message: [UInt8]) async throws(TransportFault) { try await write([0x74] + message) }

    func ping() async throws(TransportFault) { try await write([0x70]) }

    private func write(_ line: [UInt8]) async throws(TransportFault) {
        guard !state.withLock({ $0.isOver }) else { throw TransportFault(.lost, evidence: .notSent) }
        let isWritten = await withCheckedContinuation { continuation in
            writing.async { [socket] in continuation.resume(returning: socket.write(line + [0x0A])) }
        }
        if !isWritten { throw TransportFault(.lost, evidence: .sent) }
    }

    func receive() async throws(TransportFault) -> ReceivedMessage {
        try await inbox.next(ask).get()
    }

    func receiveAtOnce() -> ReceivedMessage? { inbox.nextAtOnce }

    func notify(_ action: @escaping @Sendable () -> Void) -> ArrivalNotice { inbox.notify(ask, action) }

    var receivedByteCount: Int { socket.received }

    private func ask() {
        let isFirst = state.withLock { state in
            defer { state.isAsked = true }
            return !state.isAsked
        }
        if isFirst { reading.async { self.readOne() } }
    }

    private func readOne() {
        let result = socket.readLine(limit: limit)
        state.withLock { $0.isAsked = false }
        switch result {
        case .line(let line) where line.first == 0x74: inbox.put(.text(Array(line.dropFirst())))
        case .line(let line) where line.first == 0x62: inbox.put(.binary(count: Self.number(line)))
        case .line(let line) where line.first == 0x63:
            end(.success(.closed(CloseCode(rawValue: UInt16(clamping: Self.number(line))))))
        case .line(let line) where line == [0x70]: inbox.put(.pong)
        case .line: end(.failure(TransportFault(.unreadable, evidence: .sent)))
        case .tooLong: end(.failure(TransportFault(.oversized, evidence: .sent)))
        case .end: end(.failure(TransportFault(.lost, evidence: .sent)))
        }
    }

    private static func number(_ line: [UInt8]) -> Int { Int(String(decoding: line.dropFirst(), as: UTF8.self)) ?? 0 }

    private func end(_ end: MessageInbox.Received) {
        state.withLock { $0.isOver = true }
        socket.shutDown()
        inbox.end(end)
    }

    func close(_ code: CloseCode) async {
        guard !state.withLock({ $0.isOver }) else { return }
        _ = try? await write(Array("c\(code.rawValue)".utf8))
        end(.success(.closed(code)))
    }
}

/// A server of that protocol, which obeys the orders of `MessageConformance`.
final class LineServer: Sendable {
    let port: Int
    private let listener: LineSocket
    private let flooded = LockedState<Int> { 0 }

    init?() {
        guard let listener = LineSocket.listening() else { return nil }
        self.listener = listener
        port = listener.port
        let flooded = flooded
        Thread.detachNewThread {
            while let socket = listener.accept() {
                Thread.detachNewThread {
                    while case .line(let line) = socket.readLine(limit: 1 << 24), Self.obey(line, socket, flooded) {}
                    socket.shutDown()
                }
            }
        }
    }

    deinit { listener.shutDown() }

    /// Carries out one order; false if the connection is over.
    private static func obey(_ line: [UInt8], _ socket: LineSocket, _ flooded: LockedState<Int>) -> Bool {
        func text(_ text: some Sequence<UInt8>) -> Bool { socket.write([0x74] + text + [0x0A]) }
        guard line.first == 0x74 else { return line == [0x70] && socket.write([0x70, 0x0A]) }
        let parts = line.dropFirst().split(separator: 0x20, maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.count > 1 ? Array(parts[1]) : []
        let count = Int(String(decoding: rest, as: UTF8.self)) ?? 0
        switch String(decoding: parts[0], as: UTF8.self) {
        case "echo": return text(rest)
        case "burst": return (0..<count).allSatisfy { text("\($0)".utf8) }
        case "long": return text(repeatElement(0x78, count: count))
        case "binary": return socket.write(Array("b\(count)\n".utf8))
        case "close": return socket.write(Array("c\(count)\n".utf8))
        case "flood":
            while text(repeatElement(0x78, count: 65_536)) { flooded.withLock { $0 += 1 } }
            return false
        case "flooded": return text("\(flooded.withLock { $0 })".utf8)
        default: return false
        }
    }
}

/// A socket, whose calls block.
final class LineSocket: Sendable {
    enum Reading {
        case line([UInt8])
        case tooLong
        case end
    }

    private let descriptor: Int32
    private let buffer = LockedState<[UInt8]> { [] }
    private let count = LockedState<Int> { 0 }

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    private static func make() -> Int32 {
        #if canImport(Darwin)
        return socket(AF_INET, SOCK_STREAM, 0)
        #else
        return socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #endif
    }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return address
    }

    static func connected(to port: Int) -> LineSocket? {
        let socket = LineSocket(make())
        var address = address(port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return result == 0 ? socket : nil
    }

    static func listening() -> LineSocket? {
        let socket = LineSocket(make())
        var address = address(0)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return result == 0 && listen(socket.descriptor, 64) == 0 ? socket : nil
    }

    /// How many bytes were read.
    var received: Int { count.withLock { $0 } }

    var port: Int {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return Int(in_port_t(bigEndian: address.sin_port))
    }

    func accept() -> LineSocket? {
        #if canImport(Darwin)
        let next = Darwin.accept(descriptor, nil, nil)
        #elseif canImport(Musl)
        let next = Musl.accept(descriptor, nil, nil)
        #else
        let next = Glibc.accept(descriptor, nil, nil)
        #endif
        return next < 0 ? nil : LineSocket(next)
    }

    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    func write(_ bytes: [UInt8]) -> Bool {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        var position = 0
        while position < bytes.count {
            let count = bytes[position...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
            guard count > 0 else { return false }
            position += count
        }
        return true
    }

    /// Reads one line of so many bytes at most, beside its kind.
    func readLine(limit: Int) -> Reading {
        var searched = 0
        while true {
            let found = buffer.withLock { [searched] buffer -> Reading? in
                guard let end = buffer[min(searched, buffer.count)...].firstIndex(of: 0x0A) else {
                    return buffer.count > limit + 1 ? .tooLong : nil
                }
                if end > limit + 1 { return .tooLong }
                let line = Array(buffer[..<end])
                buffer.removeSubrange(...end)
                return .line(line)
            }
            if let found { return found }
            searched = buffer.withLock { $0.count }
            let more = [UInt8](unsafeUninitializedCapacity: 65_536) { bytes, count in
                count = max(0, recv(descriptor, bytes.baseAddress, 65_536, 0))
            }
            if more.isEmpty { return .end }
            count.withLock { $0 += more.count }
            buffer.withLock { $0 += more }
        }
    }
}
