import BankClient
import ErrandRuntime
import Foundation
import TestServices
import Testing

/// Statuses that no row of a contract names end in the built-in errors, which cover all there are.
@Suite(.serialized) struct StatusTests {
    @Test func everyOtherStatusEndsSomewhereSafe() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        let wanted: [(Int, CommandFault.Kind, ErrorCategory, Int)] = [
            (400, .rejected, .nonRetryable, 1), (403, .rejected, .nonRetryable, 1),
            (404, .rejected, .nonRetryable, 1), (418, .rejected, .nonRetryable, 1),
            (429, .throttled, .retryable, 3), (499, .rejected, .nonRetryable, 1),
            (500, .serverFault, .nonRetryable, 1), (501, .serverFault, .nonRetryable, 1),
            (502, .unavailable, .retryable, 3), (504, .unavailable, .retryable, 3),
            (505, .serverFault, .nonRetryable, 1), (599, .serverFault, .nonRetryable, 1),
            (600, .serverFault, .nonRetryable, 1),
            (300, .malformed, .nonRetryable, 1), (304, .malformed, .nonRetryable, 1),
            (399, .malformed, .nonRetryable, 1),
        ]
        for (status, kind, category, attempts) in wanted {
            await service.forgetRequests()
            await service.script(.status(status), times: attempts, on: "GET /accounts")
            let failure = try await bank.fault(of: Bank.ListAccounts())
            #expect(failure.kind == kind, "status \(status)")
            failure.expect(WantedContext(kind.rawValue, category, .never, status: status, attempts: attempts))
            #expect(await service.requests().count == attempts, "status \(status)")
        }
        await service.end()
    }

    @Test func theServersOwnWordsComeAlong() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        for status in [400, 500] {
            await service.fail(code: 1234, status: status, on: "GET /accounts")
            let failure = try await bank.fault(of: Bank.ListAccounts())
            #expect(failure.context.code == "1234" && failure.context.serverMessage == "scripted")
        }
        await service.end()
    }

    @Test func aWaitIsAFloor() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        await service.script(.throttled(retryAfter: "1"), on: "GET /accounts")
        let start = ContinuousClock.now
        #expect(try await bank.listAccounts().count == 4)
        #expect(ContinuousClock.now - start >= .milliseconds(990))
        await service.end()
    }

    @Test func aWaitUntilADate() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        let headers = [("Retry-After", "Sun, 06 Nov 2044 08:49:39 GMT"), ("Date", "Sun, 06 Nov 2044 08:49:38 GMT")]
        await service.script(.answer(ServedAnswer(429, headers: headers)), on: "GET /accounts")
        let start = ContinuousClock.now
        #expect(try await bank.listAccounts().count == 4)
        #expect((.milliseconds(990)...(.seconds(40))).contains(ContinuousClock.now - start))
        await service.end()
    }

    @Test func aWaitPastTheDeadlineFailsAtOnce() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        for wait in ["61", "99999999999999999999", "Sun, 06 Nov 2094 08:49:37 GMT"] {
            await service.forgetRequests()
            await service.script(.throttled(retryAfter: wait), on: "GET /accounts")
            let start = ContinuousClock.now
            let failure = try await bank.fault(of: Bank.ListAccounts())
            #expect(failure.kind == .throttled && failure.context.attempts == 1)
            #expect(try #require(failure.context.retryAfter) > .seconds(60))
            #expect(ContinuousClock.now - start < .seconds(40))
            #expect(await service.requests().count == 1)
        }
        await service.end()
    }

    @Test(arguments: ["soon", "-1", "1.5", "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 31 Feb 2094 08:49:37 GMT+"])
    func aWaitThatIsNoneIsIgnored(text: String) async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        await service.script(.unavailable(retryAfter: text), on: "GET /accounts")
        #expect(try await bank.listAccounts().count == 4)
        await service.end()
    }

    /// A login carries no session, so its 401 is a refusal and starts no login.
    @Test func a401WithoutASessionIsARefusal() async throws {
        let service = try await BankService.start()
        let bank = Bank(.init(url: service.url), on: .brisk())
        await service.script(.unauthorized, on: "POST /sessions")
        let failure = try await bank.fault(of: Bank.LogIn(user: "ada", password: "lovelace"))
        #expect(failure.kind == .rejected && failure.category == .nonRetryable && failure.context.status == 401)
        await service.end()
    }

    /// A 401 with a challenge is an ordinary response: the system asks for no password.
    @Test(arguments: ["Basic realm=\"bank\"", "Bearer", "Digest realm=\"bank\", nonce=\"1\"", "Negotiate"])
    func a401WithAChallenge(challenge: String) async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        let answer = ServedAnswer(401, headers: [("WWW-Authenticate", challenge)], body: Array("{}".utf8))
        await service.script(.answer(answer), on: "GET /accounts")
        let failure = try await bank.failure(of: Bank.ListAccounts())
        guard case .sessionExpired(let context) = failure else { throw Unexpected(failure) }
        #expect(context.status == 401 && context.attempts == 1)
        await service.end()
    }

    /// In an outage the budget of the host ends the retries: ten, and no more until commands succeed again.
    @Test func anOutageIsNotMadeWorse() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        await service.script(.status(503), times: 1000, on: "GET /accounts")
        for _ in 0..<40 { _ = await bank.result(of: Bank.ListAccounts()) }
        let sends = await service.requests(on: "GET /accounts").count
        #expect((40...50).contains(sends), "\(sends) sends for 40 commands")
        await service.end()
    }
}
