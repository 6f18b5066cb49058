#if os(Linux)
import BankClient
@testable import ErrandCurl
import ErrandRuntime
import ErrandTransportConformance
import Foundation
import TestCertificates
import TestProxy
import Testing

/// Requests through a proxy, and around it.
@Suite(.serialized, .timeLimit(.minutes(2))) struct CurlProxyTests {
    private static let secret = "t0ken"

    /// A server whose responses are accounts of the bank.
    private static func server() throws -> RawServer {
        try RawServer { connection, _ in
            while connection.readRequest() != nil {
                connection.respond(
                    "200 OK", "Content-Type: application/json\r\n",
                    #"{"data":{"id":1,"owner":"A","balance":1,"status":"active","openedAt":"2026-01-01T00:00:00Z"}}"#)
            }
        }
    }

    private static func transport(
        _ proxy: TestProxy, _ credentials: String? = nil, except hosts: [String] = []
    ) throws -> CurlTransport {
        let url = try Proxy(proxy.url(credentials))
        return CurlTransport(proxies: ProxySettings(http: url, https: url, except: hosts))
    }

    private static func request(_ url: String) -> TransportRequest {
        TransportRequest(
            method: .post, url: url, headers: HTTPHeaders([HTTPHeaders.Field("Authorization", "Bearer \(secret)")]),
            body: Array("body".utf8), timeout: .seconds(20))
    }

    private static func fault(_ transport: CurlTransport, _ url: String) async -> TransportFault? {
        do throws(TransportFault) {
            _ = try await transport.send(request(url))
            return nil
        } catch {
            return error
        }
    }

    /// The proxy gets the whole URL, and looks the name up. The server gets everything but the credentials of the proxy.
    @Test func aRequestOverHTTPIsSentToTheProxy() async throws {
        let (proxy, server) = (try TestProxy(credentials: "ada:s:crét"), try Self.server())
        let transport = try Self.transport(proxy, "ada:s%3Acr%C3%A9t")
        let response = try await transport.send(Self.request("http://server.test:\(server.port)/a?b"))
        #expect(response.status == 200)
        let head = try #require(proxy.heads.first)
        #expect(head.hasPrefix("POST http://server.test:\(server.port)/a?b HTTP/1.1\r\n"))
        #expect(proxy.heads.count == 1 && server.requests.count == 1)
        let arrived = try #require(server.requests.first)
        #expect(arrived.contains("Bearer \(Self.secret)") && arrived.hasSuffix("body"))
        #expect(!arrived.lowercased().contains("proxy-"), "\(arrived)")
    }

    /// The proxy learns the host and the port, and nothing of the request.
    @Test(.enabled(if: SelfSignedCertificate.isAvailable, "there is no openssl command here"))
    func aRequestOverTLSGoesThroughAConnectionOfTheProxy() async throws {
        let (proxy, server) = (try TestProxy(credentials: "ada:pw"), try StandardServer())
        let url = try Proxy(proxy.url("ada:pw"))
        let transport = try CurlTransport(
            trusting: [TrustedAuthority(host: "localhost", certificate: server.certificate)],
            proxies: ProxySettings(https: url))
        var request = Self.request("https://localhost:\(server.port)/")
        (request.method, request.body) = (.get, nil)
        let response = try await server.response(to: request, over: transport)
        #expect(response.status == 200)
        let head = try #require(proxy.heads.last)
        #expect(
            head.hasPrefix("CONNECT localhost:\(server.port) HTTP/1.1\r\n")
                && head.contains("Proxy-Authorization: Basic"))
        #expect(!proxy.heads.joined().contains(Self.secret))
    }

    @Test(arguments: ["http://server.test:1/", "https://server.test:1/"])
    func credentialsThatTheProxyRefusesEndTheAttempt(url: String) async throws {
        let proxy = try TestProxy(credentials: "ada:pw")
        for credentials in [nil, "ada:secret"] {
            let fault = try #require(await Self.fault(try Self.transport(proxy, credentials), url))
            #expect(fault.kind == .authentication && fault.evidence == .notSent && !fault.isStaleConnection, "\(fault)")
            #expect(fault.underlying as? ProxyError == .refusedCredentials(proxy: proxy.url()))
            #expect(fault.description.contains(proxy.url()) && !fault.description.contains("secret"))
        }
        // Each was tried once.
        #expect(proxy.heads.count == 2)
    }

    @Test(arguments: ["http://server.test:1/", "https://server.test:1/"])
    func aProxyThatIsDownIsNamed(url: String) async throws {
        let proxy = try TestProxy()
        proxy.stop()
        var fault = try #require(await Self.fault(try Self.transport(proxy), url))
        // Its socket is closed a moment later.
        while fault.kind != .refused { fault = try #require(await Self.fault(try Self.transport(proxy), url)) }
        #expect(fault.evidence == .notSent && fault.category == .retryable)
        #expect(fault.underlying as? ProxyError == .unreachable(proxy: proxy.url()))
    }

    @Test func aNameThatNobodyKnowsIsTheProxys() async throws {
        let proxy = try Proxy("http://proxy.invalid:1")
        let transport = CurlTransport(proxies: ProxySettings(http: proxy))
        let fault = try #require(await Self.fault(transport, "http://127.0.0.1:1/"))
        #expect(fault.kind == .dns && fault.evidence == .notSent)
        #expect(fault.underlying as? ProxyError == .unreachable(proxy: "http://proxy.invalid:1"))
    }

    @Test func aProxyThatMakesNoConnectionIsNamed() async throws {
        let fault = try #require(
            await Self.fault(try Self.transport(try TestProxy(.refuse(502))), "https://server.test:1/"))
        guard case .refusedConnection(_, status: 502) = fault.underlying as? ProxyError else {
            Issue.record("\(fault)")
            return
        }
        #expect(fault.kind == .refused && fault.evidence == .notSent)
        let closed = try #require(
            await Self.fault(try Self.transport(try TestProxy(.hangUp)), "https://server.test:1/"))
        #expect(closed.kind == .refused && closed.evidence == .notSent && closed.underlying is ProxyError, "\(closed)")
    }

    @Test func anExceptedHostIsReachedDirectly() async throws {
        let (proxy, server) = (try TestProxy(), try Self.server())
        let transport = try Self.transport(proxy, except: ["127.0.0.0/8"])
        #expect(try await transport.send(Self.request(server.url + "/")).status == 200)
        #expect(proxy.heads == [] && server.requests.count == 1)
    }

    /// Neither the variable's proxy nor the server gets anything.
    @Test func aMalformedVariableEndsTheAttempt() async throws {
        let server = try Self.server()
        let settings = ProxySettings(environment: ["http_proxy": "ftp://ada:secret@127.0.0.1:\(server.port)"])
        let fault = try #require(await Self.fault(CurlTransport(proxies: settings), server.url + "/"))
        #expect(fault.evidence == .notSent && fault.description.contains("the variable http_proxy"))
        #expect(!fault.description.contains("secret"))
        #expect(server.requests == [])
    }

    /// `no_proxy` names another host.
    @Test func theAddressOfThisMachineGoesThroughTheProxyToo() async throws {
        let (proxy, server) = (try TestProxy(), try Self.server())
        let other = ProxySettings(environment: ["http_proxy": proxy.url(), "no_proxy": "other.test"])
        #expect(try await CurlTransport(proxies: other).send(Self.request(server.url + "/")).status == 200)
        #expect(proxy.heads.count == 1)
    }

    @Test func aProxyOfSOCKSIsAsked() async throws {
        let isAsked = LockedState<Bool> { false }
        let proxy = try RawServer { connection, _ in
            if connection.readPart(3) { isAsked.withLock { $0 = true } }
        }
        let settings = ProxySettings(http: try Proxy("socks5h://127.0.0.1:\(proxy.port)"))
        let fault = try #require(await Self.fault(CurlTransport(proxies: settings), "http://server.test:1/"))
        #expect(fault.kind == .refused && fault.evidence == .notSent && fault.underlying is ProxyError, "\(fault)")
        #expect(isAsked.withLock { $0 })
    }

    /// A proxy over TLS is trusted like a server.
    @Test(.enabled(if: SelfSignedCertificate.isAvailable, "there is no openssl command here"))
    func aProxyThatNobodyVouchesForGetsNothing() async throws {
        let server = try StandardServer()
        let settings = ProxySettings(http: try Proxy("https://ada:pw@localhost:\(server.port)"))
        var fault: TransportFault?
        repeat {
            fault = await Self.fault(CurlTransport(proxies: settings), "http://server.test:1/")
        } while fault?.kind == .refused && server.isRunning
        #expect(fault?.kind == .tls && fault?.evidence == .notSent, "\(String(describing: fault))")
    }

    /// The failure of a command has its category, and names the proxy.
    @Test func aCommandSaysThatItWasTheProxy() async throws {
        let (proxy, server) = (try TestProxy(credentials: "ada:pw"), try Self.server())
        func failure(_ settings: ProxySettings) async throws -> FailureContext {
            let session = Session()
            await session.begin(SessionTokens(access: Self.secret))
            let bank = Bank(
                .init(url: "http://server.test:\(server.port)"),
                on: Dispatcher(transport: CurlTransport(proxies: settings)),
                session: session)
            do {
                _ = try await bank.getAccount(accountID: 1)
                throw CancellationError()
            } catch {
                return try #require(error as? any CommandFailure).context
            }
        }
        let refused = try await failure(ProxySettings(http: Proxy(proxy.url("ada:secret"))))
        #expect(refused.name == "rejected" && refused.category == .nonRetryable && refused.applied == .never)
        #expect("\(refused)".contains(proxy.url()) && !"\(refused)".contains("secret"), "\(refused)")
        #expect(proxy.heads.count == 1)
        let malformed = try await failure(ProxySettings(environment: ["all_proxy": "proxy.test:x"]))
        #expect(malformed.name == "invalidRequest" && malformed.brokenFields.map(\.name) == ["proxy"])
        #expect("\(malformed)".contains("the variable all_proxy"), "\(malformed)")
        #expect(server.requests == [])
    }
}

/// A server with a self-signed certificate, run by the `openssl` command.
private final class StandardServer {
    let port: Int
    var certificate: [UInt8] { signed.bytes }
    private let signed: SelfSignedCertificate
    private let process: Process

    init() throws {
        // A port that was free a moment ago.
        port = try RawServer { _, _ in }.port
        signed = try SelfSignedCertificate()
        process = SelfSignedCertificate.openssl(
            ["s_server", "-quiet", "-www", "-accept", "\(port)", "-key", "key.pem", "-cert", "certificate.pem"],
            in: signed.folder)
    }

    deinit {
        // The thread that starts a process may block SIGTERM, and the process then blocks it as well.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    var isRunning: Bool { process.isRunning }

    /// The response, once it listens: until then, the proxy says 502.
    func response(to request: TransportRequest, over transport: CurlTransport) async throws -> TransportResponse {
        while true {
            do throws(TransportFault) {
                return try await transport.send(request)
            } catch {
                guard error.kind == .refused, process.isRunning else { throw error }
                await Task.yield()
            }
        }
    }
}
#endif
