import BankClient
import ErrandRuntime
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Testing

/// nginx with its defaults sends a DELETE a second time by itself, if the service closes a kept connection before its response.
@Suite(.serialized, .enabled(if: NginxServer.isAvailable, "nginx or openssl is not installed"), .timeLimit(.minutes(3)))
struct NginxEchoTests {
    @Test(arguments: NginxTests.Carrier.allCases, [#"{"error":{"code":900009}}"#, "{}"])
    func aDeletionMeetsItsOwnEcho(_ carrier: NginxTests.Carrier, _ echo: String) async throws {
        let service = try await ForgetfulService(echo: echo)
        let server = try await NginxServer(answer: "{}", upstream: service.port)
        let session = Session()
        await session.begin(SessionTokens(access: "token"))
        let transport = try carrier.transport(to: server)
        let bank = Bank(.init(url: server.url + "/service"), on: Dispatcher(transport: transport), session: session)
            .with { $0.attempts = 1 }
        // nginx keeps the connection of this one to the service.
        _ = try await bank.getAccount(accountID: 1)
        guard case .failure(let failure) = await bank.result(of: Bank.CloseAccount(accountID: 1)) else {
            Issue.record("the client was told of a success")
            return
        }
        #expect(service.requests == ["GET", "DELETE", "DELETE"], "one request of the client")
        #expect(failure.context.attempts == 1)
        #expect(failure.context.name == (echo == "{}" ? "rejected" : "accountClosed"), "\(failure)")
        #expect(failure.context.applied == .maybe, "the account was closed")
        try await service.stop()
    }
}

/// Carries out a DELETE on a kept connection, and closes the connection before the response. The next DELETE finds nothing.
private final class ForgetfulService: Sendable {
    private let channel: any Channel
    private let log: NIOLockedValueBox<[String]>

    var port: Int { channel.localAddress?.port ?? 0 }
    /// The methods of the requests, in their order.
    var requests: [String] { log.withLockedValue { $0 } }

    init(echo: String) async throws {
        let log = NIOLockedValueBox<[String]>([])
        self.log = log
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RequestReader(log, echo: echo))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    func stop() async throws { try await channel.close() }

    /// Reads requests without a body.
    private final class RequestReader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let log: NIOLockedValueBox<[String]>
        private let echo: String
        private var head = ""

        init(_ log: NIOLockedValueBox<[String]>, echo: String) {
            self.log = log
            self.echo = echo
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            head += String(buffer: unwrapInboundIn(data))
            guard head.hasSuffix("\r\n\r\n") else { return }
            let method = String(head.prefix { $0 != " " })
            head = ""
            let deletions = log.withLockedValue { log in
                log.append(method)
                return log.count { $0 == "DELETE" }
            }
            switch (method, deletions) {
            case ("DELETE", 1): context.close(promise: nil)
            case ("DELETE", _): respond(echo == "{}" ? "404 Not Found" : "410 Gone", echo, context)
            default: respond("200 OK", SecureServer.account, context)
            }
        }

        private func respond(_ status: String, _ body: String, _ context: ChannelHandlerContext) {
            let text =
                "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        }
    }
}
