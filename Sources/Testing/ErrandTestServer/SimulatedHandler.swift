// Without a trait that brings FlyingFox, the target is empty.
#if canImport(FlyingSocks)
import ErrandHTTPServer
import ErrandRuntime
import ErrandTesting

/// Gives the requests on a socket to a simulated server.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
struct SimulatedHandler: HTTPHandler {
    struct Route: Sendable {
        let path: PathTemplate
        let command: any Command.Type
    }

    let server: SimulatedServer
    let url: String
    /// Those with fewer values first.
    let routes: [Route]
    /// Where the connection of contracts with frames is; nil without such a contract.
    private var connectionURL: String?

    init(server: SimulatedServer, url: String, routes: [Route]) {
        self.server = server
        self.url = url
        self.routes = routes
    }

    /// Tells the server which commands come as frames over a connection.
    mutating func learnFrames(of commands: [any Command], at connectionURL: String) {
        guard let listener = server.messageTransport as? any CommandListener else { return }
        for command in commands where type(of: command).endpoint.frame != nil {
            self.connectionURL = connectionURL
            var request = TransportRequest(method: .post, url: connectionURL)
            request.command = type(of: command)
            listener.noteCommand(of: request)
        }
    }

    static func routes(to commands: [any Command]) throws(SimulatedHost.StartError) -> [Route] {
        var routes: [Route] = []
        for command in commands {
            let type = type(of: command)
            guard let path = PathTemplate(of: command) else {
                throw .noPath(endpoint: "\(type.endpoint.service.name).\(type.endpoint.name)")
            }
            routes.append(Route(path: path, command: type))
        }
        return routes.sorted { $0.path.valueCount < $1.path.valueCount }
    }

    func respond(to request: HTTPRequest) async -> HTTPAnswer {
        if let connectionURL, request.path == "/" { return await open(request, connectionURL) }
        let found = routes.filter { $0.path.matches(request.path) }
        let isHead = request.method == "HEAD"
        guard
            let route = found.first(where: { $0.command.endpoint.method.rawValue == request.method })
                ?? found.first(where: { isHead && $0.command.endpoint.method == .get })
        else { return .now(Self.nothing(for: request, found.map(\.command))) }
        let (server, forwarded) = (server, Self.forward(request, to: route.command, url))
        return .later {
            // A fault ends the connection, which is all that a server can do on a socket.
            HTTPResponse(try await server.send(forwarded))
        }
    }

    /// Answers the handshake of a connection.
    private func open(_ request: HTTPRequest, _ url: String) async -> HTTPAnswer {
        let handshake: WebSocketHandshake
        do throws(HTTPFault) {
            handshake = try WebSocketHandshake(request)
        } catch {
            var response = Self.text(error.status, error.message)
            if error.status == 426 { response.headers += WebSocketHandshake.upgradeHeaders }
            return .now(response)
        }
        let opening = ConnectionOpening(
            url: request.query.isEmpty ? url : "\(url)?\(request.query)",
            headers: HTTPHeaders(request.headers.map { HTTPHeaders.Field($0.name, $0.value) }),
            subprotocol: handshake.subprotocols.first)
        do throws(OpeningFault) {
            guard let connection = try await server.messageTransport?.open(opening) else {
                return .now(HTTPResponse(status: 404))
            }
            return .upgrade(
                WebSocketUpgrade(handshake, subprotocol: opening.subprotocol, SimulatedSession(connection)))
        } catch {
            switch error {
            case .refused(let response): return .now(HTTPResponse(response))
            case .failed: return .later { throw ConnectionClosure() }
            }
        }
    }

    func refuse(_ fault: HTTPFault) -> HTTPResponse { Self.text(fault.status, fault.message) }

    /// The request as a client in the same process would send it.
    private static func forward(
        _ request: HTTPRequest, to command: any Command.Type, _ url: String
    ) -> TransportRequest {
        let endpoint = command.endpoint
        let hasBody = request.header("Content-Length") != nil || request.header("Transfer-Encoding") != nil
        var forwarded = TransportRequest(
            method: endpoint.method, url: url + request.target,
            headers: HTTPHeaders(request.headers.map { HTTPHeaders.Field($0.name, $0.value) }),
            body: hasBody ? request.body : nil, isRepeatable: endpoint.effect != .once,
            endpoint: "\(endpoint.service.name).\(endpoint.name)", streamsResponse: endpoint.response == .stream)
        forwarded.command = command
        return forwarded
    }

    private static func nothing(for request: HTTPRequest, _ others: [any Command.Type]) -> HTTPResponse {
        guard !others.isEmpty else {
            return text(404, "the host serves no command with the path \(request.path)")
        }
        let own = others.map { $0.endpoint.method.rawValue }
        let methods = own.flatMap { $0 == "GET" && !own.contains("HEAD") ? [$0, "HEAD"] : [$0] }.joined(separator: ", ")
        var response = text(405, "the host serves no command with the method \(request.method) at this path")
        response.headers.append(("Allow", methods))
        return response
    }

    private static func text(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("Content-Type", "text/plain; charset=utf-8")], body: .bytes(Array(text.utf8)))
    }
}

extension HTTPResponse {
    /// The headers that the socket writes itself.
    private static let framing: Set<String> = ["content-length", "transfer-encoding", "connection"]

    fileprivate init(_ response: TransportResponse) {
        let headers = response.headers.fields.filter { !Self.framing.contains($0.name.lowercased()) }
        let body: Body
        if let stream = response.stream {
            body = .stream { write in
                while let part = try await stream.next() { try await write(part) }
            }
        } else {
            body = .bytes(response.body)
        }
        self.init(status: response.status, headers: headers.map { ($0.name, $0.value) }, body: body)
    }
}
#endif
