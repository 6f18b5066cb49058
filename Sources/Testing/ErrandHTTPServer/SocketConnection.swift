// Without a trait that brings FlyingFox, the target is empty.
#if canImport(FlyingSocks)
import FlyingSocks

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One connection of the server, from its opening to its end.
struct SocketConnection {
    let socket: AsyncSocket
    let number: Int
    let server: SocketServer
    let handler: any HTTPHandler
    private let limits: ConnectionLimits
    private var buffer = ReadBuffer()
    /// Whether the client has sent more during a response than is kept, so that its next request is not whole.
    private var isOverrun = false
    /// The bytes of the body that is under way, as far as the server counts them.
    private var held = 0
    /// The bytes of the request's body that were taken from the buffer.
    private var taken = 0

    init(_ socket: AsyncSocket, number: Int, server: SocketServer, handler: any HTTPHandler) {
        self.socket = socket
        self.number = number
        self.server = server
        self.handler = handler
        limits = server.limits
    }

    /// Handles the requests of the connection, one after the other.
    mutating func run() async {
        do {
            while let head = try await readHead() {
                let body = try await readBody(head)
                await server.setDeadline(of: number, in: limits.responseTime)
                let request = HTTPRequest(method: head.method, target: head.target, headers: head.headers, body: body)
                let response: HTTPResponse
                switch await handler.respond(to: request) {
                case .now(let ready): response = ready
                case .later(let size, let work):
                    try await hold(size, asResponseTo: head)
                    response = try await whileConnected(work)
                case .upgrade(let upgrade): return try await run(upgrade)
                }
                try await hold(response.size, asResponseTo: head)
                try await write(response, to: head)
                try await hold(0)
                guard head.isPersistent, !isOverrun else { break }
            }
        } catch let fault as HTTPFault {
            await refuse(fault)
        } catch {
            // The client is gone, took too long, or gets no response.
        }
    }

    /// Answers a handshake, and handles the messages of the connection until its end.
    private mutating func run(_ upgrade: WebSocketUpgrade) async throws {
        let delay = upgrade.delay
        do {
            if delay > .zero { try await whileConnected { try await Task.sleep(for: delay) } }
            guard !isOverrun else {
                throw HTTPFault(
                    400, "the client has sent more than \(limits.headBytes >> 10) KiB before it had the response")
            }
            try await socket.write(Data(HTTPText.head(101, upgrade.headers, .none, isLast: false, date: Self.date)))
        } catch {
            await upgrade.handler.ended(.lost)
            throw error
        }
        let session = WebSocketSession(socket: socket, number: number, server: server, handler: upgrade.handler)
        await session.run(buffer.bytes)
    }

    // MARK: Reading

    /// Nil if the client has closed the connection between two requests.
    private mutating func readHead() async throws -> HTTPHead? {
        await server.setDeadline(of: number, in: limits.idle)
        while true {
            if let head = try buffer.takeHead(limits) { return head }
            guard try await readMore() else {
                if buffer.bytes.isEmpty { return nil }
                throw ConnectionClosure()
            }
        }
    }

    private mutating func readBody(_ head: HTTPHead) async throws -> [UInt8] {
        taken = 0
        guard head.framing != .none else { return [] }
        await server.setDeadline(of: number, in: limits.bodyTime)
        // A client of HTTP/1.0 does not know the response, and one without a body does not wait for it (RFC 9110, section 10.1.1).
        if head.knowsChunks, head.framing != .length(0),
            HTTPHead.values("expect", head.headers).contains(where: { $0.lowercased() == "100-continue" })
        {
            try await socket.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        switch head.framing {
        case .none: return []
        case .length(let length): return try await take(length)
        case .chunks: return try await readChunks()
        }
    }

    private mutating func readChunks() async throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let size = try HTTPHead.chunkSize(await takeLine())
            if size == 0 { break }
            guard size <= limits.bodyBytes - body.count else { throw HTTPFault.bodyTooLarge(limits) }
            body += try await take(size)
            taken = body.count
            guard try await takeLine().isEmpty else { throw HTTPFault(400, "a chunk is longer than its size") }
        }
        // The trailers mean nothing here.
        for _ in 0...limits.headers {
            if try await takeLine().isEmpty { return body }
        }
        throw HTTPFault(431, "the request has more than \(limits.headers) trailers")
    }

    private mutating func take(_ count: Int) async throws -> [UInt8] {
        while true {
            if let taken = buffer.take(count) { return taken }
            guard try await readMore() else { throw ConnectionClosure() }
        }
    }

    private mutating func takeLine() async throws -> [UInt8] {
        while true {
            if let line = try buffer.takeLine() { return line }
            guard try await readMore() else { throw ConnectionClosure() }
        }
    }

    private mutating func readMore() async throws -> Bool {
        let bytes = try await Self.read(socket)
        buffer.append(bytes)
        // The server is not asked for each part.
        let size = taken + buffer.bytes.count
        if size >= held + limits.shortBody { try await hold(size) }
        return !bytes.isEmpty
    }

    /// Counts the body that is under way, unless it is short.
    private mutating func hold(_ bytes: Int) async throws {
        let counted = bytes < limits.shortBody ? 0 : bytes
        guard counted != held else { return }
        guard await server.hold(counted, of: number) else { throw HTTPFault.tooMuchUnderWay(limits) }
        held = counted
    }

    /// Counts a response. Without room for it, the client is told nothing if the request may have changed something: it was carried out,
    /// and a client that hears of a refusal may send it again.
    private mutating func hold(_ bytes: Int, asResponseTo head: HTTPHead) async throws {
        do {
            try await hold(bytes)
        } catch let fault as HTTPFault {
            if ["GET", "HEAD", "QUERY"].contains(head.method) { throw fault }
            throw ConnectionClosure()
        }
    }

    /// What has arrived. Empty if the client has closed the connection.
    static func read(_ socket: AsyncSocket) async throws -> [UInt8] {
        do {
            return try await socket.read(atMost: 4096)
        } catch SocketError.disconnected {
            return []
        }
    }

    // MARK: Waiting

    private enum Occurrence<Value: Sendable>: Sendable {
        case done(Value)
        case arrived([UInt8])
        case gone
        case cancelled
    }

    /// Waits for work as long as the client is there. What the client sends meanwhile belongs to its next request.
    private mutating func whileConnected<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let (socket, pause) = (socket, limits.afterClose)
        @Sendable func listen() async -> Occurrence<Value> {
            do {
                let bytes = try await Self.read(socket)
                guard bytes.isEmpty else { return .arrived(bytes) }
                try await Task.sleep(for: pause)
                return .gone
            } catch is CancellationError {
                return .cancelled
            } catch {
                return .gone
            }
        }
        var value: Value?
        try await withThrowingTaskGroup(of: Occurrence<Value>.self) { group in
            group.addTask { .done(try await work()) }
            group.addTask { await listen() }
            while let occurrence = try await group.next() {
                switch occurrence {
                case .done(let result):
                    value = result
                    group.cancelAll()
                case .arrived(let bytes):
                    // Of a client that sends more and more, the end still has to be noticed.
                    if buffer.bytes.count < limits.headBytes { buffer.append(bytes) } else { isOverrun = true }
                    if value == nil { group.addTask { await listen() } }
                case .gone where value == nil: throw ConnectionClosure()
                case .gone, .cancelled: break
                }
            }
        }
        guard let value else { throw ConnectionClosure() }
        return value
    }

    // MARK: Writing

    private mutating func write(_ response: HTTPResponse, to head: HTTPHead) async throws {
        let isLast = !head.isPersistent
        let hasBody = head.method != "HEAD" && !HTTPText.isBodiless(response.status)
        switch response.body {
        case .bytes(let body):
            let framing: HTTPText.Framing = HTTPText.isBodiless(response.status) ? .none : .length(body.count)
            let start = self.head(response, framing, isLast: isLast)
            if response.isCut {
                // Without a body, the response would be whole, so the cut is inside the head.
                guard hasBody, !body.isEmpty else {
                    try await socket.write(Data(start.dropLast(4)))
                    throw ConnectionClosure()
                }
                try await write(start, Array(body.prefix(body.count / 2)), response.bytesPerSecond)
                throw ConnectionClosure()
            }
            guard hasBody else { return try await socket.write(Data(start)) }
            try await write(start, body, response.bytesPerSecond)
        case .stream(let produce):
            let framing: HTTPText.Framing = head.knowsChunks ? .chunks : .close
            let start = self.head(response, framing, isLast: isLast || !head.knowsChunks)
            if response.isCut, !hasBody {
                try await socket.write(Data(start.dropLast(4)))
                throw ConnectionClosure()
            }
            try await socket.write(Data(start))
            guard hasBody else { return }
            let (socket, server, number, limits) = (socket, server, number, limits)
            let (isChunked, bytesPerSecond) = (head.knowsChunks, response.bytesPerSecond)
            try await whileConnected {
                try await produce { part in
                    await server.setDeadline(of: number, in: limits.responseTime)
                    try await Self.write(isChunked ? HTTPText.chunk(part) : part, to: socket, bytesPerSecond) {
                        await server.setDeadline(of: number, in: limits.responseTime)
                    }
                }
            }
            guard isChunked else { throw ConnectionClosure() }
            try await socket.write(Data(HTTPText.lastChunk))
        }
    }

    /// Writes a head and a body.
    private mutating func write(_ start: [UInt8], _ body: [UInt8], _ bytesPerSecond: Int?) async throws {
        guard bytesPerSecond != nil else { return try await socket.write(Data(start + body)) }
        try await socket.write(Data(start))
        let (socket, server, number, limits) = (socket, server, number, limits)
        try await whileConnected {
            try await Self.write(body, to: socket, bytesPerSecond) {
                await server.setDeadline(of: number, in: limits.responseTime)
            }
        }
    }

    /// - Parameter wrotePart: is called after each part of a limited text, because its time is that of the server, and not of the client.
    static func write(
        _ bytes: [UInt8], to socket: AsyncSocket, _ bytesPerSecond: Int?, wrotePart: () async -> Void = {}
    ) async throws {
        guard let bytesPerSecond else { return try await socket.write(Data(bytes)) }
        // Ten times a second.
        let count = max(1, bytesPerSecond / 10)
        var rest = bytes[...]
        while !rest.isEmpty {
            try await socket.write(Data(rest.prefix(count)))
            rest = rest.dropFirst(count)
            await wrotePart()
            if !rest.isEmpty { try await Task.sleep(for: .seconds(Double(count) / Double(bytesPerSecond))) }
        }
    }

    /// Tells the client why its request, or its connection, is not served.
    func refuse(_ fault: HTTPFault) async {
        await server.setDeadline(of: number, in: limits.refusalTime)
        let response = await handler.refuse(fault)
        guard case .bytes(let body) = response.body else { return }
        do {
            try await socket.write(Data(head(response, .length(body.count), isLast: true) + body))
            // What the client still sends is read for a moment: closing at once would reset the connection, and the client might
            // never see the response.
            await server.endWriting(to: number)
            for _ in 0..<512 { guard try await !Self.read(socket).isEmpty else { break } }
        } catch {
            // The client is gone, or took too long.
        }
    }

    private func head(_ response: HTTPResponse, _ framing: HTTPText.Framing, isLast: Bool) -> [UInt8] {
        HTTPText.head(
            response.status, response.headers, framing, isLast: isLast,
            date: Self.date)
    }

    /// The time of a response, as its header says it.
    private static var date: String { HTTPDate.text(seconds: Int(Date().timeIntervalSince1970)) }
}
#endif
