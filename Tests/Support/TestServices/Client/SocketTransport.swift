import ErrandRuntime
import FlyingSocks
import Foundation
import TestDigests

/// WebSocket (RFC 6455) on plain sockets, without TLS, to a service on this machine: for programs on Linux that are built without the
/// package's trait `WebSocket`.
package struct SocketTransport: MessageTransport {
    package init() {}

    package func open(_ opening: ConnectionOpening) async throws(OpeningFault) -> any MessageConnection {
        guard let url = WebSocketURL(opening.url), !url.isSecure, let port = UInt16(exactly: url.origin.port) else {
            throw .failed(TransportFault(.unreadable, evidence: .notSent))
        }
        let time = Double(opening.timeout.components.seconds) + Double(opening.timeout.components.attoseconds) / 1e18
        let socket: AsyncSocket
        do {
            socket = try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: port), timeout: time)
        } catch {
            throw .failed(TransportFault(error is CancellationError ? .cancelled : .refused, evidence: .notSent))
        }
        // The socket is closed once: another connection may have its number by the second time.
        do {
            let unread = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                group.addTask { try await Self.shakeHands(on: socket, opening, url) }
                group.addTask {
                    try await Task.sleep(for: opening.timeout)
                    throw OpeningFault.failed(TransportFault(.timeout, evidence: .notSent))
                }
                defer { group.cancelAll() }
                guard let unread = try await group.next() else { throw CancellationError() }
                return unread
            }
            return SocketConnection(socket, unread, limit: opening.maximumMessageSize)
        } catch {
            try? socket.close()
            if let fault = error as? OpeningFault { throw fault }
            throw .failed(TransportFault(error is CancellationError ? .cancelled : .lost, evidence: .notSent))
        }
    }

    /// Returns what the server has sent after its handshake.
    private static func shakeHands(
        on socket: AsyncSocket, _ opening: ConnectionOpening, _ url: WebSocketURL
    ) async throws -> [UInt8] {
        let key = Data((0..<16).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
        var lines = [
            "GET \(url.target) HTTP/1.1", "Host: \(url.authority)", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
        ]
        if let name = opening.subprotocol { lines.append("Sec-WebSocket-Protocol: \(name)") }
        lines += opening.headers.fields.map { "\($0.name): \($0.value)" }
        try await socket.write(Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
        var unread: [UInt8] = []
        let blank = Array("\r\n\r\n".utf8)
        while true {
            if let end = RequestText.index(of: blank, in: unread, from: 0) {
                let head = String(decoding: unread[..<end], as: UTF8.self)
                unread.removeFirst(end + blank.count)
                guard let response = response(head) else {
                    throw OpeningFault.failed(TransportFault(.unreadable, evidence: .notSent))
                }
                if response.status == 101, response.headers["Sec-WebSocket-Accept"] == accept(key),
                    response.headers["Sec-WebSocket-Protocol"] == opening.subprotocol
                {
                    return unread
                }
                guard response.status != 101 else {
                    throw OpeningFault.failed(TransportFault(.unreadable, evidence: .notSent))
                }
                let length = response.headers["Content-Length"].flatMap { Int($0) } ?? 0
                while unread.count < min(length, 1 << 16) { unread += try await socket.read(atMost: 4_096) }
                throw OpeningFault.refused(
                    TransportResponse(status: response.status, headers: response.headers, body: unread))
            }
            guard unread.count < 1 << 16 else {
                throw OpeningFault.failed(TransportFault(.unreadable, evidence: .notSent))
            }
            unread += try await socket.read(atMost: 4_096)
        }
    }

    private static func response(_ head: String) -> TransportResponse? {
        var lines = head.split(separator: "\r\n")[...]
        guard let status = lines.popFirst()?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            return nil
        }
        let fields = lines.compactMap { line -> HTTPHeaders.Field? in
            let sides = line.split(separator: ":", maxSplits: 1)
            return sides.count == 2 ? HTTPHeaders.Field(String(sides[0]), PercentCoding.trimmed(sides[1])) : nil
        }
        return TransportResponse(status: status, headers: HTTPHeaders(fields))
    }

    /// The server's proof that it speaks the protocol (section 4.2.2).
    private static func accept(_ key: String) -> String {
        Data(SHA1.digest(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
    }
}

/// An open connection. One task at a time receives.
private actor SocketConnection: MessageConnection {
    private nonisolated let socket: AsyncSocket
    private let limit: Int
    private var unread: [UInt8]
    private var message: (bytes: [UInt8], isText: Bool)?
    private var end: Result<ReceivedMessage, TransportFault>?
    private var writing: Task<Void, any Error>?

    init(_ socket: AsyncSocket, _ unread: [UInt8], limit: Int) {
        self.socket = socket
        self.unread = unread
        self.limit = limit
    }

    deinit { if end == nil { try? socket.close() } }

    // MARK: Sending

    func send(_ message: [UInt8]) async throws(TransportFault) { try await write(0x1, message) }

    func ping() async throws(TransportFault) { try await write(0x9, []) }

    func close(_ code: CloseCode) async {
        guard end == nil else { return }
        _ = try? await write(0x8, [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)])
        finish(.success(.closed(code)))
    }

    /// Writes one frame, masked and after those that are being written.
    private func write(_ opcode: UInt8, _ payload: [UInt8]) async throws(TransportFault) {
        guard end == nil else { throw TransportFault(.lost, evidence: .notSent) }
        var frame: [UInt8] = [0x80 | opcode]
        switch payload.count {
        case ...125: frame.append(0x80 | UInt8(payload.count))
        case ...0xFFFF: frame += [0xFE, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: frame += [0xFF] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> (8 * $0)) }
        }
        let mask = (0..<4).map { _ in UInt8.random(in: 0...255) }
        frame += mask
        frame += payload.enumerated().map { $1 ^ mask[$0 % 4] }
        let task = Task { [writing, socket, frame] in
            _ = await writing?.result
            try await socket.write(Data(frame))
        }
        writing = task
        do {
            try await task.value
        } catch {
            throw TransportFault(.lost, evidence: .sent)
        }
    }

    // MARK: Receiving

    func receive() async throws(TransportFault) -> ReceivedMessage {
        while true {
            if let end { return try end.get() }
            if let received = try await takeFrame() { return received }
            do {
                unread += try await socket.read(atMost: 65_536)
            } catch {
                if Task.isCancelled, end == nil { throw TransportFault(.cancelled, evidence: .sent) }
                finish(.failure(TransportFault(.lost, evidence: .sent)))
            }
        }
    }

    private func finish(_ end: Result<ReceivedMessage, TransportFault>) {
        guard self.end == nil else { return }
        self.end = end
        try? socket.close()
    }

    /// The next message of what was read. Nil if it isn't complete, or if the frame was one of the protocol's own.
    private func takeFrame() async throws(TransportFault) -> ReceivedMessage? {
        while unread.count >= 2 {
            guard unread[0] & 0x70 == 0, unread[1] & 0x80 == 0 else { return fail(.unreadable) }
            var (length, head) = (Int(unread[1]), 2)
            if length >= 126 {
                head = length == 126 ? 4 : 10
                guard unread.count >= head else { return nil }
                length = unread[2..<head].reduce(0) { $0 << 8 | Int($1) }
            }
            guard (0...limit).contains(length), length + (message?.bytes.count ?? 0) <= limit else {
                return fail(.oversized)
            }
            guard unread.count >= head + length else { return nil }
            let (opcode, isLast) = (unread[0] & 0xF, unread[0] & 0x80 != 0)
            let payload = Array(unread[head..<(head + length)])
            unread.removeFirst(head + length)
            switch opcode {
            case 0x0...0x2:
                guard (opcode == 0) == (message != nil) else { return fail(.unreadable) }
                let bytes = (message?.bytes ?? []) + payload
                let isText = message?.isText ?? (opcode == 1)
                message = isLast ? nil : (bytes, isText)
                if isLast { return isText ? .text(bytes) : .binary(count: bytes.count) }
            case 0x8:
                let code = payload.count < 2 ? 1_005 : UInt16(payload[0]) << 8 | UInt16(payload[1])
                _ = try? await write(0x8, Array(payload.prefix(2)))
                finish(.success(.closed(CloseCode(rawValue: code))))
                return nil
            case 0x9: _ = try? await write(0xA, payload)
            case 0xA: return .pong
            default: return fail(.unreadable)
            }
        }
        return nil
    }

    private func fail(_ kind: TransportFault.Kind) -> ReceivedMessage? {
        finish(.failure(TransportFault(kind, evidence: .sent)))
        return nil
    }
}
