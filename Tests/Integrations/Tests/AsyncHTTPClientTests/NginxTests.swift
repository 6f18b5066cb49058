import BankClient
import ErrandAsyncHTTPClient
import ErrandRuntime
import ErrandTransportConformance
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
        let session = Session()
        await session.begin(SessionTokens(access: "token"))
        let bank = Bank(
            .init(url: server.url), on: Dispatcher(transport: try carrier.transport(to: server)), session: session)
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
}
