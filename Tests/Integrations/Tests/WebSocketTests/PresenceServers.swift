import Foundation
import PresenceClient

@testable import ErrandRuntime
@testable import ErrandWebSocket

/// The servers of `presence_server.py`, which speak the contract `presence`, in a process of their own.
final class PresenceServers: Sendable {
    struct NotStarted: Error {}

    static var isAvailable: Bool { TestCertificate.isAvailable && AnsweringProgram.isAvailable }

    /// The URLs of the servers, by the name of what wrote them.
    let all: [String: String]
    /// The URL of the first one.
    let plain: String
    /// The same server through a proxy that closes a connection after 2 s without a byte.
    let impatient: String
    /// The same server through a proxy that loses all open connections when it is asked to (`swallow`), without closing them.
    let swallowing: String
    /// The same server through a proxy that cuts.
    private let cutting: String
    /// The port of the first one.
    let port: Int
    private let certificate: TestCertificate
    private let program: AnsweringProgram

    /// - Parameter port: of the first server; 0 for any. A killed server can so be started again where it was.
    init(certificate: TestCertificate? = nil, port: Int = 0) throws {
        let certificate = try certificate ?? TestCertificate()
        self.certificate = certificate
        program = try AnsweringProgram("presence_server.py", [certificate.file, certificate.key, "\(port)"])
        guard let ports = try JSONSerialization.jsonObject(with: Data(program.firstLine.utf8)) as? [Int],
            ports.count == 7
        else { throw NotStarted() }
        all = [
            "websockets": "ws://127.0.0.1:\(ports[0])/v1", "websockets with TLS": "wss://localhost:\(ports[1])/v1",
            "aiohttp": "ws://127.0.0.1:\(ports[2])/v1", "aiohttp with TLS": "wss://localhost:\(ports[3])/v1",
        ]
        plain = "ws://127.0.0.1:\(ports[0])/v1"
        impatient = "ws://127.0.0.1:\(ports[4])/v1"
        cutting = "ws://127.0.0.1:\(ports[5])"
        swallowing = "ws://127.0.0.1:\(ports[6])/v1"
        self.port = ports[0]
    }

    func makeTransport() throws -> WebSocketTransport {
        try WebSocketTransport(trusting: [TrustedAuthority(host: "localhost", certificate: certificate.bytes)])
    }

    /// A client of its own.
    ///
    /// - Parameter haste: how many seconds of the contract pass in one.
    func makeClient(_ url: String? = nil, haste: Int = 8, over transport: (any MessageTransport)? = nil) throws
        -> Presence
    {
        let dispatcher = Dispatcher(
            network: AlwaysSatisfiedPath(),
            settings: DispatcherSettings(messageTransport: try transport ?? makeTransport()),
            environment: DispatcherEnvironment(clock: FastClock(factor: haste)))
        return Presence(
            Presence.Server(url: url ?? plain), on: dispatcher,
            session: Session { Presence.LogIn(user: "ada", password: "lovelace") })
    }

    /// The first server, for a client whose first connection meets a fault.
    func url(fault: String, at frame: Int, of name: String) -> String {
        plain.dropLast(3) + "/fault/\(fault)/\(frame)/\(name)/v1"
    }

    /// The first server through the cutting proxy. The URL is as long for each count.
    func url(cutting way: CutDirection, after count: Int, of name: String) -> String {
        "\(cutting)/cut/\(way.rawValue)/\(10_000_000 + count)/\(name)/v1"
    }

    /// How often each thing took effect.
    func effects() async throws -> [String: Int] { try await ask("effects") as? [String: Int] ?? [:] }
    /// How the clients broke the protocol.
    func complaints() async throws -> [String] { try await ask("complaints") as? [String] ?? [] }
    /// How many events a room has.
    func events(of room: Int) async throws -> Int { try await ask("events \(room)") as? Int ?? -1 }
    func connections() async throws -> Int { try await ask("connections") as? Int ?? -1 }
    /// How many bytes a client has sent and received through the cutting proxy.
    func bytes(of name: String) async throws -> [CutDirection: Int] {
        let counts = try await ask("bytes \(name)") as? [Int] ?? []
        return Dictionary(uniqueKeysWithValues: zip([CutDirection.up, .down], counts))
    }
    /// When connections were opened, in seconds since 1970.
    func arrivals() async throws -> [Double] { try await ask("arrivals") as? [Double] ?? [] }

    @discardableResult func ask(_ question: String) async throws -> Any? {
        let answer = try await program.ask(question)
        return try JSONSerialization.jsonObject(with: Data(answer.utf8), options: .fragmentsAllowed)
    }

    /// Ends the process at once, with all connections.
    func kill() { program.kill() }

    /// Stops the process. Its connections stay open, and nothing gets a reply any more.
    func freeze() { program.freeze() }

    /// The same server in a new process, which knows nothing of the old one.
    func startAgain() throws -> PresenceServers { try PresenceServers(certificate: certificate, port: port) }
}

enum CutDirection: String, CaseIterable, Sendable {
    case up, down
}

/// A certificate for `localhost`, which only these tests trust. Its folder is removed with this object.
final class TestCertificate: Sendable {
    private static let openssl = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
        .map { "\($0)/openssl" }.first(where: FileManager.default.isExecutableFile)
    static var isAvailable: Bool { openssl != nil }

    private let folder: URL
    let bytes: [UInt8]
    var file: String { folder.appendingPathComponent("certificate.pem").path }
    var key: String { folder.appendingPathComponent("key.pem").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
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
        bytes = Array(try Data(contentsOf: folder.appendingPathComponent("certificate.pem")))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Its key's pin, by the `openssl` command.
    func pin() throws -> String {
        try TestAuthority.pin(ofKey: "key.pem", in: folder)
    }
}
