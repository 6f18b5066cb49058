import ErrandRuntime
import ErrandTransportConformance
import Testing

@testable import ErrandWebSocket

/// Connections through a proxy, and around it.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ProxyTests {
    private static func fault(_ settings: ProxySettings, _ url: String) async throws -> TransportFault? {
        let transport = try WebSocketTransport(proxies: settings)
        var opening = ConnectionOpening(url: url, timeout: .seconds(20))
        opening.headers = HTTPHeaders([HTTPHeaders.Field("Authorization", "Bearer t0ken")])
        do throws(OpeningFault) {
            _ = try await transport.open(opening)
            return nil
        } catch {
            guard case .failed(let fault) = error else { return nil }
            return fault
        }
    }

    private static func settings(_ url: String, except hosts: [String] = []) throws -> ProxySettings {
        let proxy = try Proxy(url)
        return ProxySettings(http: proxy, https: proxy, except: hosts)
    }

    /// Against servers that others wrote. The proxy learns the host and the port, and nothing of the handshake.
    @Test(.enabled(if: WebSocketServers.isAvailable), arguments: WebSocketTests.names)
    func aConnectionGoesThroughTheProxy(_ name: String) async throws {
        let (servers, proxy) = (try WebSocketServers(), try TestProxy(credentials: "ada:s:crét"))
        let transport = try servers.makeTransport(proxies: Self.settings(proxy.url("ada:s%3Acr%C3%A9t")))
        var opening = servers.opening(name)
        opening.headers = HTTPHeaders([HTTPHeaders.Field("Authorization", "Bearer t0ken")])
        let connection = try await transport.open(opening)
        try await connection.send(Array("echo a".utf8))
        #expect(try await connection.receive() == .text([97]))
        await connection.close(.normal)
        let head = try #require(proxy.heads.first)
        #expect(proxy.heads.count == 1 && head.hasPrefix("CONNECT localhost:") && !head.contains("t0ken"), "\(head)")
    }

    @Test(arguments: ["ws://server.test:1/", "wss://server.test:1/"])
    func credentialsThatTheProxyRefusesEndTheOpening(url: String) async throws {
        let proxy = try TestProxy(credentials: "ada:pw")
        let fault = try #require(try await Self.fault(Self.settings(proxy.url("ada:secret")), url))
        #expect(fault.kind == .authentication && fault.evidence == .notSent)
        #expect(fault.underlying as? ProxyError == .refusedCredentials(proxy: proxy.url()))
        #expect(proxy.heads.count == 1 && !proxy.heads[0].contains("t0ken"))
    }

    @Test func aProxyThatMakesNoConnectionIsNamed() async throws {
        let url = "wss://server.test:1/"
        let refusing = try TestProxy(.refuse(502))
        var fault = try #require(try await Self.fault(Self.settings(refusing.url()), url))
        #expect(
            fault.kind == .refused
                && fault.underlying as? ProxyError == .refusedConnection(proxy: refusing.url(), status: 502))
        let closing = try TestProxy(.hangUp)
        fault = try #require(try await Self.fault(Self.settings(closing.url()), url))
        #expect(
            fault.kind == .refused
                && fault.underlying as? ProxyError == .refusedConnection(proxy: closing.url(), status: nil))
        let down = try TestProxy()
        down.stop()
        fault = try #require(try await Self.fault(Self.settings(down.url()), url))
        #expect(fault.kind == .refused && fault.underlying as? ProxyError == .unreachable(proxy: down.url()))
    }

    /// A hostile proxy says more than it may, and nothing happens.
    @Test(arguments: ["\u{81}\u{02}hi", "HTTP/1.1 101 Switching Protocols\r\n\r\n", "\r\n\r\n"])
    func whatFollowsTheProxysResponseIsDropped(text: String) async throws {
        let proxy = try RawServer { connection, _ in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\n\r\n" + text)
        }
        let fault = try await Self.fault(Self.settings("http://127.0.0.1:\(proxy.port)"), "ws://server.test:1/")
        #expect(fault?.evidence == .notSent)
    }

    @Test func anExceptedHostIsReachedDirectly() async throws {
        let (proxy, server) = (try TestProxy(), try RawServer { connection, _ in _ = connection.readRequest() })
        _ = try await Self.fault(Self.settings(proxy.url(), except: ["127.0.0.1"]), "ws://127.0.0.1:\(server.port)/")
        #expect(proxy.heads == [] && server.requests.count == 1)
    }

    @Test func whatCannotBeUsedIsAnErrorBeforeAnythingIsSent() async throws {
        let server = try RawServer { connection, _ in _ = connection.readRequest() }
        let url = "ws://127.0.0.1:\(server.port)/"
        let socks = try #require(try await Self.fault(Self.settings("socks5h://127.0.0.1:\(server.port)"), url))
        guard case .unsupported = socks.underlying as? ProxyError else {
            Issue.record("\(socks)")
            return
        }
        let malformed = try #require(try await Self.fault(ProxySettings(environment: ["all_proxy": "x:y"]), url))
        #expect(malformed.evidence == .notSent && malformed.description.contains("the variable all_proxy"))
        #expect(server.requests == [])
    }
}
