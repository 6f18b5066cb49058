import BankClient
import ErrandTesting
import Foundation
import TestSeeds
import Testing

@testable import ErrandRuntime

/// Answers that come when the session is another one.
@Suite(.timeLimit(.minutes(1)), .overSocketsToo) struct SessionRaceTests {
    private let token = TransportResponse.json(200, #"{"data":{"token":"late"}}"#)

    @Test func aLateLoginDoesNotUndoALogout() async throws {
        let meeting = Meeting()
        let token = token
        let bank = Bank.scripted(
            ScriptedTransport.scripted { _, _ in
                await meeting.hold()
                return token
            })
        async let login = bank.result(of: Bank.LogIn(user: "ada", password: "right"))
        await meeting.met()
        await bank.session.end()
        meeting.release()
        guard case .success = await login else {
            Issue.record("it failed")
            return
        }
        #expect(bank.session.tokens == nil)
    }

    /// A session that ends by itself isn't a logout: a user who is logging in meanwhile wants exactly that.
    @Test func anExpiryDoesNotUndoALogin() async throws {
        let meeting = Meeting()
        let token = token
        let bank = Bank.scripted(
            ScriptedTransport.scripted { request, _ in
                guard request.url.hasSuffix("/sessions") else { return .json(401, "") }
                await meeting.hold()
                return token
            })
        await bank.session.begin(SessionTokens(access: "stale"))
        async let login = bank.result(of: Bank.LogIn(user: "ada", password: "right"))
        await meeting.met()
        await bank.session.expire(bank.session.basis.generation)
        #expect(bank.session.tokens == nil)
        meeting.release()
        _ = await login
        #expect(bank.session.tokens?.access == "late")
    }

    @Test func aLateRefreshDoesNotUndoALogout() async throws {
        let meeting = Meeting()
        let shop = shop(
            ScriptedTransport.scripted { request, _ in
                guard request.url.hasSuffix("/refresh") else { return .json(401, "") }
                await meeting.hold()
                return .json(200, #"{"access":"late"}"#)
            })
        await shop.binding.session.begin(SessionTokens(access: "old", refresh: "r"))
        async let result = shop.result(of: Shop.Ping())
        await meeting.met()
        await shop.binding.session.end()
        meeting.release()
        guard case .failure(let fault) = await result else {
            Issue.record("it succeeded")
            return
        }
        #expect(fault.kind == .sessionEnded)
        #expect(shop.binding.session.tokens == nil)
    }

    /// And the command that waited for it belongs to the login before.
    @Test func aLateRefreshDoesNotReplaceALogin() async throws {
        let meeting = Meeting()
        let shop = shop(
            ScriptedTransport.scripted { request, _ in
                guard request.url.hasSuffix("/refresh") else {
                    return .json(request.url.hasSuffix("token=new") ? 200 : 401, "")
                }
                await meeting.hold()
                return .json(200, #"{"access":"late"}"#)
            })
        await shop.binding.session.begin(SessionTokens(access: "old", refresh: "r"))
        async let result = shop.result(of: Shop.Ping())
        await meeting.met()
        await shop.binding.session.begin(SessionTokens(access: "new"))
        meeting.release()
        guard case .failure(let fault) = await result else {
            Issue.record("it succeeded")
            return
        }
        #expect(fault.kind == .sessionEnded)
        #expect(shop.binding.session.tokens?.access == "new")
        #expect(shop.binding.session.tokens?.refresh == nil)
    }

    @Test func theLateAnswerToALogoutEndsNoNewerSession() async throws {
        let meeting = Meeting()
        let bank = Bank.scripted(
            ScriptedTransport.scripted { _, _ in
                await meeting.hold()
                return .json(200, "")
            })
        await bank.session.begin(SessionTokens(access: "old"))
        async let logout = bank.result(of: Bank.LogOut())
        await meeting.met()
        await bank.session.begin(SessionTokens(access: "new"))
        meeting.release()
        _ = await logout
        #expect(bank.session.tokens?.access == "new")
    }

    /// The login form was open when the app ended the session. That form is over, and later commands are asked anew.
    @Test func whoComesAfterALogoutIsAskedAnew() async throws {
        let meeting = Meeting()
        let asked = Tally()
        let session = Session { () -> Bank.LogIn? in
            if await asked.add() == 1 { await meeting.hold() }
            return Bank.LogIn(user: "ada", password: "right")
        }
        let transport = ScriptedTransport.scripted { request, number in
            .json(200, request.method == .post ? #"{"data":{"token":"t\#(number)"}}"# : noAccounts)
        }
        let bank = Bank.scripted(transport, session: session)
        async let before = bank.result(of: Bank.ListAccounts())
        await meeting.met()
        await session.end()
        async let after = bank.result(of: Bank.ListAccounts())
        try await Task.sleep(for: .milliseconds(50))
        meeting.release()
        guard case .failure(.fault(let fault)) = await before else {
            Issue.record("it succeeded")
            return
        }
        #expect(fault.kind == .unauthenticated)
        guard case .success = await after else {
            Issue.record("it failed")
            return
        }
        #expect(await asked.count == 2)
    }

    @Test func aRenewalThatIsNotNeededAnyMoreDoesNothing() async throws {
        let asked = Tally()
        let session = Session { () -> Bank.LogIn? in
            await asked.add()
            return nil
        }
        let renewal = SessionRenewal(id: 1, start: session.basis)
        session.state.withLock { $0.renewal = renewal }
        await session.begin(SessionTokens(access: "new"))
        await session.runRenewal(renewal)
        #expect(await asked.count == 0)
        #expect(session.tokens?.access == "new")
    }

    @Test func theStoreEndsWithTheSessionThereIs() async throws {
        actor SlowStore: SessionStore {
            let meeting = Meeting()
            private(set) var kept: [String?] = []
            func load() async -> SessionTokens? { nil }
            func save(_ tokens: SessionTokens?) async {
                if tokens?.access == "first" { await meeting.hold() }
                kept.append(tokens?.access)
            }
        }
        let store = SlowStore()
        let session = Session(store: store)
        async let first: Void = session.begin(SessionTokens(access: "first"))
        await store.meeting.met()
        async let second: Void = session.begin(SessionTokens(access: "second"))
        async let third: Void = session.end()
        try await Task.sleep(for: .milliseconds(50))
        #expect(await store.kept.isEmpty)
        store.meeting.release()
        _ = await (first, second, third)
        let kept = await store.kept
        #expect(kept.first == "first")
        #expect(kept.last.flatMap { $0 } == session.tokens?.access, "\(kept)")
    }
}
