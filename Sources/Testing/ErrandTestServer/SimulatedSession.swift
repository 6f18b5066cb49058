// Without a trait that brings FlyingFox, the target is empty.
#if canImport(FlyingSocks)
import ErrandHTTPServer
import ErrandRuntime

/// Carries the messages of one connection between a socket and a simulated server.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
actor SimulatedSession: WebSocketHandler {
    private let simulated: any MessageConnection
    private var replies: Task<Void, Never>?

    init(_ simulated: any MessageConnection) { self.simulated = simulated }

    deinit { replies?.cancel() }

    func opened(_ connection: WebSocketConnection) {
        replies = Task { [simulated] in await Self.forward(from: simulated, to: connection) }
    }

    /// Sends what the server says, until it ends the connection.
    private static func forward(from simulated: any MessageConnection, to connection: WebSocketConnection) async {
        while true {
            do throws(TransportFault) {
                switch try await simulated.receive() {
                case .text(let text): await connection.send(.text(text))
                case .binary(let count): await connection.send(.binary(count: count))
                // The socket answers pings itself.
                case .pong: break
                // No peer writes the codes that only say how a connection has ended (RFC 6455, section 7.4.1).
                case .closed(.noStatus): return await connection.send(.close(code: nil, reason: ""))
                case .closed(let code) where !code.isSendable: return await connection.send(.cut)
                case .closed(let code): return await connection.send(.close(code: code.rawValue, reason: ""))
                }
            } catch {
                return await connection.send(.cut)
            }
        }
    }

    func received(_ message: WebSocketMessage, on connection: WebSocketConnection) async {
        switch message {
        case .text(let text):
            // A connection that has ended says so to its reader.
            do { try await simulated.send(text) } catch { return }
        case .binary:
            await connection.send(.close(code: CloseCode.unsupportedData.rawValue, reason: "frames are texts"))
        }
    }

    func ended(_ end: WebSocketEnd) async {
        var code = CloseCode.goingAway
        if case .closedByClient(let named?) = end { code = CloseCode(rawValue: named) }
        await simulated.close(code)
        replies?.cancel()
    }
}
#endif
