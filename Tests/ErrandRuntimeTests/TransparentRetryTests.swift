import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// What the server did not process is sent once more at once, and everything about it can be seen.
@Suite(.overSocketsToo) struct TransparentRetryTests {
    private static let refused = TransportFault(.lost, evidence: .unprocessed)

    /// Each attempt is sent a second time, and no more. That costs neither a token nor a pause.
    @Test func aSecondSendIsTheLastOfItsAttempt() async throws {
        let clock = InstantClock()
        let transport = ScriptedTransport.scripted { _, _ throws(TransportFault) in throw Self.refused }
        let result = await Bank.scripted(transport, clock: clock).result(of: Bank.ListAccounts())
        guard case .failure(let failure) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(failure.context.name == "connectionLost" && failure.context.attempts == 6)
        #expect(transport.requests.map(\.needsNewConnection) == [false, true, false, true, false, true])
        #expect(await clock.sleeps.count == 2)
    }

    @Test func whatIsRefusedOnceCostsNeitherTokensNorPauses() async throws {
        let clock = InstantClock()
        let transport = ScriptedTransport.scripted { request, _ throws(TransportFault) in
            guard request.needsNewConnection else { throw Self.refused }
            return .json(200, noAccounts)
        }
        let dispatcher = Dispatcher(transport: transport, environment: DispatcherEnvironment(clock: clock))
        let bank = Bank(on: dispatcher, session: Session(tokens: SessionTokens(access: "t")))
        for _ in 0..<30 { _ = try await bank.listAccounts() }
        #expect(transport.requests.map(\.needsNewConnection) == (0..<60).map { $0 % 2 == 1 })
        #expect(await clock.sleeps.isEmpty)
        // All ten tokens of the host are there.
        let host = try #require(Origin(transport.requests[0].url))
        #expect((0..<11).map { _ in dispatcher.budget.withdraw(for: host) } == (0..<11).map { $0 < 10 })
    }

    @Test func aRefusedOrderIsSentAgain() async throws {
        let transport = ScriptedTransport.scripted { _, number throws(TransportFault) in
            if number == 1 { throw Self.refused }
            return .json(
                200, #"{"data":{"id":1,"account":1,"kind":"D","lastDigits":"1234","validUntil":"2031-01-01"}}"#)
        }
        _ = try await Bank.scripted(transport).orderCard(accountID: 1)
        #expect(transport.requests.count == 2)
        let (refusing, clock) = (
            ScriptedTransport.scripted { _, _ throws(TransportFault) in throw Self.refused }, InstantClock()
        )
        let result = await Bank.scripted(refusing, clock: clock).result(of: Bank.OrderCard(accountID: 1))
        guard case .failure(let failure) = result else {
            Issue.record("\(result)")
            return
        }
        let context = failure.context
        #expect(context.name == "connectionLost" && context.applied == .never && context.evidence == .unprocessed)
        #expect(context.attempts == 6 && refusing.requests.count == 6)
    }

    /// After a pause, the next attempt may be sent a second time, too.
    @Test func observersSeeEachRequest() async throws {
        let transport = ScriptedTransport.scripted { _, number throws(TransportFault) in
            switch number {
            case 1, 4: throw Self.refused
            case 2: throw TransportFault(.lost, evidence: .sent)
            case 3: return .json(503, "")
            default: return .json(200, noAccounts)
            }
        }
        let lines = LockedState<[String]> { [] }
        let log = ConsoleLog { line in lines.withLock { $0.append(line) } }
        let dispatcher = Dispatcher(
            transport: transport, observers: [log], environment: DispatcherEnvironment(clock: InstantClock()))
        _ = await Bank(on: dispatcher, session: .begun).result(of: Bank.ListAccounts())
        let seen = lines.withLock { $0 }
        let starts = seen.filter { $0.contains(", GET ") }.map { $0.hasSuffix(", transparent retry") }
        #expect(starts == [false, true, false, false, true], "\(seen)")
        #expect(seen.last?.contains("succeeded after 5 attempts") == true, "\(seen)")
    }

    /// A redirect had a response, whatever becomes of the request that follows it.
    @Test func aRefusalOfTheTargetSaysNothingOfTheRedirect() async throws {
        let request = TransportRequest(method: .post, url: "https://bank.example/a", isRepeatable: false)
        do throws(TransportFault) {
            let transport = ScriptedTransport { hop, _ throws(TransportFault) in
                if hop.url.hasSuffix("/b") { throw Self.refused }
                return TransportResponse(status: 307, headers: ["Location": "/b"])
            }
            _ = try await request.sent(over: transport)
            Issue.record("it was answered")
        } catch {
            #expect(error.evidence == .sent && error.isRedirected)
        }
    }
}
