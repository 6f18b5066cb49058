// Without the trait `Tool`, the target is empty, so that only the message of `errand/ToolRequirement.swift` is shown.
#if canImport(FlyingSocks)
import ContractModel
import ErrandHTTPServer
import MockServer

/// A connection that the host has given to a client.
struct PlayedConnection: Sendable {
    /// Nil until the handshake was answered.
    var socket: WebSocketConnection?
    /// Waits until the engine has something to send.
    var timer: Task<Void, Never>?
    /// Whether frames are sent now, so that later ones wait.
    var isSending = false
    /// Whether there may be more to send since then.
    var isAskedAgain = false
}

/// Gives the messages of one connection to the engine.
private struct PlayedConnectionHandler: WebSocketHandler {
    let host: MockHost
    /// The number of the connection in the engine.
    let number: Int

    func opened(_ connection: WebSocketConnection) async { await host.opened(number, connection) }

    func received(_ message: WebSocketMessage, on connection: WebSocketConnection) async {
        await host.received(message, on: number)
    }

    func ended(_ end: WebSocketEnd) async { await host.ended(number, end) }
}

extension MockHost {
    /// Answers the handshake of a connection.
    func open(_ request: HTTPRequest, _ asked: MockRequest) -> HTTPAnswer {
        var fault: (status: Int, message: String)?
        var handshake: WebSocketHandshake?
        do throws(HTTPFault) {
            let made = try WebSocketHandshake(request)
            handshake = made
            if !PageAccess(address: address).allowsConnection(asked) {
                fault = (403, "a page of another site cannot open the connection")
            }
        } catch {
            fault = (error.status, error.message)
        }
        switch play({ $0.open(asked, fault: fault, subprotocols: handshake?.subprotocols ?? [], at: $1) }) {
        case .refused(var reply):
            add(reply.entry)
            if reply.response.status == 426 { reply.response.headers += WebSocketHandshake.upgradeHeaders }
            return answer(reply)
        case .opened(let number, let subprotocol, let delay, let entry):
            add(entry)
            guard let handshake else { return .now(HTTPResponse(status: 500)) }
            connections[number] = PlayedConnection()
            let handler = PlayedConnectionHandler(host: self, number: number)
            var upgrade = WebSocketUpgrade(handshake, subprotocol: subprotocol, handler)
            upgrade.delay = delay
            return .upgrade(upgrade)
        }
    }

    fileprivate func opened(_ number: Int, _ connection: WebSocketConnection) async {
        connections[number]?.socket = connection
        await sendFrames(of: number)
    }

    fileprivate func received(_ message: WebSocketMessage, on number: Int) async {
        let read: MockMessage =
            switch message {
            case .text(let text): .text(text)
            case .binary(let count): .binary(count: count)
            }
        if let entry = play({ $0.receive(read, on: number, at: $1) }) { add(entry) }
        await sendFrames(of: number)
    }

    fileprivate func ended(_ number: Int, _ end: WebSocketEnd) {
        connections.removeValue(forKey: number)?.timer?.cancel()
        if let entry = play({ $0.ended(number, MockConnectionEnd(end), at: $1) }) { add(entry) }
    }

    /// Sends an event of the contract on all connections. Returns whether the contract has it.
    func sendEvent(named name: String) async -> Bool {
        guard contract.events.contains(where: { $0.name.value == name }) else { return false }
        let (numbers, entries) = play { $0.sendEvent(named: name, at: $1) }
        for entry in entries { add(entry) }
        for number in numbers { await sendFrames(of: number) }
        return true
    }

    /// Sends what is due on a connection, and waits for what is due next. Frames are sent in the order of the engine.
    func sendFrames(of number: Int) async {
        guard let connection = connections[number], let socket = connection.socket else { return }
        guard !connection.isSending else {
            connections[number]?.isAskedAgain = true
            return
        }
        connections[number]?.isSending = true
        connection.timer?.cancel()
        var due: Duration?
        repeat {
            connections[number]?.isAskedAgain = false
            let (frames, next, entries) = play { $0.takeFrames(of: number, at: $1) }
            due = next
            for entry in entries { add(entry) }
            for frame in frames { await socket.send(WebSocketConnection.Output(frame)) }
        } while connections[number]?.isAskedAgain ?? false
        connections[number]?.isSending = false
        guard let due, connections[number] != nil else { return }
        let pause = play { max(.zero, due - $1) }
        connections[number]?.timer = Task { [weak self] in
            guard (try? await Task.sleep(for: pause)) != nil else { return }
            await self?.sendFrames(of: number)
        }
    }
}

extension WebSocketConnection.Output {
    fileprivate init(_ frame: MockFrame) {
        switch frame {
        case .text(let text, let bytesPerSecond): self = .text(text, bytesPerSecond: bytesPerSecond)
        case .half(let text): self = .half(text)
        case .close(let code, let reason): self = .close(code: code, reason: reason)
        case .cut: self = .cut
        }
    }
}

extension MockConnectionEnd {
    fileprivate init(_ end: WebSocketEnd) {
        switch end {
        case .closedByClient(let code): self = .closedByClient(code: code)
        case .endedByServer: self = .endedByServer
        case .failed(let fault): self = .failed(code: fault.code, reason: fault.reason)
        case .lost: self = .lost
        case .late: self = .late
        }
    }
}
#endif
