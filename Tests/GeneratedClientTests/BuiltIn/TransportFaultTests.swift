import BankClient
import ErrandRuntime
import Foundation
import TestServices
import Testing
import VideoClient

/// The built-in errors of connections that fail, each provoked on a socket.
@Suite(.serialized) struct TransportFaultTests {
    /// A client with a session, of a server that need not know it.
    private static func bank(at url: String, on dispatcher: Dispatcher = .brisk()) async -> Bank {
        let session = Session()
        await session.begin(SessionTokens(access: "t0ken-canary"))
        return Bank(.init(url: url), on: dispatcher, session: session)
    }

    @Test func refusedIsUnreachable() async throws {
        let port = try RefusingPort()
        let bank = await Self.bank(at: port.url)
        let failure = try await bank.fault(of: Bank.ListAccounts())
        #expect(failure.kind == .unreachable)
        failure.expect(
            WantedContext("unreachable", .retryable, status: nil, attempts: 3, evidence: .notSent),
            at: port.url + "/accounts?page=1")
        #expect((failure.context.underlying as? TransportFault)?.kind == .refused)
    }

    @Test func anUnknownNameIsUnreachable() async throws {
        let bank = await Self.bank(at: "http://no-such-host.invalid")
        let failure = try await bank.fault(of: Bank.OrderCard(accountID: 1))
        #expect(failure.kind == .unreachable && failure.context.applied == .never)
        #expect(failure.context.evidence == .notSent)
    }

    @Test(arguments: [
        WireFault.closeOnAccept, .closeAfterRequest, .resetAfterRequest,
        .closeMidBody(sent: 4, announced: 400),
        .resetMidBody(sent: 4, announced: 400), .closeMidChunks(chunks: ["{\"data\":", "["]),
    ])
    func aCutConnectionIsLost(fault: WireFault) async throws {
        let server = try await FaultServer(otherwise: fault)
        let bank = await Self.bank(at: server.url)
        let failure = try await bank.fault(of: Bank.ListAccounts())
        #expect(failure.kind == .connectionLost)
        failure.expect(WantedContext("connectionLost", .retryable, .never, status: nil, attempts: 3, evidence: .sent))
        await server.stop()
    }

    /// The reset comes before the request is written, or after.
    @Test func aResetOnAcceptIsToldTruly() async throws {
        let server = try await FaultServer(otherwise: .resetOnAccept)
        let bank = await Self.bank(at: server.url)
        let failure = try await bank.fault(of: Bank.ListAccounts())
        #expect([.connectionLost, .unreachable].contains(failure.kind) && failure.context.attempts == 3)
        if failure.kind == .connectionLost { #expect(failure.context.evidence == .sent) }
        if failure.context.evidence == .notSent { #expect(failure.context.applied == .never) }
        await server.stop()
    }

    @Test func aReadGoesOnWhereTheConnectionWasCut() async throws {
        let server = try await FaultServer(
            .closeAfterRequest, .closeMidBody(sent: 3, announced: 90), otherwise: .status(200, body: #"{"data":[]}"#))
        let bank = await Self.bank(at: server.url)
        #expect(try await bank.listAccounts().isEmpty)
        #expect(await server.requests.count == 3)
        await server.stop()
    }

    @Test(arguments: [WireFault.neverAnswer, .stallAfterHeader(announced: 50)])
    func silenceTimesOut(fault: WireFault) async throws {
        let server = try await FaultServer(otherwise: fault)
        // ten seconds of the contract are two
        let video = Video(.init(url: server.url), on: .hasty(times: 5))
        let url = try #require(URL(string: server.url + "/p.png"))
        let start = ContinuousClock.now
        let failure = try await video.fault(of: Video.LoadImage(imageURL: url))
        #expect(failure.kind == .timedOut)
        failure.expect(WantedContext("timedOut", .retryable, .never, status: nil, attempts: 3, evidence: .sent))
        #expect(ContinuousClock.now - start >= .milliseconds(5990), "three times ten seconds")
        #expect(await server.requests.count == 3)
        #expect(await server.waitForClientToClose(3))
        await server.stop()
    }

    /// Two attempts of twenty seconds leave twenty for the third, and none for a fourth.
    @Test func theDeadlineEndsARetry() async throws {
        let server = try await FaultServer(otherwise: .neverAnswer)
        let bank = await Self.bank(at: server.url, on: .hasty(times: 10, attempts: 100))
        let failure = try await bank.fault(of: Bank.ListAccounts())
        #expect(failure.kind == .timedOut && failure.context.category == .retryable)
        #expect((3...4).contains(await server.requests.count))
        await server.stop()
    }

    @Test func aLateAnswerIsNotWaitedFor() async throws {
        let server = try await FaultServer(
            .delay(.seconds(30), then: .status(200)), otherwise: .status(200, body: #"{"data":[]}"#))
        let bank = await Self.bank(at: server.url, on: .hasty(times: 10))
        #expect(try await bank.listAccounts().isEmpty)
        #expect(await server.requests.count == 2)
        await server.stop()
    }

    @Test func aSlowAnswerIsReadToItsEnd() async throws {
        let answer = WireAnswer(body: #"{"data":[],"error":null}"#)
        let server = try await FaultServer(otherwise: .slowBytes(answer, pause: .milliseconds(2)))
        let bank = await Self.bank(at: server.url)
        #expect(try await bank.listAccounts().isEmpty)
        #expect(await server.requests.count == 1)
        await server.stop()
    }

    @Test func bytesThatAreNoHTTP() async throws {
        let server = try await FaultServer(otherwise: .garbage("SSH-2.0-OpenSSH_9.6\r\n\r\n"))
        let bank = await Self.bank(at: server.url)
        let failure = try await bank.fault(of: Bank.ListAccounts())
        // what speaks another protocol is told as a loss or as unreadable, by the version of the system
        #expect([.connectionLost, .malformed].contains(failure.kind))
        #expect(failure.context.applied == .never && failure.context.evidence != .notSent)
        await server.stop()
    }

    @Test func bytesBehindTheBodyAreNotRead() async throws {
        let server = try await FaultServer(otherwise: .excessBody(body: #"{"data":[]}, and more"#, announced: 11))
        let bank = await Self.bank(at: server.url)
        #expect(try await bank.listAccounts().isEmpty)
        await server.stop()
    }

    @Test func moreThanTheLimitIsMalformed() async throws {
        let server = try await FaultServer(otherwise: .status(200, body: String(repeating: " ", count: 5000) + "{}"))
        let dispatcher = Dispatcher(settings: DispatcherSettings(maximumResponseSize: 4096))
        let bank = await Self.bank(at: server.url, on: dispatcher)
        let failure = try await bank.fault(of: Bank.ListAccounts())
        #expect(failure.kind == .malformed && failure.context.attempts == 1)
        await server.stop()
    }
}
