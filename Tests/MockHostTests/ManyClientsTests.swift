import Foundation
import Testing

@testable import ErrandHTTPServer
@testable import MockHost

/// More clients than the server takes, on real sockets: those that are served stay so, and what all of them cost has a bound.
@Suite(.serialized) struct ManyClientsTests {
    @Test func moreConnectionsThanTheLimitAreRefused() async throws {
        var limits = ConnectionLimits()
        limits.connections = 40
        try await RunningHost.play(limits) { host in
            // They say nothing, or begin a head and do not end it.
            let clients = try (0..<40).map { _ in try host.client() }
            for client in clients.enumerated() where client.offset.isMultiple(of: 2) {
                await client.element.write("GET /v1/acc")
            }
            for _ in 0..<60 {
                let answer = try await host.client().read()
                #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer)")
            }
            withExtendedLifetime(clients) {}
        }
    }

    /// As many connections as the issue names, none of which says anything. Those that are served stay so, the others are told why, and
    /// the server goes on when they have left.
    @Test func aThousandIdleConnectionsAreBounded() async throws {
        try RawClient.allowFiles(3_000)
        try await RunningHost.play { host in
            let most = ConnectionLimits().connections
            var clients = try (0..<1_000).map { _ in try host.client() }
            var (told, silent) = (0, 0)
            for client in clients.dropFirst(most) {
                let (text, end) = await client.readToEnd()
                #expect(end != .silent)
                if text.isEmpty { silent += 1 } else { told += 1 }
                #expect(text.isEmpty || text.contains("there are \(most) connections already"), "\(text)")
            }
            #expect(told + silent == 1_000 - most && told >= ConnectionLimits().refusals)
            for client in [clients[0], clients[most - 1]] {
                #expect(
                    await RunningHost.logIn(client).hasPrefix("HTTP/1.1 200 "), "a connection that is served stays so")
            }
            clients = []
            var isAlive = false
            for _ in 0..<1_000 where !isAlive {
                isAlive = await RunningHost.logIn(try host.client()).hasPrefix("HTTP/1.1 200 ")
                if !isAlive { try await Task.sleep(for: .milliseconds(10)) }
            }
            #expect(isAlive)
        }
    }

    /// A gigabyte is read only as far as a body may go, and what the server keeps of all bodies has a bound.
    @Test func allBodiesTogetherAreBounded() async throws {
        var limits = ConnectionLimits()
        (limits.heldBytes, limits.shortBody) = (3 << 20, 1 << 10)
        try await RunningHost.play(limits) { host in
            func begin() async throws -> RawClient {
                let client = try host.client()
                await client.write("POST /v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n")
                await client.write(Array(repeating: 0x20, count: 1_999_999))
                return client
            }
            var first: RawClient? = try await begin()
            // All of it has arrived, but for what is too little to count.
            var isHeld = false
            for _ in 0..<6_000 where !isHeld {
                isHeld = await host.host.server.held > 1_990_000
                if !isHeld { try await Task.sleep(for: .milliseconds(10)) }
            }
            #expect(isHeld)
            // The second one is refused as soon as both are too much.
            let (text, _) = await (try await begin()).readToEnd()
            #expect(text.hasPrefix("HTTP/1.1 503 ") && text.contains("have more than 3 MiB"), "\(text)")
            // A short one is not.
            try await RunningHost.expectIsAlive(host)
            await first?.write(" ")
            #expect(await first?.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 400 ") == true)
            first = nil
            // What was read makes room, now or in a moment.
            var hasRoom = false
            for _ in 0..<1_000 where !hasRoom {
                let last = try await begin()
                await last.write(" ")
                hasRoom = await last.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 400 ")
                if !hasRoom { try await Task.sleep(for: .milliseconds(10)) }
            }
            #expect(hasRoom)
        }
    }

    /// A client that is told that its request was refused may send it again.
    @Test(arguments: [("POST", ""), ("DELETE", ""), ("GET", "HTTP/1.1 503 ")])
    func whatWasCarriedOutIsNotRefused(_ method: String, _ beginning: String) async throws {
        var limits = ConnectionLimits()
        // There is room for a request, and for no response.
        (limits.heldBytes, limits.shortBody) = (LongWinded.size - 1, 1_000)
        let server = try SocketServer(address: "127.0.0.1", port: 0, limits: limits)
        let handler = LongWinded()
        let running = Task { try await server.run(handler) }
        let client = try RawClient(port: server.port)
        await client.write("\(method) / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
        let text = await client.readToEnd().text
        #expect(beginning.isEmpty ? text.isEmpty : text.hasPrefix(beginning), "\(text)")
        #expect(handler.methods.all == [method])
        running.cancel()
        _ = await running.result
    }

    /// Carries out each request, and responds to it at length.
    private struct LongWinded: HTTPHandler {
        static let size = 10_000
        let methods = Lines<String>()

        func respond(to request: HTTPRequest) async -> HTTPAnswer {
            methods.add(request.method)
            return .now(HTTPResponse(status: 200, body: .bytes(Array(repeating: 0x20, count: Self.size))))
        }

        func refuse(_ fault: HTTPFault) async -> HTTPResponse { HTTPResponse(status: fault.status) }
    }

    /// A connection that is reset may lose what the client has not read.
    @Test func aRefusalOfAFullServerIsNotReset() async throws {
        var limits = ConnectionLimits()
        limits.connections = 1
        try await RunningHost.play(limits) { host in
            let first = try host.client()
            #expect(await RunningHost.logIn(first).hasPrefix("HTTP/1.1 200 "))
            for _ in 0..<5 {
                let client = try host.client()
                await client.write("POST /v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
                await client.write(Array(repeating: 0x20, count: 1_000_000))
                let end = await client.readToEnd()
                #expect(end.text.hasPrefix("HTTP/1.1 503 ") && end.end != .reset, "\(end)")
            }
            withExtendedLifetime(first) {}
        }
    }

    /// Those who are told that they are too many cost a bounded time and number, whether they listen or not.
    @Test func refusedConnectionsAreBounded() async throws {
        var limits = ConnectionLimits()
        (limits.connections, limits.refusals, limits.refusalTime) = (0, 3, .milliseconds(200))
        try await RunningHost.play(limits) { host in
            let silent = try (0..<3).map { _ in try host.client() }
            for client in silent { #expect(await client.read(until: "}").hasPrefix("HTTP/1.1 503 ")) }
            let other = try host.client()
            let text = await other.read()
            #expect(text == "" || text.hasPrefix("HTTP/1.1 503 "), "\(text)")
            // Their time is over without a word of theirs.
            var isTold = false
            for _ in 0..<1_000 where !isTold {
                isTold = try await host.client().read().hasPrefix("HTTP/1.1 503 ")
                if !isTold { try await Task.sleep(for: .milliseconds(10)) }
            }
            #expect(isTold)
            withExtendedLifetime(silent) {}
        }
    }
}
