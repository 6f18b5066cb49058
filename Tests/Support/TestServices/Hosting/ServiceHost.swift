import FlyingFox
import FlyingSocks
import Foundation

/// A service's socket: it records what arrives, applies what a test has scripted, and asks the
/// service for the rest.
public actor ServiceHost {
    /// Which port on 127.0.0.1 the service got.
    public nonisolated let port: Int
    public nonisolated let basePath: String
    private var running: Task<Void, any Error>
    private let relay: HostRelay

    private var script = FaultScript()
    private var received: [ReceivedRequest] = []
    private var complaints: [String] = []
    private var answers: (@Sendable (ReceivedRequest) async -> ServedAnswer)?
    private var subprotocol = ""
    private var accepts: (@Sendable (ReceivedRequest) async -> (any WSHandler)?)?

    /// Listens on a free port.
    public init(basePath: String) async throws {
        relay = HostRelay()
        (running, port) = try await Self.listen(with: relay)
        self.basePath = basePath
        await relay.connect(to: self)
    }

    private static func listen(with relay: HostRelay, port: UInt16 = 0) async throws -> (Task<Void, any Error>, Int) {
        let server = HTTPServer(
            address: try .inet(ip4: "127.0.0.1", port: port), timeout: 600, logger: .disabled, handler: relay)
        let running = Task { try await server.run() }
        try await server.waitUntilListening()
        guard case .ip4(_, let port) = await server.listeningAddress else { throw SocketError.disconnected }
        return (running, Int(port))
    }

    /// Sets the service that responds. Until then every request is a 404.
    func serve(_ answers: @escaping @Sendable (ReceivedRequest) async -> ServedAnswer) {
        self.answers = answers
    }

    /// Sets the service that takes connections for messages. The handler is nil for a request that asks for none of the service's.
    ///
    /// - Parameter subprotocol: what a client has to speak.
    func serveMessages(
        _ subprotocol: String, _ accepts: @escaping @Sendable (ReceivedRequest) async -> (any WSHandler)?
    ) {
        self.subprotocol = subprotocol
        self.accepts = accepts
    }

    public func stop() async {
        running.cancel()
        _ = await running.result
    }

    /// Listens again where it did before it was stopped, and remembers everything.
    func restart() async throws {
        running = try await Self.listen(with: relay, port: UInt16(port)).0
    }

    func script(_ fault: ScriptedFault, times: Int, on pattern: RequestPattern) {
        script.add(fault, times: times, on: pattern)
    }

    func clearScript() { script.removeAll() }

    func requests(on pattern: RequestPattern) -> [ReceivedRequest] { received.filter(pattern.matches) }

    func forgetRequests() { received = [] }

    var violations: [String] { complaints }

    /// Notes that a client sent what it must not send.
    func complain(_ text: String) { complaints.append(text) }

    // MARK: Answering

    func respond(to request: HTTPRequest) async throws -> HTTPResponse {
        let received = try await record(request)
        let fault = script.take(for: received)
        guard fault == nil, let handler = await accepts?(received) else {
            return try await respond(to: received, with: fault)
        }
        var response = try await WebSocketHTTPHandler(handler: handler).handleRequest(request)
        if received.header("Sec-WebSocket-Protocol") == subprotocol {
            response.headers[HTTPHeader("Sec-WebSocket-Protocol")] = subprotocol
        } else {
            complaints.append("\(received.line): subprotocol \(received.header("Sec-WebSocket-Protocol") ?? "missing")")
        }
        return response
    }

    private func respond(to request: ReceivedRequest, with fault: ScriptedFault?) async throws -> HTTPResponse {
        switch fault {
        case nil: return Self.response(await answer(request), to: request)
        case .status(let status): return Self.response(ServedAnswer(status), to: request)
        case .answer(let answer): return Self.response(answer, to: request)
        case .delay(let pause, let then):
            try await Task.sleep(for: pause)
            return try await respond(to: request, with: then)
        case .hold(let end):
            await end()
            return Self.response(await answer(request), to: request)
        case .cut: return HTTPResponse(webSocket: Refusal())
        case .loseAnswer:
            _ = await answer(request)
            return HTTPResponse(webSocket: Refusal())
        case .cutBody(let length):
            var response = Self.response(await answer(request), to: request)
            response.payload = .httpBody(BrokenBody.cut(try await response.bodyData, after: length))
            return response
        case .otherBody(let text):
            var answer = await answer(request)
            if (200..<300).contains(answer.status) { answer.body = Array(text.utf8) }
            return Self.response(answer, to: request)
        case .slowBody(let pieces, let pause):
            var response = Self.response(await answer(request), to: request)
            response.payload = .httpBody(BrokenBody.slow(try await response.bodyData, pieces: pieces, pause: pause))
            return response
        }
    }

    private func answer(_ request: ReceivedRequest) async -> ServedAnswer {
        guard let answers else { return ServedAnswer(404) }
        return await answers(request)
    }

    private func record(_ request: HTTPRequest) async throws -> ReceivedRequest {
        let fullPath = request.target.path()
        var path = fullPath
        if fullPath == basePath || fullPath.hasPrefix(basePath + "/") {
            path = String(fullPath.dropFirst(basePath.count))
        } else {
            complaints.append("\(request.method.rawValue) \(fullPath): outside \(basePath)")
        }
        let record = ReceivedRequest(
            method: request.method.rawValue, path: path.isEmpty ? "/" : path, rawQuery: request.target.query(),
            headers: request.headers.map { ($0.key.rawValue, $0.value) }.sorted { $0.0 < $1.0 },
            body: Array(try await request.bodyData), receivedAt: .now)
        received.append(record)
        return record
    }

    private static func response(_ answer: ServedAnswer, to request: ReceivedRequest) -> HTTPResponse {
        if answer.hangsUp { return HTTPResponse(webSocket: Refusal()) }
        var headers = HTTPHeaders()
        for (name, value) in answer.headers { headers.addValue(value, for: HTTPHeader(name)) }
        return HTTPResponse(
            statusCode: HTTPStatusCode(answer.status, phrase: "Status \(answer.status)"), headers: headers,
            body: Data(request.method == "HEAD" ? [] : answer.body))
    }
}

/// Stands between the server and its host while the host is not yet made.
private actor HostRelay: HTTPHandler {
    private var host: ServiceHost?

    func connect(to host: ServiceHost) { self.host = host }

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let host else { return HTTPResponse(statusCode: .notFound) }
        return try await host.respond(to: request)
    }
}
