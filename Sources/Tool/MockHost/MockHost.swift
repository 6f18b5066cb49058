// Without the trait `Tool`, the target is empty, so that only the message of `errand/ToolRequirement.swift` is shown.
#if canImport(FlyingSocks)
import ContractModel
import ErrandHTTPServer
import JSONTree
import MockServer

/// The mock server on a socket.
package actor MockHost {
    package typealias StartError = SocketServer.StartError

    /// The port that it listens on.
    package nonisolated var port: Int { server.port }
    /// The address that it listens on.
    nonisolated let address: String
    nonisolated let server: SocketServer
    private let limits: ConnectionLimits
    private var engine: MockEngine
    private let start = ContinuousClock.now
    private let log: @Sendable (LogEntry) -> Void
    private let complain: @Sendable (String) -> Void

    /// The latest entries of the log, for a page that is opened later.
    private(set) var recent: [LogEntry] = []
    /// The pages that follow the log, the oldest first.
    private var listeners: [AsyncStream<[UInt8]>.Continuation] = []
    private static let mostRecent = 200
    /// The open connections by the numbers of the engine.
    var connections: [Int: PlayedConnection] = [:]

    /// Listens. Requests are taken as soon as ``run()`` is called.
    ///
    /// - Parameters:
    ///   - address: an IPv4 address of this machine: `127.0.0.1`, or `0.0.0.0` for all.
    ///   - port: 0 for any port that is free.
    ///   - log: gets a line for each request.
    ///   - complain: gets what is wrong with a connection.
    package init(
        _ engine: MockEngine, address: String, port: Int, limits: ConnectionLimits = ConnectionLimits(),
        log: @escaping @Sendable (LogEntry) -> Void, complain: @escaping @Sendable (String) -> Void
    ) throws(StartError) {
        self.engine = engine
        self.address = address
        self.limits = limits
        self.log = log
        self.complain = complain
        server = try SocketServer(address: address, port: port, limits: limits)
    }

    /// Takes connections until the task is cancelled.
    package func run() async throws { try await server.run(self) }

    // MARK: Requests

    private func reply(to request: MockRequest) -> MockReply {
        let reply = play { $0.respond(to: request, at: $1) }
        add(reply.entry)
        return reply
    }

    /// Plays a part of the service at this moment.
    func play<Result: Sendable>(_ part: (inout MockEngine, Duration) -> Result) -> Result {
        part(&engine, ContinuousClock.now - start)
    }

    /// Adds a line to the log.
    func add(_ entry: LogEntry) {
        log(entry)
        recent.append(entry)
        if recent.count > Self.mostRecent { recent.removeFirst() }
        tell(Self.event(entry))
    }

    // MARK: Pages

    /// Lets a page follow the log. With too many, the oldest ends.
    func add(_ listener: AsyncStream<[UInt8]>.Continuation, most: Int) {
        // A page that was closed is noticed when it is told something. A comment is nothing to the others.
        if listeners.count >= most { tell(Array(":\n\n".utf8)) }
        listeners.append(listener)
        if listeners.count > most { listeners.removeFirst().finish() }
    }

    private func tell(_ event: [UInt8]) {
        listeners.removeAll { listener in
            if case .terminated = listener.yield(event) { true } else { false }
        }
    }

    // MARK: The service

    /// The contract that is played.
    package var contract: ResolvedContract { engine.contract }

    /// Changes the service that is played: a contract that was edited, or other settings.
    package func change(_ change: @Sendable (inout MockEngine) -> Void) async {
        change(&engine)
        for number in connections.keys.sorted() { await sendFrames(of: number) }
        tell(Array("event: edited\ndata: {}\n\n".utf8))
    }

    /// The dial.
    var settings: MockSettings {
        get { engine.settings }
        set { engine.settings = newValue }
    }
}

extension MockHost: HTTPHandler {
    package func respond(to request: HTTPRequest) async -> HTTPAnswer {
        let asked = MockRequest(
            method: request.method, path: request.path, query: request.query, headers: request.headers,
            body: request.body)
        if let page = await pageResponse(to: asked) { return .now(HTTPResponse(page)) }
        return contract.connection == nil ? answer(reply(to: asked)) : open(request, asked)
    }

    /// What becomes of a request that the engine has handled.
    func answer(_ reply: MockReply) -> HTTPAnswer {
        let delivery = reply.delivery
        if delivery.delay <= .zero, !delivery.hangs, delivery.cut != .beforeResponse {
            return .now(HTTPResponse(reply))
        }
        let limits = limits
        // Only what is sent is kept.
        let isSent = !delivery.hangs && delivery.cut != .beforeResponse
        let response = isSent ? HTTPResponse(reply) : nil
        return .later(size: isSent ? reply.response.body.size : 0) {
            try await Task.sleep(for: delivery.delay)
            if delivery.hangs { try await Task.sleep(for: limits.responseTime) }
            guard let response else { throw ConnectionClosure() }
            return response
        }
    }

    package func refuse(_ fault: HTTPFault) -> HTTPResponse {
        complain("a request was refused with \(fault.status): \(fault.message)")
        let body = JSONNode.object([.init("message", .string(fault.message))])
        return HTTPResponse(
            status: fault.status,
            headers: [("Content-Type", "application/json"), (MockEngine.findingHeader, fault.message)],
            body: .bytes(body.bytes))
    }
}

extension HTTPResponse {
    /// The response of the service that is played.
    fileprivate init(_ reply: MockReply) {
        let isCut = reply.delivery.cut == .insideBody
        switch reply.response.body {
        case .bytes(let bytes):
            self.init(status: reply.response.status, headers: reply.response.headers, body: .bytes(bytes))
        case .elements(let elements, let pause):
            self.init(
                status: reply.response.status, headers: reply.response.headers,
                body: .stream { write in
                    for (position, element) in elements.enumerated() {
                        if position > 0 { try await Task.sleep(for: pause) }
                        if isCut, position >= max(1, elements.count / 2) { throw ConnectionClosure() }
                        try await write(element)
                    }
                    if isCut { throw ConnectionClosure() }
                })
        }
        self.isCut = isCut
        bytesPerSecond = reply.delivery.bytesPerSecond
    }

    /// A response of the page, whose events come as long as the page is open.
    fileprivate init(_ page: PageResponse) {
        guard let events = page.events else {
            self.init(status: page.status, headers: page.headers, body: .bytes(page.body))
            return
        }
        self.init(
            status: page.status, headers: page.headers,
            body: .stream { write in for await event in events { try await write(event) } })
    }
}
#endif
