import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

@Suite(.overSocketsToo) struct CommandTests {
    @Test func aTransferCompletes() async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(200, transferred) }
        let bank = Bank.scripted(transport)
        await bank.session.begin(SessionTokens(access: "t0ken"))
        let response = try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 500)
        guard case .completed(let transfer) = response else {
            Issue.record("outcome")
            return
        }
        #expect(transfer.confirmation == 232_348_844)
        let request = try #require(transport.requests.first)
        #expect(request.url == "https://api.bank.example/v1/transfers")
        #expect(request.headers["authorization"] == "Bearer t0ken")
        #expect(request.headers["Content-Type"] == "application/json")
        #expect(request.headers["Idempotency-Key"]?.count == 36)
        let body = String(decoding: request.body ?? [], as: UTF8.self)
        #expect(body == #"{"fromAccount":1,"toAccount":5,"amount":500}"#)
    }

    @Test func aDeclaredErrorComesWithItsData() async throws {
        let transport = ScriptedTransport.scripted { _, _ in
            .json(422, #"{"error":{"code":900005,"messages":["No","money"]},"data":{"fromAccount":1,"amount":7.5}}"#)
        }
        let bank = Bank.scripted(transport)
        do throws(Bank.TransferFundsFailure) {
            _ = try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 500)
            Issue.record("it succeeded")
        } catch .insufficientFunds(let details) {
            #expect(details.data?.amount == Decimal(string: "7.5"))
            #expect(details.status == 422)
            #expect(details.code == "900005")
            #expect(details.serverMessage == "No\nmoney")
            #expect(details.message == "There is not enough money in this account.")
            #expect(details.category == .nonRetryable)
            #expect(details.attempts == 1)
        } catch {
            Issue.record(error)
        }
    }

    @Test(arguments: [#"{"error":{"code":"900005"},"data":[]}"#, #"{"error":{"code":"900005"}}"#])
    func aMisfitKeepsTheErrorAndLosesItsData(body: String) async throws {
        let bank = Bank.scripted(ScriptedTransport.scripted { _, _ in .json(200, body) })
        let result = await bank.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 2, amount: 3))
        guard case .failure(.insufficientFunds(let details)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(details.data == nil)
    }

    @Test func anOutcomeIsNoFailure() async throws {
        let bank = Bank.scripted(
            ScriptedTransport.scripted { _, _ in
                .json(200, #"{"error":{"code":900120,"messages":"wait"},"data":{"approver":"Bob"}}"#)
            })
        let reply = try await bank.reply(to: Bank.TransferFunds(fromAccount: 1, toAccount: 2, amount: 3))
        guard case .needsApproval(let data) = reply.value else {
            Issue.record("completed")
            return
        }
        #expect(data?.approver == "Bob")
        #expect(reply.message == "wait")
        #expect(reply.code == "900120")
        #expect(reply.status == 200)
    }

    /// A read with an outcome whose data is a list without the elements that do not fit.
    private struct CountAccounts: OutcomeCommand {
        typealias Service = Bank
        typealias Failure = Bank.Failure
        enum Response {
            case completed
            case partly([Int]?)
        }
        static let endpoint = EndpointDescription(
            Bank.service, "countAccounts", .get, effect: .read, session: .optional,
            table: [.outcome("partly", status: 203)])
        func encode(into request: inout RequestEncoder) { request.path("/counts") }
        static func load(from reader: inout JSONReader) -> Response? {
            reader.skipValue()
            return .completed
        }
        static func outcome(_ name: DeclaredName, _ match: ErrorMatch) -> Response? {
            name == "partly" ? .partly(match.data { $0.readArraySkippingInvalid { $0.readInt() } }) : nil
        }
    }

    @Test func whatTheDataOfAnOutcomeLeavesOutIsReported() async throws {
        let bank = Bank.scripted(ScriptedTransport.scripted { _, _ in .json(203, #"[1,"x",3]"#) })
        let reply = try await bank.reply(to: CountAccounts())
        guard case .partly(let data) = reply.value else {
            Issue.record("completed")
            return
        }
        #expect(data == [1, 3])
        #expect(reply.skipped.map(\.path) == ["$[1]"] && reply.skippedCount == 1)
    }

    @Test func aListIsRead() async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(200, oneAccount) }
        let accounts = try await Bank.scripted(transport).listAccounts(status: .frozen)
        #expect(accounts.first?.status == .frozen)
        #expect(transport.requests.first?.url.hasSuffix("/accounts?status=frozen&page=1") == true)
        #expect(!"\(accounts)".contains("Ada"))
    }

    @Test func aBrokenConstraintSendsNothing() async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(200, transferred) }
        let bank = Bank.scripted(transport)
        do throws(Bank.TransferFundsFailure) {
            _ = try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 1_000_001)
        } catch .shared(.fault(let fault)) {
            #expect(fault.kind == .invalidRequest)
            #expect(fault.context.brokenFields == [BrokenField(name: "amount", reason: "must be in 0.01...1000000")])
            #expect(fault.context.evidence == .notSent)
        } catch { Issue.record(error) }
        #expect(transport.requests.isEmpty)
    }

    static let builtIns: [(Int, String, CommandFault.Kind)] = [
        (403, "", .rejected), (404, "{}", .rejected), (429, "{}", .throttled),
        (500, "oops", .serverFault), (501, "", .serverFault), (599, "", .serverFault),
        (200, #"{"error":{"code":1}}"#, .rejected), (200, #"{"data":{"id":1}}"#, .malformed),
        (200, "<html>", .malformed), (200, "", .malformed), (302, "", .malformed),
    ]

    @Test(.inMemoryOnly("`URLSession` does not hand it out"))
    func aSwitchOfProtocolsEndsSomewhere() async {
        await everyAnswerEndsSomewhere(status: 101, body: "", kind: .malformed)
    }

    @Test(arguments: builtIns)
    func everyAnswerEndsSomewhere(status: Int, body: String, kind: CommandFault.Kind) async {
        let settings = DispatcherSettings(retry: .never)
        let transport = ScriptedTransport.scripted { _, _ in .json(status, body) }
        let result = await Bank.scripted(transport, settings: settings).result(of: Bank.ListAccounts())
        guard case .failure(.fault(let fault)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(fault.kind == kind)
        #expect(fault.category == kind.category)
    }

    @Test func malformedSaysWhere() async {
        let body = #"{"data":[{"id":"x"}]}"#
        let transport = ScriptedTransport.scripted { _, _ in .json(200, body) }
        let result = await Bank.scripted(transport).result(of: Bank.ListAccounts())
        guard case .failure(.fault(let fault)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(fault.context.decodingError?.path == "$.data[0].id")
        #expect(fault.context.decodingError?.byteOffset == 15)
    }

    static let transportFaults: [(TransportFault.Kind, CommandFault.Kind)] = [
        (.offline, .offline), (.dns, .unreachable), (.refused, .unreachable), (.lost, .connectionLost),
        (.timeout, .timedOut), (.tls, .insecure), (.authentication, .unauthenticated),
        (.oversized, .malformed), (.unreadable, .malformed), (.requestBody, .invalidRequest),
        (.storageFull, .localStorageFull), (.storage, .localFault),
    ]

    @Test(arguments: transportFaults)
    func everyTransportFaultHasItsError(kind: TransportFault.Kind, wanted: CommandFault.Kind) async {
        let transport = ScriptedTransport.scripted { _, _ throws(TransportFault) in
            throw TransportFault(kind, evidence: .notSent)
        }
        let settings = DispatcherSettings(retry: .never)
        let result = await Bank.scripted(transport, settings: settings).result(of: Bank.ListAccounts())
        guard case .failure(.fault(let fault)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(fault.kind == wanted)
        #expect(fault.context.applied == .never)
        #expect(ErrorCategory(of: Bank.Failure.fault(fault)) == fault.category)
    }

    @Test func otherErrorsAreNotRetryable() {
        struct Other: Error {}
        #expect(ErrorCategory(of: Other()) == .nonRetryable)
    }
}

extension Bank {
    var session: Session { binding.session }
}
