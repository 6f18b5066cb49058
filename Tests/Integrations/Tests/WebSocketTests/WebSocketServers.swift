import Foundation

@testable import ErrandRuntime
@testable import ErrandWebSocket

/// The servers of `websocket_servers.py`.
final class WebSocketServers: Sendable {
    private static let python = FileManager.default.temporaryDirectory.appendingPathComponent(
        "errand-python/bin/python")
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "websocket_servers.py")
    private static let openssl = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
        .map { "\($0)/openssl" }.first(where: FileManager.default.isExecutableFile)
    static var isAvailable: Bool {
        openssl != nil && FileManager.default.isExecutableFile(atPath: python.path)
    }

    struct NotStarted: Error {}

    /// The URLs of servers, with the name of what wrote them.
    let all: [String: String]
    /// The URL of the first one through a proxy that closes unused connections.
    let impatient: String
    /// The URL of the server that sends the bytes that the path names.
    let raw: String
    private let certificate: [UInt8]
    private let process: Int32

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let maker = Process()
        maker.executableURL = Self.openssl.map { URL(fileURLWithPath: $0) }
        maker.arguments = [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "certificate.pem", "-days",
            "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
        ]
        maker.currentDirectoryURL = folder
        maker.standardError = FileHandle.nullDevice
        try maker.run()
        maker.waitUntilExit()
        certificate = Array(try Data(contentsOf: folder.appendingPathComponent("certificate.pem")))
        let process = Process()
        process.executableURL = Self.python
        process.arguments = [
            Self.script.path, folder.appendingPathComponent("certificate.pem").path,
            folder.appendingPathComponent("key.pem").path,
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process.processIdentifier
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let ports = line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard ports.count == 6 else { throw NotStarted() }
        all = [
            "websockets": "ws://localhost:\(ports[0])", "websockets with TLS": "wss://localhost:\(ports[1])",
            "aiohttp": "ws://localhost:\(ports[2])", "aiohttp with TLS": "wss://localhost:\(ports[3])",
        ]
        impatient = "ws://127.0.0.1:\(ports[4])"
        raw = "ws://127.0.0.1:\(ports[5])"
    }

    deinit { kill(process, SIGKILL) }

    func makeTransport() throws -> WebSocketTransport {
        try WebSocketTransport(trusting: [TrustedAuthority(host: "localhost", certificate: certificate)])
    }

    func opening(_ name: String, path: String = "/", subprotocol: String? = "presence.v1") -> ConnectionOpening {
        ConnectionOpening(
            url: (all[name] ?? "") + path, subprotocol: subprotocol, maximumMessageSize: 4 << 20)
    }
}
