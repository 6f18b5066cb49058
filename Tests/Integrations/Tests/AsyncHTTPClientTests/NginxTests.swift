import BankClient
import ErrandAsyncHTTPClient
import ErrandRuntime
import ErrandTransportConformance
import Foundation
import NIOSSL
import Testing

#if os(Linux)
import ErrandCurl
#endif

/// HTTP/2 with a server that others wrote: the reads of a generated client share one connection.
@Suite(.serialized, .enabled(if: NginxServer.isAvailable, "nginx or openssl is not installed"), .timeLimit(.minutes(3)))
struct NginxTests {
    enum Carrier: CaseIterable {
        case asyncHTTPClient
        #if os(Linux)
        case curl
        #endif

        /// A transport that presents a certificate.
        func transport(to server: NginxServer, presenting certificates: [ClientCertificate]) throws -> any Transport {
            try transport(
                trusting: [TrustedAuthority(host: "localhost", certificate: server.certificate.bytes)],
                presenting: certificates)
        }

        func transport(
            trusting authorities: [TrustedAuthority], presenting certificates: [ClientCertificate]
        ) throws -> any Transport {
            switch self {
            case .asyncHTTPClient:
                return try AsyncHTTPClientTransport(
                    trusting: authorities, presenting: certificates, proxies: .none
                ) { $0.dnsOverride = SecureServer.addresses }
            #if os(Linux)
            case .curl: return try CurlTransport(trusting: authorities, presenting: certificates, proxies: .none)
            #endif
            }
        }

        func transport(to server: NginxServer) throws -> any Transport {
            switch self {
            case .asyncHTTPClient:
                let roots = try NIOSSLCertificate.fromPEMFile(server.certificate.file)
                return AsyncHTTPClientTransport { configuration in
                    var security = TLSConfiguration.makeClientConfiguration()
                    security.trustRoots = .certificates(roots)
                    configuration.tlsConfiguration = security
                    configuration.dnsOverride = SecureServer.addresses
                }
            #if os(Linux)
            case .curl:
                return try CurlTransport(
                    trusting: [TrustedAuthority(host: "localhost", certificate: server.certificate.bytes)])
            #endif
            }
        }
    }

    @Test(arguments: Carrier.allCases) func manyReadsShareAConnection(_ carrier: Carrier) async throws {
        let server = try await NginxServer(answer: SecureServer.account)
        let bank = await Self.bank(server.url, over: try carrier.transport(to: server))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    let account = try await bank.getAccount(accountID: 1)
                    #expect(account.id == 1)
                }
            }
            try await group.waitForAll()
        }
        let lines = try await server.stop()
        #expect(lines.count == 100)
        #expect(lines.allSatisfy { $0.version == "HTTP/2.0" && $0.status == "200" }, "\(lines.first as Any)")
        #expect(Set(lines.map(\.connection)).count == 1)
    }

    // MARK: The cache

    /// A file that nginx compresses: its `ETag` is weak then, and its response varies by `Accept-Encoding`, which the transport sets.
    @Test(arguments: Carrier.allCases) func aFileIsConfirmedUntilItChanges(_ carrier: Carrier) async throws {
        let server = try await NginxServer(answer: "{}")
        let bank = await Self.bank(server.url + "/files", over: try carrier.transport(to: server))
        func read() async throws -> (owner: String, basis: CacheHit.Basis?) {
            let reply = try await bank.with { $0.attempts = 1 }.reply(to: Bank.GetAccount(accountID: 1))
            return (reply.value.owner, reply.cached?.basis)
        }
        try server.write(SecureServer.account, to: "accounts/1")
        #expect(try await read() == ("A", nil))
        #expect(try await read() == ("A", .validated))
        // Another length, because nginx makes the tag from the length and the seconds of the change.
        try server.write(SecureServer.account.replacing(#""A""#, with: #""Grace""#), to: "accounts/1")
        #expect(try await read() == ("Grace", nil))
        #expect(try await read() == ("Grace", .validated))
        let lines = try await server.stop()
        #expect(lines.map(\.status) == ["200", "304", "200", "304"])
        // The server is gone, and its header allows what was read before.
        #expect(try await read() == ("Grace", .ifError))
    }

    // MARK: Client certificates

    private static func certificate(_ authority: TestAuthority, _ name: String) throws -> ClientCertificate {
        _ = try authority.makeKey(name, .curve)
        try authority.issue(name, to: name)
        return try ClientCertificate(
            host: "localhost", certificate: authority.text("\(name).pem"), privateKey: authority.text("\(name).key"))
    }

    private static func bank(_ url: String, over transport: any Transport) async -> Bank {
        let session = Session()
        await session.begin(SessionTokens(access: "token"))
        return Bank(.init(url: url), on: Dispatcher(transport: transport), session: session)
    }

    /// Two transports at one server: each of them has connections of its own, with its own certificate.
    @Test(arguments: Carrier.allCases) func connectionsOfTwoCertificatesDoNotMix(_ carrier: Carrier) async throws {
        let authority = try TestAuthority()
        let server = try await NginxServer(answer: SecureServer.account, clients: authority.certificate)
        var banks: [Bank] = []
        for name in ["Ada", "Bob"] {
            let certificate = try Self.certificate(authority, name)
            banks.append(
                await Self.bank(server.url, over: try carrier.transport(to: server, presenting: [certificate])))
        }
        for _ in 0..<3 {
            for bank in banks { #expect(try await bank.getAccount(accountID: 1).id == 1) }
        }
        let lines = try await server.stop()
        #expect(lines.map(\.client) == ["CN=Ada", "CN=Bob", "CN=Ada", "CN=Bob", "CN=Ada", "CN=Bob"])
        #expect(lines.allSatisfy { $0.status == "200" && $0.version == "HTTP/2.0" })
        #expect(Set(lines.map(\.connection)).count == 2)
    }

    /// nginx accepts every certificate in the handshake, and refuses the request with 400.
    @Test(arguments: Carrier.allCases) func nginxRefusesByAResponse(_ carrier: Carrier) async throws {
        let (authority, stranger) = (try TestAuthority(), try TestAuthority())
        let server = try await NginxServer(answer: SecureServer.account, clients: authority.certificate)
        for certificates in [[], [try Self.certificate(stranger, "Eve")]] {
            let transport = try carrier.transport(to: server, presenting: certificates)
            let request = TransportRequest(method: .get, url: server.url + "/", timeout: .seconds(20))
            #expect(try await transport.send(request).status == 400)
        }
        #expect(try await server.stop().map(\.client) == ["-", "CN=Eve"])
    }

    /// A redirect to another name, even of the same machine, does not get the certificate.
    @Test(arguments: Carrier.allCases) func aRedirectToAnotherHostGetsNoCertificate(_ carrier: Carrier) async throws {
        let authority = try TestAuthority()
        let certificate = try Self.certificate(authority, "Ada")
        for host in ["localhost", "127.0.0.1"] {
            let second = try await NginxServer(answer: SecureServer.account, clients: authority.certificate)
            let target = second.url.replacingOccurrences(of: "localhost", with: host) + "/there"
            let first = try await NginxServer(answer: "", clients: authority.certificate, target: target)
            let authorities = try [first, second].flatMap { server in
                try ["localhost", "127.0.0.1"].map {
                    try TrustedAuthority(host: $0, certificate: server.certificate.bytes)
                }
            }
            let transport = try carrier.transport(trusting: authorities, presenting: [certificate])
            let bank = await Self.bank(first.url + "/moved", over: transport)
            let account = try? await bank.getAccount(accountID: 1)
            #expect((account != nil) == (host == "localhost"))
            #expect(try await first.stop().map(\.client) == ["CN=Ada"])
            #expect(try await second.stop().map(\.client) == [host == "localhost" ? "CN=Ada" : "-"])
        }
    }

    /// The server takes its key in reserve, and then one that its apps don't know. A connection that was kept is compared no further.
    @Test(arguments: Carrier.allCases) func aServerWithANewKeyIsComparedAgain(_ carrier: Carrier) async throws {
        let certificates = try (0..<3).map { _ in try ServerCertificate() }
        let pins = PublicKeyPins(
            try certificates.prefix(2).map { try TestAuthority.pin(ofKey: "key.pem", in: $0.folder) })
        let transport = try carrier.transport(
            trusting: certificates.map { try TrustedAuthority(host: "localhost", certificate: $0.bytes) },
            presenting: [])
        var port: Int?
        for (number, certificate) in certificates.enumerated() {
            let server = try await NginxServer(answer: SecureServer.account, certificate: certificate, port: port)
            port = server.port
            var request = TransportRequest(method: .get, url: server.url + "/", timeout: .seconds(20))
            request.pins = pins
            for _ in 0..<2 {
                var fault = await transport.fault(of: request)
                if fault?.isStaleConnection ?? false {
                    request.needsNewConnection = true
                    fault = await transport.fault(of: request)
                    request.needsNewConnection = false
                }
                guard number == 2 else {
                    #expect(fault == nil)
                    continue
                }
                #expect(fault?.kind == .tls && fault?.evidence == .notSent)
                #expect(fault?.underlying as? PinError == .otherKey(host: "localhost", wanted: pins.pins))
            }
            let lines = try await server.stop()
            #expect(lines.map(\.status) == (number == 2 ? [] : ["200", "200"]))
        }
    }
}
