import BankClient
import ErrandRuntime
import ErrandTransport
import ErrandTransportConformance
import Foundation
import Testing

/// Promises 3 and 4 on kept connections that a server closes: reads succeed within the retry budget, and what may be sent once
/// only is not sent twice.
@Suite(.serialized, .timeLimit(.minutes(2))) struct KeptConnectionTests {
    /// How a server ends a kept connection.
    enum End: String, CaseIterable, Sendable {
        /// Right after each response, at any moment before the next request.
        case afterResponse
        /// When the next request arrives, without reading it.
        case onArrival
        /// After it has read the next request.
        case afterRequest
    }

    private static let account =
        #"{"data":{"id":1,"owner":"A","balance":1,"status":"active","openedAt":"2026-01-01T00:00:00Z"}}"#

    private static func makeServer(_ end: End) throws -> RawServer {
        try RawServer { connection, _ in
            guard connection.readRequest() != nil else { return }
            connection.respond("200 OK", "", account)
            switch end {
            case .afterResponse: break
            case .onArrival: _ = connection.hears(within: 20_000)
            case .afterRequest: _ = connection.readRequest()
            }
        }
    }

    /// The system's transport. On Linux, it is not URLSession, which sends a read again by itself there, or lets a connection that
    /// ends under a request end the process.
    private static func makeBank(_ server: RawServer, _ observations: Observations) async -> Bank {
        let session = Session()
        await session.begin(SessionTokens(access: "t"))
        let dispatcher = Dispatcher(transport: SystemTransport.make(), observers: [observations])
        return Bank(.init(url: server.url), on: dispatcher, session: session)
    }

    @Test(arguments: End.allCases)
    func sequentialReadsSucceed(end: End) async throws {
        let server = try Self.makeServer(end)
        let observations = Observations()
        let bank = await Self.makeBank(server, observations)
        // As many as the host's budget pays for, where each but the first is sent again.
        let count = end == .afterResponse ? 60 : 11
        var failures: [String] = []
        for number in 1...count {
            if case .failure(let failure) = await bank.result(of: Bank.GetAccount(accountID: number)) {
                failures.append("\(failure)")
            }
        }
        print(
            "\(end): \(failures.count) of \(count) reads failed, \(observations.pauses) paused, "
                + "\(observations.attempts - count) were sent again at once")
        #expect(failures.isEmpty, "\(failures.count) of \(count) failed: \(failures.prefix(3))")
        #expect(observations.pauses == 0)
        #expect(observations.mostAttempts <= 2)
        #expect(observations.transparentRetries == 0)
        #if os(Linux)
        // URLSession sends a read again by itself.
        if end != .afterResponse { #expect(observations.attempts == 2 * count - 1) }
        #endif
    }

    @Test(arguments: [End.onArrival, .afterRequest])
    func whatMayBeSentOnceIsNotSentTwice(end: End) async throws {
        let server = try Self.makeServer(end)
        let observations = Observations()
        let bank = await Self.makeBank(server, observations)
        for number in 1...10 {
            // It leaves a kept connection.
            _ = try await bank.getAccount(accountID: number)
            let result = await bank.result(of: Bank.OrderCard(accountID: number))
            switch result {
            case .failure(.unconfirmed): break
            // On a connection of its own, it gets a response, which is an account.
            case .failure(let failure): #expect(failure.context.name == "malformed", "\(failure)")
            case .success: Issue.record("a card from a response with an account")
            }
        }
        // Sending again takes no longer than this.
        try await Task.sleep(for: .milliseconds(50))
        let orders = server.requests.filter { $0.hasPrefix("POST ") }.map { $0.prefix { $0 != "\r\n" } }
        #expect(Set(orders).count == orders.count, "\(orders)")
        #expect(observations.pauses == 0)
    }
}
