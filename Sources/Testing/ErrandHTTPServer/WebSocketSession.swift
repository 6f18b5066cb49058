// Without a trait that brings FlyingFox, the target is empty.
#if canImport(FlyingSocks)
import FlyingSocks

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A WebSocket connection after its handshake, until its end.
struct WebSocketSession {
    let socket: AsyncSocket
    let number: Int
    let server: SocketServer
    let handler: any WebSocketHandler

    /// - Parameter early: what the client sent before it had the response to its handshake.
    func run(_ early: [UInt8]) async {
        let (server, number) = (server, number)
        let connection = WebSocketConnection(server.limits) { await server.setDeadline(of: number, in: .zero) }
        await server.setDeadline(of: number, in: server.limits.silence)
        await handler.opened(connection)
        let end = await serve(connection, early)
        await connection.end()
        await handler.ended(end)
    }

    // MARK: Both directions

    private enum Part: Sendable {
        case read(WebSocketEnd)
        case wrote(WriteEnd)
        case pinged
    }

    private enum WriteEnd: Sendable {
        /// A close frame was written, or there is nothing more to write.
        case closed
        /// The connection has to end now.
        case cut
        case failed
    }

    private func serve(_ connection: WebSocketConnection, _ early: [UInt8]) async -> WebSocketEnd {
        await withTaskGroup(of: Part.self) { group in
            group.addTask { .read(await read(connection, early)) }
            group.addTask {
                let end = await write(connection)
                // A reader that waits goes on.
                await connection.end()
                return .wrote(end)
            }
            group.addTask {
                await ping(connection)
                return .pinged
            }
            defer { group.cancelAll() }
            var readEnd: WebSocketEnd?
            var hasWritten = false
            while let part = await group.next() {
                switch part {
                case .pinged: continue
                case .wrote(.cut): return readEnd ?? .endedByServer
                case .wrote(.failed): return await isLate(connection) ? .late : readEnd ?? .lost
                case .wrote(.closed): hasWritten = true
                case .read(let end):
                    readEnd = end
                    // A client that has left gets nothing more.
                    if end == .lost || end == .late || end == .endedByServer { return end }
                }
                if hasWritten, let readEnd { return readEnd }
            }
            return readEnd ?? .lost
        }
    }

    // MARK: Reading

    private func read(_ connection: WebSocketConnection, _ early: [UInt8]) async -> WebSocketEnd {
        var reader = WebSocketReader(server.limits)
        reader.append(early)
        do {
            while true {
                while let event = try reader.next() {
                    await connection.waitForRoom()
                    // After the server's close frame, only the client's is waited for.
                    let isEnding = await connection.isEnding
                    switch event {
                    case .close(let code):
                        if isEnding { return .endedByServer }
                        await close(connection, code, "")
                        return .closedByClient(code: code)
                    case .text(let text): if !isEnding { await handler.received(.text(text), on: connection) }
                    case .binary(let count):
                        if !isEnding { await handler.received(.binary(count: count), on: connection) }
                    case .ping(let payload): await connection.send(.pong(payload))
                    case .pong: break
                    }
                }
                let bytes = try await SocketConnection.read(socket)
                guard !bytes.isEmpty else {
                    if await connection.isOverrun { return .late }
                    if await connection.isEnding { return .endedByServer }
                    return await isLate(connection) ? .late : .lost
                }
                if await !connection.isEnding { await server.setDeadline(of: number, in: server.limits.silence) }
                reader.append(bytes)
            }
        } catch let fault as WebSocketFault {
            await close(connection, fault.code, fault.reason)
            await drain()
            return .failed(fault)
        } catch {
            return await isLate(connection) ? .late : .lost
        }
    }

    /// Whether the server has closed the connection because its client was silent or did not read.
    private func isLate(_ connection: WebSocketConnection) async -> Bool {
        if await connection.isOverrun { return true }
        return await server.isLate(number)
    }

    private func close(_ connection: WebSocketConnection, _ code: UInt16?, _ reason: String) async {
        await connection.send(.close(code: code, reason: reason))
        await server.setDeadline(of: number, in: server.limits.closeTime)
    }

    /// Reads what a client still sends, of which nothing is kept: closing at once would reset the connection, and the client might never
    /// see the close frame.
    private func drain() async {
        for _ in 0..<512 {
            guard let bytes = try? await SocketConnection.read(socket), !bytes.isEmpty else { return }
        }
    }

    // MARK: Writing

    private func write(_ connection: WebSocketConnection) async -> WriteEnd {
        do {
            for await output in connection.outputs {
                switch output {
                case .text(let text, let bytesPerSecond):
                    try await SocketConnection.write(WebSocketOpcode.text.frame(text), to: socket, bytesPerSecond) {
                        // While the server takes its time, the pings wait, and the client has nothing to answer.
                        guard await !connection.isEnding else { return }
                        await server.setDeadline(of: number, in: server.limits.silence)
                    }
                case .binary(let count):
                    let frame = WebSocketOpcode.binary.frame([UInt8](repeating: 0, count: count))
                    try await SocketConnection.write(frame, to: socket, nil)
                case .half(let text):
                    let frame = WebSocketOpcode.text.frame(text)
                    try await SocketConnection.write(Array(frame.prefix(frame.count / 2)), to: socket, nil)
                    return .cut
                case .pong(let payload):
                    try await SocketConnection.write(WebSocketOpcode.pong.frame(payload), to: socket, nil)
                case .ping: try await SocketConnection.write(WebSocketOpcode.ping.frame([]), to: socket, nil)
                case .close(let code, let reason):
                    let frame = code.map { WebSocketOpcode.closeFrame($0, reason) } ?? WebSocketOpcode.close.frame([])
                    try await SocketConnection.write(frame, to: socket, nil)
                    await server.setDeadline(of: number, in: server.limits.closeTime)
                    return .closed
                case .cut: return .cut
                }
                await connection.wrote(output)
            }
            return .closed
        } catch {
            return .failed
        }
    }

    private func ping(_ connection: WebSocketConnection) async {
        while await !connection.isEnding {
            do {
                try await Task.sleep(for: server.limits.pingEvery)
            } catch {
                return
            }
            await connection.send(.ping)
        }
    }
}
#endif
