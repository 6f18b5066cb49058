#if os(Linux)
import BankClient
import ErrandRuntime
import ErrandTransport
import ErrandTransportConformance
import Foundation
import Testing

/// Promise 4 behind a gateway whose server reads each request and fails. As Apache's and HAProxy's, it closes a client's kept connection
/// without a response then, and answers 502 on a new one. Over URLSession, which sends some requests again by itself, it is another story.
@Suite(.serialized, .timeLimit(.minutes(3))) struct GatewayOutageTests {
    private struct Look: Command {
        typealias Service = Bank
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = EndpointDescription(
            Bank.service, "look", .get, effect: .read, session: .none, response: .none)
        let number: Int
        func encode(into request: inout RequestEncoder) {
            request.path("/things/")
            request.segment(number)
        }
    }

    private struct Put: Command {
        typealias Service = Bank
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = EndpointDescription(
            Bank.service, "put", .put, effect: .idempotent, session: .none, response: .none)
        let number: Int
        func encode(into request: inout RequestEncoder) {
            request.path("/things/")
            request.segment(number)
        }
    }

    /// A gateway, which passes every request on to a server that fails, but those to `/works`.
    private static func makeGateway() throws -> RawServer {
        try RawServer { connection, _ in
            var isKept = false
            while let request = connection.readRequest() {
                if request.contains("/works") {
                    connection.respond("200 OK")
                } else if isKept {
                    return
                } else {
                    connection.respond("502 Bad Gateway")
                }
                isKept = true
            }
        }
    }

    /// - Returns: how many requests to things have arrived at the gateway, and so at its server.
    private static func arrivals(at server: RawServer) -> Int { server.requests.count { $0.contains("/things/") } }

    private static func makeBank(_ server: RawServer, _ retry: RetryRule) -> Bank {
        let dispatcher = Dispatcher(transport: SystemTransport.make(), settings: DispatcherSettings(retry: retry))
        return Bank(.init(url: server.url), on: dispatcher)
    }

    /// Leaves a kept connection.
    private static func warmUp(_ bank: Bank) async throws {
        struct Work: Command {
            typealias Service = Bank
            typealias Failure = CommandFault
            typealias Response = Void
            static let endpoint = EndpointDescription(
                Bank.service, "work", .get, effect: .read, session: .none, response: .none)
            func encode(into request: inout RequestEncoder) { request.path("/works") }
        }
        _ = try await bank.result(of: Work()).get()
    }

    @Test func withoutRetriesEachCommandArrivesOnce() async throws {
        let server = try Self.makeGateway()
        let bank = Self.makeBank(server, .never)
        for number in 0..<100 {
            try await Self.warmUp(bank)
            if number % 2 == 0 {
                _ = await bank.result(of: Look(number: number))
            } else {
                _ = await bank.result(of: Put(number: number))
            }
        }
        #expect(Self.arrivals(at: server) == 100)
    }

    @Test func withRetriesTheBudgetBoundsWhatArrives() async throws {
        let server = try Self.makeGateway()
        let bank = Self.makeBank(server, RetryRule(attempts: 3, base: .milliseconds(1)))
        try await Self.warmUp(bank)
        for number in 0..<100 { _ = await bank.result(of: Look(number: number)) }
        let count = Self.arrivals(at: server)
        print("100 reads with three attempts each: \(count) arrive")
        #expect((100...110).contains(count), "\(count) arrive")
    }

    @Test func threeAttemptsAreThreeRequests() async throws {
        let server = try Self.makeGateway()
        let bank = Self.makeBank(server, RetryRule(attempts: 3, base: .milliseconds(1)))
        try await Self.warmUp(bank)
        guard case .failure(let failure) = await bank.result(of: Put(number: 1)) else {
            Issue.record("it succeeded")
            return
        }
        let context = failure.context
        #expect(Self.arrivals(at: server) == 3 && context.attempts == 3, "\(Self.arrivals(at: server)) arrive")
    }
}
#endif
