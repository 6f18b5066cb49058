import ErrandAsyncHTTPClient
import ErrandRuntime
import ErrandTransportConformance
import Testing

/// Requests through a proxy, and around it.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ProxyTests {
    private static let secret = "t0ken"

    private static func server() throws -> RawServer {
        try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.respond("200 OK", "", "x") }
        }
    }

    private static func settings(_ proxy: TestProxy, _ credentials: String? = nil) throws -> ProxySettings {
        let url = try Proxy(proxy.url(credentials))
        return ProxySettings(http: url, https: url)
    }

    private static func request(_ url: String) -> TransportRequest {
        TransportRequest(
            method: .post, url: url, headers: HTTPHeaders([HTTPHeaders.Field("Authorization", "Bearer \(secret)")]),
            body: Array("body".utf8), timeout: .seconds(20))
    }

    /// AsyncHTTPClient asks for a connection to every server, so that the proxy sees nothing of a request.
    @Test func aRequestOverHTTPGoesThroughAConnectionOfTheProxy() async throws {
        let (proxy, server) = (try TestProxy(credentials: "ada:s:crét"), try Self.server())
        let transport = AsyncHTTPClientTransport(proxies: try Self.settings(proxy, "ada:s%3Acr%C3%A9t"))
        for _ in 0..<2 {
            #expect(try await transport.send(Self.request("http://server.test:\(server.port)/a")).status == 200)
        }
        // The connection is kept.
        let head = try #require(proxy.heads.first)
        #expect(proxy.heads.count == 1 && head.hasPrefix("CONNECT server.test:\(server.port) HTTP/1.1\r\n"))
        #expect(!head.contains(Self.secret))
        #expect(server.requests.count == 2 && !server.requests.joined().lowercased().contains("proxy-"))
    }

    @Test(.enabled(if: ServerCertificate.openssl != nil, "there is no openssl command here"))
    func aRequestOverTLSDoesToo() async throws {
        let (proxy, server) = (try TestProxy(credentials: "ada:pw"), try await SecureServer())
        let transport = try AsyncHTTPClientTransport(
            trusting: [TrustedAuthority(host: "localhost", certificate: server.certificate.toDERBytes())],
            proxies: Self.settings(proxy, "ada:pw"))
        #expect(try await transport.send(Self.request(server.url + "/answer")).status == 200)
        #expect(proxy.heads.count == 1 && proxy.heads[0].hasPrefix("CONNECT localhost:"))
        #expect(!proxy.heads[0].contains(Self.secret) && server.paths == ["/answer"])
        try await server.stop()
    }

    @Test(arguments: ["http://server.test:1/", "https://server.test:1/"])
    func credentialsThatTheProxyRefusesEndTheAttempt(url: String) async throws {
        let proxy = try TestProxy(credentials: "ada:pw")
        for credentials in [nil, "ada:secret"] {
            let transport = AsyncHTTPClientTransport(proxies: try Self.settings(proxy, credentials))
            let fault = try #require(await transport.fault(of: Self.request(url)))
            #expect(fault.kind == .authentication && fault.evidence == .notSent && !fault.isStaleConnection, "\(fault)")
            #expect(fault.underlying as? ProxyError == .refusedCredentials(proxy: proxy.url()))
            #expect(fault.description.contains(proxy.url()) && !fault.description.contains("secret"))
        }
        #expect(proxy.heads.count == 2)
    }

    @Test(arguments: ["http://server.test:1/", "https://server.test:1/"])
    func aProxyThatIsDownIsNamed(url: String) async throws {
        let proxy = try TestProxy()
        proxy.stop()
        let transport = AsyncHTTPClientTransport(proxies: try Self.settings(proxy))
        let fault = try #require(await transport.fault(of: Self.request(url)))
        #expect(fault.kind == .refused && fault.evidence == .notSent, "\(fault)")
        #expect(fault.underlying as? ProxyError == .unreachable(proxy: proxy.url()))
    }

    @Test func aProxyThatMakesNoConnectionIsNamed() async throws {
        let proxy = try TestProxy(.refuse(502))
        let transport = AsyncHTTPClientTransport(proxies: try Self.settings(proxy))
        let fault = try #require(await transport.fault(of: Self.request("https://server.test:1/")))
        #expect(fault.kind == .refused && fault.evidence == .notSent, "\(fault)")
        #expect(fault.underlying as? ProxyError == .refusedConnection(proxy: proxy.url(), status: nil))
        // The end of a connection that was being made is no stale connection.
        let closing = AsyncHTTPClientTransport(proxies: try Self.settings(try TestProxy(.hangUp)))
        let closed = try #require(await closing.fault(of: Self.request("http://server.test:1/")))
        #expect(closed.evidence == .notSent && !closed.isStaleConnection, "\(closed)")
    }

    /// One transport has both ways, though a client has one proxy.
    @Test func anExceptedHostIsReachedDirectly() async throws {
        let (proxy, server) = (try TestProxy(), try Self.server())
        let settings = ProxySettings(http: try Proxy(proxy.url()), except: ["127.0.0.0/8"])
        let transport = AsyncHTTPClientTransport(proxies: settings)
        #expect(try await transport.send(Self.request(server.url + "/")).status == 200)
        #expect(proxy.heads == [] && server.requests.count == 1)
        #expect(try await transport.send(Self.request("http://server.test:\(server.port)/")).status == 200)
        #expect(proxy.heads.count == 1 && server.requests.count == 2)
    }

    @Test func whatTheClientCannotUseIsAnErrorBeforeAnythingIsSent() async throws {
        let server = try Self.server()
        for url in [
            "https://127.0.0.1:1", "socks4://127.0.0.1:1", "socks5://127.0.0.1:1", "socks5h://ada:secret@127.0.0.1:1",
        ] {
            let transport = AsyncHTTPClientTransport(proxies: ProxySettings(http: try Proxy(url)))
            let fault = try #require(await transport.fault(of: Self.request(server.url + "/")))
            #expect(fault.evidence == .notSent && fault.category == .nonRetryable)
            guard case .unsupported = fault.underlying as? ProxyError else {
                Issue.record("\(url): \(fault)")
                continue
            }
            #expect(!fault.description.contains("secret"))
        }
        let malformed = AsyncHTTPClientTransport(proxies: ProxySettings(environment: ["http_proxy": "ftp://x"]))
        let fault = try #require(await malformed.fault(of: Self.request(server.url + "/")))
        #expect(fault.description.contains("the variable http_proxy"))
        #expect(server.requests == [])
    }

    /// The app's own configuration holds for all requests, as before.
    @Test func aProxyOfTheConfigurationIsUsed() async throws {
        let (proxy, server) = (try TestProxy(), try Self.server())
        let transport = AsyncHTTPClientTransport(proxies: ProxySettings(environment: ["http_proxy": "ftp://x"])) {
            $0.proxy = .server(host: "127.0.0.1", port: proxy.port)
        }
        #expect(try await transport.send(Self.request(server.url + "/")).status == 200)
        #expect(proxy.heads.count == 1)
    }
}
