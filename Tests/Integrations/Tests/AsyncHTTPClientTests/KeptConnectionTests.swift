import AsyncHTTPClient
import BankClient
import ErrandAsyncHTTPClient
import ErrandRuntime
import ErrandTransportConformance
import NIOConcurrencyHelpers
import NIOSSL
import Testing

/// Counts what happens to commands.
private final class Observations: CommandObserver {
    private let counts = NIOLockedValueBox((pauses: 0, attempts: 0, transparentRetries: 0))

    var attempts: Int { counts.withLockedValue { $0.attempts } }
    var pauses: Int { counts.withLockedValue { $0.pauses } }
    var transparentRetries: Int { counts.withLockedValue { $0.transparentRetries } }

    func observe(_ event: CommandEvent) {
        counts.withLockedValue { counts in
            switch event.kind {
            case .waiting(let wait) where wait.place == .pause: counts.pauses += 1
            case .attemptStarted(let attempt):
                counts.attempts += 1
                if attempt.isTransparentRetry { counts.transparentRetries += 1 }
            default: break
            }
        }
    }
}

/// Reads succeed on connections that the server closes, and what may be sent once only is not sent twice.
@Suite(.serialized, .timeLimit(.minutes(3))) struct KeptConnectionTests {
    enum End: CaseIterable, Sendable {
        /// Right after each response, at any moment before the next request.
        case afterResponse
        /// When the next request arrives, without reading it.
        case onArrival
        /// After the server has read the next request.
        case afterRequest
    }

    private static func makeServer(_ end: End) throws -> RawServer {
        try RawServer { connection, _ in
            guard connection.readRequest() != nil else { return }
            connection.respond("200 OK", "", SecureServer.account)
            switch end {
            case .afterResponse: break
            case .onArrival: _ = connection.hears(within: 20_000)
            case .afterRequest: _ = connection.readRequest()
            }
        }
    }

    private static func makeBank(
        _ url: String, _ transport: AsyncHTTPClientTransport, _ observations: Observations
    ) async -> Bank {
        let session = Session()
        await session.begin(SessionTokens(access: "t"))
        return Bank(
            .init(url: url), on: Dispatcher(transport: transport, observers: [observations]), session: session)
    }

    @Test(arguments: End.allCases)
    func sequentialReadsSucceed(end: End) async throws {
        let server = try Self.makeServer(end)
        let observations = Observations()
        let bank = await Self.makeBank(server.url, AsyncHTTPClientTransport(), observations)
        // The connection of a repetition isn't kept, so every other read is sent again: as many as the host's budget pays for.
        let count = end == .afterResponse ? 60 : 20
        var failures: [String] = []
        for number in 1...count {
            if case .failure(let failure) = await bank.result(of: Bank.GetAccount(accountID: number)) {
                failures.append("\(failure)")
            }
        }
        print(
            "\(end): \(failures.count) of \(count) reads failed, \(observations.pauses) paused, "
                + "\(observations.attempts - count) were sent again at once")
        #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(3))")
        #expect(observations.pauses == 0)
        // A connection that ended before a byte was written costs nothing, and whether it did is a matter of chance.
        if end != .afterResponse {
            #expect(observations.transparentRetries == 0 && observations.attempts == count + count / 2)
        }
    }

    @Test(arguments: [End.onArrival, .afterRequest])
    func whatMayBeSentOnceIsNotSentTwice(end: End) async throws {
        let server = try Self.makeServer(end)
        let observations = Observations()
        let bank = await Self.makeBank(server.url, AsyncHTTPClientTransport(), observations)
        for number in 1...10 {
            _ = try await bank.getAccount(accountID: number)
            let result = await bank.result(of: Bank.OrderCard(accountID: number))
            guard case .failure(.unconfirmed) = result else {
                Issue.record("\(number): \(result)")
                continue
            }
        }
        let orders = server.requests.filter { $0.hasPrefix("POST ") }.map { $0.prefix { $0 != "\r\n" } }
        #expect(Set(orders).count == orders.count, "\(orders)")
        #expect(observations.pauses == 0)
    }
}

/// The same over HTTP/2.
@Suite(
    .serialized, .timeLimit(.minutes(3)),
    .enabled(if: ServerCertificate.openssl != nil, "there is no openssl command"))
struct KeptStreamTests {
    private static func transport(trusting server: SecureServer) -> AsyncHTTPClientTransport {
        AsyncHTTPClientTransport { configuration in
            var security = TLSConfiguration.makeClientConfiguration()
            security.trustRoots = .certificates([server.certificate])
            configuration.tlsConfiguration = security
            configuration.dnsOverride = SecureServer.addresses
        }
    }

    /// Path, whether the connection was used before, and what the fault must say.
    static let ends: [(String, Bool, Evidence, Bool)] = [
        ("/refuse", false, .unprocessed, false), ("/refuse", true, .unprocessed, false),
        ("/goaway", false, .unprocessed, false), ("/goaway", true, .unprocessed, false),
        ("/close", false, .sent, false), ("/close", true, .sent, true),
        ("/reset", true, .sent, false),
    ]

    @Test(arguments: ends)
    func theEndOfAStreamIsToldAsItIs(path: String, isKept: Bool, evidence: Evidence, isStale: Bool) async throws {
        let server = try await SecureServer()
        let transport = Self.transport(trusting: server)
        if isKept { _ = try await transport.send(TransportRequest(method: .get, url: server.url + "/answer")) }
        let request = TransportRequest(method: .post, url: server.url + path, body: [1], isRepeatable: false)
        let fault = await transport.fault(of: request)
        #expect(fault?.kind == .lost && fault?.evidence == evidence, "\(String(describing: fault))")
        #expect(fault?.isStaleConnection == isStale, "\(String(describing: fault))")
        let connections = server.connections
        let next = TransportRequest(method: .get, url: server.url + "/answer", needsNewConnection: true)
        #expect(try await transport.send(next).status == 200)
        #expect(server.connections == connections + 1)
        try await server.stop()
    }

    /// Each stream but a connection's first one is told that the connection was used before, and no other response is.
    @Test func aResponseTellsOfAKeptConnection() async throws {
        let server = try await SecureServer()
        let transport = Self.transport(trusting: server)
        for number in 1...3 {
            let response = try await transport.send(TransportRequest(method: .get, url: server.url + "/answer"))
            #expect(response.isReusedConnection == (number > 1))
            #expect(response.headers["errand-reused-connection"] == nil)
        }
        #expect(server.connections == 1)
        try await server.stop()
    }

    /// A server that replaces its connections costs reads nothing, and carries each order out.
    @Test func nothingFailsUnderGoaway() async throws {
        let server = try await SecureServer()
        let observations = Observations()
        let session = Session()
        await session.begin(SessionTokens(access: "t"))
        let bank = Bank(
            .init(url: server.url + "/drain"),
            on: Dispatcher(transport: Self.transport(trusting: server), observers: [observations]), session: session)
        let count = 800
        let failures = await withTaskGroup(of: [String].self) { group in
            for task in 0..<16 {
                group.addTask {
                    var failures: [String] = []
                    for number in 0..<count / 16 {
                        let id = task * 10_000 + number
                        if number % 10 == 0 {
                            // The response is an account, so that it is malformed, and the server has carried it out.
                            let order = await bank.result(of: Bank.OrderCard(accountID: id))
                            if case .failure(.unconfirmed(let receipt)) = order, receipt.cause.status == nil {
                                failures.append("\(receipt.cause)")
                            }
                        } else if case .failure(let failure) = await bank.result(of: Bank.GetAccount(accountID: id)) {
                            failures.append("\(failure)")
                        }
                    }
                    return failures
                }
            }
            return await group.reduce([], +)
        }
        print(
            "\(failures.count) of \(count) failed under GOAWAY, \(observations.pauses) paused, "
                + "\(observations.transparentRetries) were sent again at once")
        #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(3))")
        #expect(observations.pauses == 0)
        #expect(observations.transparentRetries > 0)
        let orders = server.paths.filter { $0.hasSuffix("/cards") }
        #expect(Set(orders).count == orders.count && orders.count == count / 10)
        try await server.stop()
    }
}
