import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// Two sessions on one file, as two processes have them: what one of them cannot renew is not its to end.
@Suite(.overSocketsToo) struct LeftToOthersTests {
    private let folder: SessionFolder
    /// Takes the token `new` only, and gives it for a refresh.
    private let transport = ScriptedTransport.scripted { request, _ in
        if request.url.hasSuffix("/refresh") { return .json(200, #"{"access":"new","refresh":"r2"}"#) }
        if request.url.hasSuffix("/accounts") || request.url.contains("/accounts?") {
            return request.headers["Authorization"] == "Bearer new" ? .json(200, noAccounts) : .json(401, "")
        }
        return request.url.hasSuffix("token=new") ? .json(200, "") : .json(401, "")
    }

    init() throws { folder = try SessionFolder() }

    private var file: FileSessionStore { FileSessionStore(path: folder.file) }
    private var kept: SessionTokens? { get async { await file.load() } }

    private func expectExpiry(_ bank: Bank) async {
        guard case .failure(.sessionExpired) = await bank.result(of: Bank.ListAccounts()) else {
            Issue.record("it has a session")
            return
        }
    }

    @Test func whatOnlyAnotherProcessCanRenewStays() async throws {
        var tokens = SessionTokens(access: "old", refresh: "r1")
        tokens.service = "Shop"
        await file.save(tokens)
        let bank = Bank.scripted(transport, session: Session(store: file))
        await expectExpiry(bank)
        await expectExpiry(bank)
        #expect(await kept == tokens)
        #expect(!transport.paths.contains("POST /refresh"))
        // Nothing in memory is lost either: the other process has only to do its part.
        try await shop(transport, Session(store: file)).send(Shop.Ping())
        #expect(await kept?.refresh == "r2")
        _ = try await bank.listAccounts()
        #expect(bank.binding.session.tokens?.access == "new")
        #expect(transport.paths.filter { $0 == "POST /refresh" }.count == 1)
    }

    @Test func aLoginThatNeverHappensTakesNothingFromTheOthers() async throws {
        var tokens = SessionTokens(access: "old", refresh: "r1")
        tokens.service = "Shop"
        await file.save(tokens)
        await expectExpiry(Bank.scripted(transport, session: Session(store: file) { () -> Bank.LogIn? in nil }))
        #expect(await kept == tokens)
    }

    @Test func whatNoProcessCanRenewIsForgotten() async throws {
        await file.save(SessionTokens(access: "old"))
        let bank = Bank.scripted(transport, session: Session(store: file))
        await expectExpiry(bank)
        #expect(bank.binding.session.tokens == nil)
        #expect(await kept == nil)
    }

    /// A late response for an old session does not affect the session that another process has begun since. It is another
    /// login, so the command that noticed the end belongs to the earlier one.
    @Test func theSessionThatAnotherProcessHasBegunIsTaken() async throws {
        await file.save(SessionTokens(access: "old"))
        let bank = Bank.scripted(transport, session: Session(store: file))
        #expect(await bank.binding.session.current().tokens?.access == "old")
        await Session(store: file).begin(SessionTokens(access: "new"))
        #expect(await bank.result(of: Bank.ListAccounts()).isSessionEnded)
        _ = try await bank.listAccounts()
        #expect(await kept?.access == "new")
    }

    /// The user logs in elsewhere while this process asks for a password.
    @Test func aLoginElsewhereOutlastsTheOneThatIsGivenUp() async throws {
        await file.save(SessionTokens(access: "old"))
        let file = file
        let session = Session(store: file) { () -> Bank.LogIn? in
            await Session(store: FileSessionStore(path: folder.file)).begin(SessionTokens(access: "new"))
            return nil
        }
        let bank = Bank.scripted(transport, session: session)
        #expect(await bank.result(of: Bank.ListAccounts()).isSessionEnded)
        _ = try await bank.listAccounts()
        #expect(session.tokens?.access == "new")
        #expect(await kept?.access == "new")
    }

    /// Another user has logged in elsewhere, which this process has not heard of: its own user logs out.
    @Test func aLogoutLeavesAnotherLoginInTheStore() async throws {
        let session = Session(store: file)
        await session.begin(SessionTokens(access: "old"))
        await Session(store: file).begin(SessionTokens(access: "new"))
        await session.end()
        #expect(session.tokens == nil)
        #expect(await kept?.access == "new")
        // What another process has renewed of the same login is removed.
        let (first, second) = (Session(store: file), Session(store: file))
        #expect(await first.current().tokens?.access == "new")
        _ = await second.current()
        await second.replaceTokens(SessionTokens(access: "newer"))
        await first.end()
        #expect(await kept == nil)
        // And so is another login of the same user.
        await first.begin(SessionTokens(access: "one", identity: "ada"))
        for (name, isKept) in [("eve", true), ("ada", false)] {
            await Session(store: file).begin(SessionTokens(access: "two", identity: name))
            await first.end()
            #expect((await kept == nil) == !isKept)
            await first.begin(SessionTokens(access: "one", identity: "ada"))
        }
    }

    /// The user logs out here, and another one logs in elsewhere before the server has responded. This process hears of it from
    /// the store.
    @Test func aLateLogoutEndsNoSessionThatAnotherProcessHasBegun() async throws {
        await file.save(SessionTokens(access: "old"))
        let meeting = Meeting()
        let leaving = ScriptedTransport.scripted { request, number throws(TransportFault) in
            if request.method == .delete {
                await meeting.hold()
                return .json(200, "")
            }
            return request.headers["Authorization"] == "Bearer new" ? .json(200, noAccounts) : .json(401, "")
        }
        let bank = Bank.scripted(leaving, session: Session(store: file))
        #expect(await bank.binding.session.current().tokens?.access == "old")
        async let logout = bank.result(of: Bank.LogOut())
        await meeting.met()
        await Session(store: file).begin(SessionTokens(access: "new"))
        #expect(await bank.result(of: Bank.ListAccounts()).isSessionEnded)
        #expect(bank.binding.session.tokens?.access == "new")
        meeting.release()
        _ = await logout
        #expect(bank.binding.session.tokens?.access == "new")
        #expect(await kept?.access == "new")
    }

    /// The store is told of a logout as soon as it can be. Until then it must not bring the session back.
    @Test func whatIsStillInTheStoreUndoesNoLogout() async throws {
        await file.save(SessionTokens(access: "new"))
        let session = Session(store: file) { () -> Bank.LogIn? in nil }
        let bank = Bank.scripted(transport, session: session)
        _ = try await bank.listAccounts()
        session.state.withLock { $0.end() }
        let start = session.basis
        #expect(!session.state.withLock { $0.adopt(SessionTokens(access: "new"), from: start) })
        await session.persist()
        #expect(session.state.withLock { $0.adopt(SessionTokens(access: "newer"), from: start) })
    }
}
