import Foundation
import Testing

@testable import ErrandRuntime
@testable import ErrandTransportConformance
@testable import ErrandWebSocket

/// Against servers that others wrote.
@Suite(.enabled(if: WebSocketServers.isAvailable), .serialized) struct WebSocketTests {
    static let names = ["websockets", "websockets with TLS", "aiohttp", "aiohttp with TLS"]

    @Test(arguments: names) func itConforms(_ name: String) async throws {
        let servers = try WebSocketServers()
        let transport = try servers.makeTransport()
        for check in MessageConformance.checks {
            for violation in await check.run(on: transport, servers.opening(name)) {
                Issue.record("\(name): \(violation)")
            }
        }
    }

    @Test(arguments: names) func pingsGoBothWays(_ name: String) async throws {
        let servers = try WebSocketServers()
        let connection = try await servers.makeTransport().open(servers.opening(name))
        try await connection.ping()
        #expect(try await connection.receive() == .pong)
        try await connection.send(Array("ping".utf8))
        #expect(try await connection.receive() == .text(Array("answered".utf8)))
        try await connection.send(Array("fragments 100".utf8))
        let text = (0..<100).map { "\($0)," }.joined()
        #expect(try await connection.receive() == .text(Array(text.utf8)))
        await connection.close(.normal)
    }

    /// A record of TLS is handed on when all of it is there, so that its parts have to be counted before.
    @Test(arguments: [("websockets", 3..<4), ("websockets with TLS", 20..<100)])
    func theBytesAreCountedBelowTLS(_ name: String, _ wanted: Range<Int>) async throws {
        let servers = try WebSocketServers()
        let connection = try await servers.makeTransport().open(servers.opening(name))
        // What a server of TLS sends after its handshake comes before this.
        try await connection.send(Array("echo a".utf8))
        #expect(try await connection.receive() == .text([97]))
        let before = connection.receivedByteCount
        try await connection.send(Array("echo b".utf8))
        #expect(try await connection.receive() == .text([98]))
        #expect(wanted ~= connection.receivedByteCount - before)
        await connection.close(.normal)
    }

    @Test(arguments: names) func aRefusedHandshakeHasItsResponse(_ name: String) async throws {
        let servers = try WebSocketServers()
        let transport = try servers.makeTransport()
        for (path, status) in [("/busy", 503), ("/barred", 401), ("/moved", 302)] {
            do throws(OpeningFault) {
                _ = try await transport.open(servers.opening(name, path: path))
                Issue.record("\(path) was opened")
            } catch {
                guard case .refused(let response) = error else {
                    Issue.record("\(path): \(error)")
                    continue
                }
                #expect(response.status == status)
                #expect(response.body == Array(#"{"error":{"code":900099}}"#.utf8))
                if status == 503 { #expect(response.headers["retry-after"] == "7") }
            }
        }
    }

    @Test func aServerWithAnotherCertificateIsNotTrusted() async throws {
        let servers = try WebSocketServers()
        let fault = await openingFault(try WebSocketTransport(), servers.opening("websockets with TLS"))
        #expect(fault?.kind == .tls)
        #expect(fault?.evidence == .notSent)
    }

    @Test func whatCannotBeOpenedFails() async throws {
        let transport = try WebSocketTransport()
        #expect(await openingFault(transport, ConnectionOpening(url: "http://localhost:1"))?.kind == .unreadable)
        #expect(await openingFault(transport, ConnectionOpening(url: "ws://localhost:1"))?.kind == .refused)
        #expect(await openingFault(transport, ConnectionOpening(url: "ws://no-such-host.invalid"))?.kind == .dns)
    }

    /// A server must agree to the subprotocol.
    @Test func anotherSubprotocolIsNone() async throws {
        let servers = try WebSocketServers()
        let transport = try servers.makeTransport()
        #expect(await openingFault(transport, servers.opening("aiohttp", subprotocol: "other"))?.kind == .unreadable)
        let connection = try await transport.open(servers.opening("websockets", subprotocol: nil))
        await connection.close(.normal)
    }

    @Test func aProxyThatClosesUnusedConnectionsLosesThem() async throws {
        let servers = try WebSocketServers()
        let connection = try await servers.makeTransport().open(
            ConnectionOpening(url: servers.impatient, subprotocol: "presence.v1"))
        try await connection.send(Array("echo a".utf8))
        #expect(try await connection.receive() == .text([97]))
        do throws(TransportFault) {
            Issue.record("\(try await connection.receive()) arrived")
        } catch {
            #expect(error.kind == .lost)
        }
    }

    private func openingFault(_ transport: WebSocketTransport, _ opening: ConnectionOpening) async -> TransportFault? {
        do throws(OpeningFault) {
            _ = try await transport.open(opening)
            return nil
        } catch {
            if case .failed(let fault) = error { return fault }
            return nil
        }
    }
}
