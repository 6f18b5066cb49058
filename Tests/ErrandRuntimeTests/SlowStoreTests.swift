import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// A store takes its time. A cancelled command does not wait for it.
@Suite(.timeLimit(.minutes(1)), .overSocketsToo) struct SlowStoreTests {
    private actor Store: SessionStore {
        let loading = Meeting()
        let saving = Meeting()
        private(set) var kept: SessionTokens?
        func load() async -> SessionTokens? {
            // Not ended by a cancellation.
            await Task { await self.loading.hold() }.value
            return SessionTokens(access: "kept")
        }
        func save(_ tokens: SessionTokens?) async {
            await Task { await self.saving.hold() }.value
            kept = tokens
        }
    }

    private let store = Store()

    @Test func aCancelledLoginDoesNotWaitForTheStore() async throws {
        let session = Session(store: store)
        let transport = ScriptedTransport.scripted { request, _ in
            IdentifiedLogIn.answer(to: request) ?? .json(200, noAccounts)
        }
        let bank = Bank.scripted(transport, session: session)
        let login = Task { await bank.result(of: IdentifiedLogIn(token: "new")) }
        await store.saving.met()
        // Others go on with the session meanwhile.
        guard case .success = await bank.result(of: Bank.ListAccounts()) else {
            Issue.record("it failed")
            return
        }
        login.cancel()
        guard case .success = await login.value else {
            Issue.record("the login failed")
            return
        }
        #expect(await store.kept == nil)
        // It is kept nevertheless.
        store.saving.release()
        await until { await store.kept?.access == "new" }
    }

    @Test func loadingCanBeCancelled() async throws {
        let session = Session(store: store)
        let bank = Bank.scripted(ScriptedTransport.scripted { _, _ in .json(200, noAccounts) }, session: session)
        let command = Task { await bank.result(of: Bank.ListAccounts()) }
        await store.loading.met()
        command.cancel()
        guard case .failure(.fault(let fault)) = await command.value else {
            Issue.record("it succeeded")
            return
        }
        #expect(fault.kind == .cancelled)
        // A later command gets what is loaded.
        store.loading.release()
        guard case .success = await bank.result(of: Bank.ListAccounts()) else {
            Issue.record("it failed")
            return
        }
        #expect(session.tokens?.access == "kept")
    }

    /// A store that never answers costs the session's safety, not the app's commands.
    @Test func aStoreThatNeverAnswersHoldsUpNoLoginForGood() async throws {
        let clock = SteppedClock()
        let session = Session(store: store)
        let transport = ScriptedTransport.scripted { request, _ in
            IdentifiedLogIn.answer(to: request) ?? .json(200, noAccounts)
        }
        let bank = Bank(
            on: Dispatcher(
                transport: transport, settings: DispatcherSettings(patience: .seconds(60)),
                environment: DispatcherEnvironment(clock: clock)),
            session: session)
        let login = Task { await bank.result(of: IdentifiedLogIn(token: "new")) }
        await store.saving.met()
        let passing = Task {
            while !Task.isCancelled {
                clock.pass(.seconds(1))
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
        guard case .success = await login.value else {
            Issue.record("the login failed")
            return
        }
        passing.cancel()
        guard case .success = await bank.result(of: Bank.ListAccounts()) else {
            Issue.record("it failed")
            return
        }
        store.saving.release()
        await until { await store.kept?.access == "new" }
    }
}
