import BankClient
import ErrandRuntime
import Foundation
import TestSeeds
import TestServices
import Testing

/// One session for all: begun by itself, replaced once however many commands hit on its end.
@Suite(.serialized) struct BankSessionTests {
    @Test func twentyCommandsOnAnExpiredSessionLogInOnce() async throws {
        let service = try await BankService.start()
        let asked = Tally()
        let session = Session {
            await asked.add()
            return Bank.LogIn(user: "ada", password: "lovelace")
        }
        let bank = Bank(.init(url: service.url), on: .brisk(), session: session)
        #expect(try await bank.listAccounts().count == 4, "the first command logs in by itself")
        #expect(await asked.count == 1)
        await service.expireSessions()

        let results = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<10 {
                group.addTask { (try? await bank.getAccount(accountID: 1).id) == 1 }
                group.addTask { (try? await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 1)) != nil }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == Array(repeating: true, count: 20))
        #expect(await asked.count == 2)
        #expect(await service.logins == 2)
        #expect(await service.bookings.count == 10)
        #expect(await service.balance(of: 5) == Decimal(string: "90.25"))
        await service.end()
    }

    @Test func withoutALoginTheSessionEnds() async throws {
        let service = try await BankService.start()
        let session = Session()
        let bank = try await Bank.asAda(service, session: session)
        await service.expireSessions()
        let failure = try await bank.failure(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 1))
        guard case .shared(.sessionExpired(let context)) = failure else { throw Unexpected(failure) }
        failure.expect(
            WantedContext("sessionExpired", .requiresLogout, status: 401, code: "900000", says: "no session"))
        #expect(context.message == "You have been away for a while. Please log in again.")
        #expect(session.tokens == nil)
        await service.end()
    }

    @Test func aWrongPasswordAsksAgain() async throws {
        let service = try await BankService.start()
        let asked = Tally()
        let session = Session {
            await asked.add()
            return Bank.LogIn(user: "ada", password: await asked.count == 1 ? "typo" : "lovelace")
        }
        let bank = Bank(.init(url: service.url), on: .brisk(), session: session)
        #expect(try await bank.listAccounts().count == 4)
        #expect(await asked.count == 2)
        #expect(await service.requests(on: "POST /sessions").count == 2)
        await service.end()
    }

    @Test func aLoginThatNobodyWantsFailsAllThatWaited() async throws {
        let service = try await BankService.start()
        let (asked, dispatcher) = (Tally(), Dispatcher.brisk())
        let session = Session { () -> Bank.LogIn? in
            await asked.add()
            // A later command would ask again.
            while dispatcher.waiting.count(where: { $0.place == .session }) < 5 {
                try? await Task.sleep(for: .milliseconds(5))
            }
            return nil
        }
        let bank = Bank(.init(url: service.url), on: dispatcher, session: session)
        let names = await withTaskGroup(of: String.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    guard case .failure(let failure) = await bank.result(of: Bank.ListAccounts()) else {
                        return "success"
                    }
                    return failure.context.name
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(names == Array(repeating: "unauthenticated", count: 5))
        #expect(await asked.count == 1)
        #expect(await service.requests().isEmpty, "nothing is sent without a session")
        await service.end()
    }

    /// A server that responds with 401 to every session ends the command, instead of causing endless logins.
    @Test func aServerThatRefusesEverySessionIsNotAskedForEver() async throws {
        let service = try await BankService.start()
        let session = Session { Bank.LogIn(user: "ada", password: "lovelace") }
        let bank = Bank(.init(url: service.url), on: .brisk(), session: session)
        await service.script(.unauthorized, times: 50, on: "GET /accounts")
        let failure = try await bank.failure(of: Bank.ListAccounts())
        guard case .sessionExpired = failure else { throw Unexpected(failure) }
        #expect(await service.requests(on: "GET /accounts").count <= 4)
        #expect(await service.logins <= 4)
        await service.end()
    }

    @Test func aStoredSessionIsUsed() async throws {
        let service = try await BankService.start()
        let store = KeptTokens()
        _ = try await Bank.asAda(service, session: Session(store: store))
        #expect(await store.load() != nil)
        let later = Bank(.init(url: service.url), on: .brisk(), session: Session(store: store))
        #expect(try await later.listAccounts().count == 4)
        try await later.logOut()
        #expect(await store.load() == nil)
        await service.end()
    }
}

/// A stand-in for an app's keychain.
private actor KeptTokens: SessionStore {
    private var tokens: SessionTokens?
    func load() async -> SessionTokens? { tokens }
    func save(_ tokens: SessionTokens?) async { self.tokens = tokens }
}
