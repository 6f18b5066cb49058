import ContractModel
import JSONTree
import Testing

@testable import MockServer

/// A client of a contract with frames that says what it sends and reads what comes back.
struct FrameClient {
    var engine: MockEngine
    var now = Duration.zero
    private(set) var token: String?
    /// The entry of the last frame.
    private(set) var entry: LogEntry?
    /// The entry of the handshake.
    private(set) var opening: LogEntry?
    /// The last thing that the server did on the connection.
    private(set) var last: MockFrame?
    private(set) var number = 0
    private let headers: [(name: String, value: String)]
    private var lastID = 0

    init(_ engine: MockEngine, _ headers: [(String, String)] = []) throws {
        self.engine = engine
        self.headers = headers.map { ($0.0, $0.1) }
        try connect()
    }

    /// The handshake of a contract, with the subprotocol that it names.
    static func handshake(
        _ engine: inout MockEngine, headers: [(name: String, value: String)] = [], at now: Duration = .zero
    ) -> MockHandshake {
        let path = engine.basePath.isEmpty ? "/" : engine.basePath
        let subprotocols = engine.contract.connection?.subprotocol.map { [$0.value] } ?? []
        return engine.open(
            MockRequest(method: "GET", path: path, headers: headers), subprotocols: subprotocols, at: now)
    }

    private mutating func connect() throws {
        guard case .opened(let number, _, _, let entry) = Self.handshake(&engine, headers: headers, at: now) else {
            throw MockFixture.Broken(description: "the handshake is refused")
        }
        self.number = number
        opening = entry
    }

    mutating func reconnect(
        after end: MockConnectionEnd = .closedByClient(code: 1000), pause: Duration = .zero
    ) throws {
        _ = engine.ended(number, end, at: now)
        now += pause
        try connect()
    }

    mutating func logIn() throws {
        token = try send("login", #"{"user": "ada", "password": "x"}"#)["data"]?["token"]?.scalarText
    }

    // MARK: Sending

    /// Sends a frame, and reads the one that comes back at once.
    mutating func send(_ kind: String, _ data: String?) throws -> JSONNode {
        let frames = try frames(kind, data)
        guard let first = frames.first, frames.count == 1 else {
            throw MockFixture.Broken(description: "\(kind) leads to \(frames)")
        }
        return first
    }

    mutating func frames(_ kind: String, _ data: String?) throws -> [JSONNode] {
        lastID += 1
        return try raw(#"{"type": "\#(kind)", "id": "\#(lastID)"\#(data.map { #", "data": \#($0)"# } ?? "")}"#)
    }

    mutating func raw(_ text: String) throws -> [JSONNode] {
        try receive(.text(Array(text.utf8))).compactMap(Self.json)
    }

    mutating func receive(_ message: MockMessage) -> [MockFrame] {
        entry = engine.receive(message, on: number, at: now)
        return due()
    }

    /// Sends a frame, and reads everything that it leads to.
    mutating func all(_ kind: String, _ data: String?) throws -> [JSONNode] {
        var frames = try frames(kind, data)
        while let next = engine.takeFrames(of: number, at: now).next {
            now = max(now, next)
            frames += try due().compactMap(Self.json)
        }
        return frames
    }

    // MARK: Reading

    /// What the server does now.
    mutating func due() -> [MockFrame] {
        let frames = engine.takeFrames(of: number, at: now).frames
        last = frames.last ?? last
        return frames
    }

    mutating func jsonDue() -> [JSONNode] { due().compactMap { try? Self.json($0) } }

    private static func json(_ frame: MockFrame) throws -> JSONNode? {
        guard case .text(let text, _) = frame else { return nil }
        return try JSONParser.parse(text)
    }
}
