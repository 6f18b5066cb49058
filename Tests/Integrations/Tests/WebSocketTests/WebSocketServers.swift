@testable import ErrandRuntime
@testable import ErrandWebSocket

/// The servers of `websocket_servers.py`.
final class WebSocketServers: Sendable {
    static var isAvailable: Bool { TestCertificate.isAvailable && AnsweringProgram.isAvailable }

    struct NotStarted: Error {}

    /// The URLs of servers, with the name of what wrote them.
    let all: [String: String]
    /// The URL of the first one through a proxy that closes unused connections.
    let impatient: String
    /// The URL of the server that sends the bytes that the path names.
    let raw: String
    private let certificate: TestCertificate
    private let program: AnsweringProgram

    init() throws {
        certificate = try TestCertificate()
        program = try AnsweringProgram("websocket_servers.py", [certificate.file, certificate.key])
        let ports = program.firstLine.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard ports.count == 6 else { throw NotStarted() }
        all = [
            "websockets": "ws://localhost:\(ports[0])", "websockets with TLS": "wss://localhost:\(ports[1])",
            "aiohttp": "ws://localhost:\(ports[2])", "aiohttp with TLS": "wss://localhost:\(ports[3])",
        ]
        impatient = "ws://127.0.0.1:\(ports[4])"
        raw = "ws://127.0.0.1:\(ports[5])"
    }

    func makeTransport(proxies: ProxySettings = .none) throws -> WebSocketTransport {
        try WebSocketTransport(
            trusting: [TrustedAuthority(host: "localhost", certificate: certificate.bytes)], proxies: proxies)
    }

    /// The pin of the key of those with TLS.
    func pin() throws -> String { try certificate.pin() }

    func opening(_ name: String, path: String = "/", subprotocol: String? = "presence.v1") -> ConnectionOpening {
        ConnectionOpening(
            url: (all[name] ?? "") + path, subprotocol: subprotocol, maximumMessageSize: 4 << 20)
    }
}
