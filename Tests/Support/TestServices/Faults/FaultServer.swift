import FlyingSocks
import Foundation

/// Breaks connections in every way there is, below HTTP.
///
/// Each request takes the next fault of the plan, and `otherwise` if the plan is used up. Faults
/// that come before a request (`closeOnAccept`, `resetOnAccept`) are taken when a connection opens.
public actor FaultServer {
    public nonisolated let port: Int
    private nonisolated let running: Task<Void, any Error>

    private var plan: [WireFault]
    private var fallback: WireFault
    private var log: [WireConnection] = []

    public init(_ plan: WireFault..., otherwise: WireFault = .status(200)) async throws {
        let socket = try Socket(domain: Int32(AF_INET))
        try socket.setValue(true, for: .localAddressReuse)
        try socket.bind(to: .inet(ip4: "127.0.0.1", port: 0))
        try socket.listen()
        guard case .ip4(_, let port) = try socket.sockname() else { throw SocketError.disconnected }
        let pool: some AsyncSocketPool = SocketPool.make()
        try await pool.prepare()
        let listener = try AsyncSocket(socket: socket, pool: pool)
        let relay = FaultRelay()
        self.port = Int(port)
        self.plan = plan
        fallback = otherwise
        running = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await pool.run() }
                group.addTask { try await relay.acceptAll(from: listener) }
                defer { try? listener.close() }
                try await group.next()
            }
        }
        await relay.connect(to: self)
    }

    public nonisolated var url: String { "http://127.0.0.1:\(port)" }

    /// Adds to what the next requests meet.
    public func plan(_ faults: WireFault...) { plan += faults }
    public func otherwise(_ fault: WireFault) { fallback = fault }

    /// In the order in which they opened.
    public var connections: [WireConnection] { log }
    public var requests: [ReceivedRequest] { log.flatMap(\.requests).sorted { $0.receivedAt < $1.receivedAt } }

    /// Waits until this number of requests has arrived, with or without a response. Returns false if they do not arrive in
    /// time.
    public func waitForRequests(_ count: Int, within limit: Duration = .seconds(30)) async -> Bool {
        await wait(within: limit) { requests.count >= count }
    }

    /// Waits until the client has closed so many connections by itself.
    public func waitForClientToClose(_ count: Int = 1, within limit: Duration = .seconds(30)) async -> Bool {
        await wait(within: limit) { log.count { $0.closedByClientAt != nil } >= count }
    }

    public func stop() async {
        running.cancel()
        _ = await running.result
    }

    private func wait(within limit: Duration, until holds: () -> Bool) async -> Bool {
        let end = ContinuousClock.now + limit
        while !holds() {
            guard ContinuousClock.now < end else { return false }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return true
    }

    // MARK: Connections

    func open() -> (index: Int, fault: WireFault?) {
        log.append(WireConnection())
        switch plan.first ?? fallback {
        case .closeOnAccept, .resetOnAccept: return (log.count - 1, nextFault())
        default: return (log.count - 1, nil)
        }
    }

    func nextFault(for request: ReceivedRequest, on index: Int) -> WireFault {
        log[index].requests.append(request)
        return nextFault()
    }

    func closed(_ index: Int, byClient: Bool) {
        if byClient { log[index].closedByClientAt = .now } else { log[index].closedByServer = true }
    }

    private func nextFault() -> WireFault { plan.isEmpty ? fallback : plan.removeFirst() }
}

/// Accepts connections, and hands them on once there is a server to hand them to.
private actor FaultRelay {
    private var server: FaultServer?
    private var waiting: CheckedContinuation<Void, Never>?

    func connect(to server: FaultServer) {
        self.server = server
        waiting?.resume()
        waiting = nil
    }

    func acceptAll(from listener: AsyncSocket) async throws {
        if server == nil { await withCheckedContinuation { waiting = $0 } }
        guard let server else { return }
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                let socket = try await listener.accept()
                let (index, fault) = await server.open()
                group.addTask { await FaultConnection(socket: socket, server: server, index: index).run(first: fault) }
            }
        }
    }
}

/// A port without a listener, for as long as this lives: connecting to it is refused.
public final class RefusingPort: Sendable {
    public let port: Int
    private let socket: Socket

    public init() throws {
        socket = try Socket(domain: Int32(AF_INET))
        try socket.bind(to: .inet(ip4: "127.0.0.1", port: 0))
        guard case .ip4(_, let port) = try socket.sockname() else { throw SocketError.disconnected }
        self.port = Int(port)
    }

    public var url: String { "http://127.0.0.1:\(port)" }

    deinit { try? socket.close() }
}
