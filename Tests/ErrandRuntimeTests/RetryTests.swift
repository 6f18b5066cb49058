import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

@Suite(.overSocketsToo) struct RetryTests {
    @Test func anOutageOfTwoAnswersIsInvisible() async throws {
        let clock = InstantClock()
        let transport = ScriptedTransport.scripted { _, number in
            number < 3 ? .json(503, "") : .json(200, noAccounts)
        }
        let accounts = try await Bank.scripted(transport, clock: clock).listAccounts()
        #expect(accounts.isEmpty)
        #expect(transport.requests.count == 3)
        let sleeps = await clock.sleeps
        #expect(sleeps.count == 2)
        #expect(sleeps[0] < .milliseconds(200) && sleeps[1] < .milliseconds(400))
    }

    @Test func itEndsAfterThreeAttemptsWithTheContractsError() async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(503, "") }
        do throws(Bank.Failure) {
            _ = try await Bank.scripted(transport).listAccounts()
        } catch .serviceUnavailable(let context) {
            #expect(context.attempts == 3)
            #expect(context.category == .retryable)
        } catch { Issue.record(error) }
        #expect(transport.requests.count == 3)
    }

    /// Keyed, and without a read that could confirm it.
    private static func order() throws -> Bank.OrderStanding {
        let firstOn = try #require(CalendarDate(year: 2030, month: 1, day: 1))
        return Bank.OrderStanding(iban: "DE02120300000000202051", amount: 5, every: .week, firstOn: firstOn)
    }

    @Test func aKeyIsKeptOverAllAttemptsAndEndsUnconfirmed() async throws {
        let transport = ScriptedTransport.scripted { _, _ throws(TransportFault) in
            throw TransportFault(.lost, evidence: .sent)
        }
        let order = try Self.order()
        do throws(Bank.WriteFailure) {
            _ = try await Bank.scripted(transport).send(order)
        } catch .unconfirmed(let receipt) {
            let keys = transport.requests.map { $0.headers["Idempotency-Key"] }
            #expect(keys.count == 3)
            #expect(Set(keys) == [receipt.idempotencyKey])
            #expect(receipt.cause.name == "connectionLost")
            #expect(receipt.context.name == "unconfirmed")
            #expect(receipt.context.applied == .maybe)
        } catch { Issue.record(error) }
    }

    @Test func commandsHaveDifferentKeys() async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(200, transferred) }
        let bank = Bank.scripted(transport)
        for _ in 0..<10 { _ = try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 5) }
        #expect(Set(transport.requests.map { $0.headers["Idempotency-Key"] }).count == 10)
    }

    @Test func anotherKeyedAttemptThatWasNotSentLeavesTheFirstOpen() async throws {
        let transport = ScriptedTransport.scripted { _, number throws(TransportFault) in
            throw TransportFault(number == 1 ? .lost : .refused, evidence: number == 1 ? .sent : .notSent)
        }
        let result = await Bank.scripted(transport)
            .result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 5))
        guard case .failure(.unconfirmed(let receipt)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(receipt.cause.name == "unreachable")
    }

    @Test func aConflictAfterALostAttemptIsAskedAgain() async throws {
        let transport = ScriptedTransport.scripted { _, number throws(TransportFault) in
            switch number {
            case 1: throw TransportFault(.lost, evidence: .sent)
            case 2: return .json(409, "")
            default: return .json(200, transferred)
            }
        }
        guard
            case .completed = try await Bank.scripted(transport)
                .transferFunds(fromAccount: 1, toAccount: 5, amount: 5)
        else {
            Issue.record("it did not complete")
            return
        }
        let alone = Bank.scripted(ScriptedTransport.scripted { _, _ in .json(409, "") })
        let result = await alone.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 5))
        guard case .failure(.shared(.fault(let fault))) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(fault.kind == .rejected)
    }

    /// The response to the second attempt does not apply to the third, which was never sent.
    @Test func anAttemptThatCannotBeSentSettlesNothing() async throws {
        let transport = ScriptedTransport.scripted { _, number throws(TransportFault) in
            if number == 1 { throw TransportFault(.lost, evidence: .sent) }
            return .json(429, "")
        }
        let numbers = LockedState<Int> { 0 }
        var bank = Bank.scripted(transport)
        bank.binding = ServiceBinding(
            Bank.service, server: Bank.Server.production.url, on: bank.binding.dispatcher,
            session: bank.session,
            common: { request in
                let number = numbers.withLock { number in
                    number += 1
                    return number
                }
                request.header("X-Number", number == 3 ? "\n" : "\(number)")
            })
        let order = try Self.order()
        let result = await bank.result(of: order)
        guard case .failure(.unconfirmed(let receipt)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(receipt.cause.name == "invalidRequest")
    }

    @Test func aWholeURLIsChargedToItsOwnHost() async throws {
        struct Load: ErrandRuntime.Command {
            typealias Service = Shop
            typealias Failure = CommandFault
            typealias Response = [UInt8]
            static let endpoint = EndpointDescription(
                Shop.service, "load", .get, effect: .read, response: .bytes)
            let url: URL
            func encode(into request: inout RequestEncoder) { request.wholeURL(url) }
        }
        let transport = ScriptedTransport.scripted { _, _ in .json(503, "") }
        let dispatcher = Dispatcher(
            transport: transport, environment: DispatcherEnvironment(clock: InstantClock()))
        let shop = Shop(on: dispatcher)
        let url = try #require(URL(string: "https://images.example/i.png"))
        for _ in 0..<20 { _ = await shop.result(of: Load(url: url)) }
        let (home, images) = (Origin("https://shop.example"), Origin("https://images.example"))
        #expect(dispatcher.budget.withdraw(for: try #require(home)))
        #expect(!dispatcher.budget.withdraw(for: try #require(images)))
    }

    /// A refused connection says that nothing arrived, unless a redirect led there.
    @Test func whatWasSentIsOpenWhateverEndedIt() async throws {
        let transport = ScriptedTransport.scripted { _, _ throws(TransportFault) in
            throw TransportFault(.refused, evidence: .sent)
        }
        let result = await Bank.scripted(transport, settings: DispatcherSettings(retry: .never))
            .result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 5))
        guard case .failure(.unconfirmed) = result else {
            Issue.record("\(result)")
            return
        }
    }

    @Test func retryAfterIsWaitedFor() async throws {
        let clock = InstantClock(advances: true)
        let transport = ScriptedTransport.scripted { _, number in
            number == 1 ? .json(429, "", ["Retry-After": "9"]) : .json(200, noAccounts)
        }
        _ = try await Bank.scripted(transport, clock: clock).listAccounts()
        #expect(await clock.sleeps == [.seconds(9)])
    }

    @Test func retryAfterPastTheDeadlineFailsAtOnce() async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(429, "", ["Retry-After": "61"]) }
        let result = await Bank.scripted(transport).result(of: Bank.ListAccounts())
        guard case .failure(.fault(let fault)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(fault.kind == .throttled)
        #expect(fault.context.retryAfter == .seconds(61))
        #expect(transport.requests.count == 1)
    }

    @Test func oneHostsOutageIsSparedByTheBudget() async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(503, "") }
        let bank = Bank.scripted(transport)
        for _ in 0..<100 { _ = await bank.result(of: Bank.ListAccounts()) }
        #expect(transport.requests.count <= 120)
    }

    @Test(.inMemoryOnly("the time is over before a socket is open"))
    func anAttemptThatTakesTooLongIsCancelled() async throws {
        // Time limits pass at once, and the transport hangs until it is cancelled.
        let clock = InstantClock(forever: .seconds(1_000))
        let transport = ScriptedTransport.scripted { _, _ throws(TransportFault) in
            do { try await Task.sleep(for: .seconds(100)) } catch {
                throw TransportFault(.cancelled, evidence: .sent)
            }
            throw TransportFault(.lost, evidence: .sent)
        }
        let bank = Bank.scripted(transport, clock: clock, settings: DispatcherSettings(retry: .never))
        let result = await bank.result(of: Bank.ListAccounts())
        guard case .failure(.fault(let fault)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(fault.kind == .timedOut)
        #expect(fault.context.evidence == .sent)
    }
}
