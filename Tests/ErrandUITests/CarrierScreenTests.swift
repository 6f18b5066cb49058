import BankClient
import ErrandRuntime
import ErrandTesting
import PresenceClient
import Testing

@testable import ErrandUI

/// A screen cannot tell which carried its command: over a connection, it shows what it shows over HTTP.
@Suite @MainActor struct CarrierScreenTests {
    /// What a person sees, one after the other.
    private struct Course {
        var seen: [String] = []

        @MainActor mutating func note<Value>(_ window: ErrorHostModel, _ model: LoadModel<Value>) {
            var line = "\(window.screen)"
            if model.state.isLoading { line += ", loading" }
            if model.state.value != nil { line += ", content" }
            if let failure = model.state.failure { line += ", failed: \(failure.title). \(failure.message)" }
            if window.isLoginWanted { line += ", login above it" }
            if let shown = window.presentation {
                let buttons = shown.buttons.map { "\($0.action.rawValue) “\($0.title)”" }.joined(separator: ", ")
                line += ", \(shown.style) of \(shown.category): \(shown.title) [\(buttons)]"
            }
            seen.append(line)
        }
    }

    /// A button is chosen, and the presentation leaves the screen.
    private func choose(_ action: PresentationAction, in window: ErrorHostModel) {
        guard let shown = window.presentation else { return #expect(Bool(false), "nothing to choose from") }
        window.choose(action)
        window.didClose(shown.id)
    }

    /// A service that is down and comes back, a session that expires, and an error that only this command has.
    private func course<Client: ServiceClient, C: ErrandRuntime.Command>(
        _ type: C.Type, own error: (name: String, message: String), _ make: (Dispatcher, Session) -> Client,
        _ load: @escaping @Sendable (Client) async throws -> C.Response
    ) async throws -> [String] where C.Response: Sendable {
        let server = SimulatedServer(seed: 7)
        let presenter = ErrorPresenter()
        let session = Session()
        let settings = DispatcherSettings(retry: RetryRule(attempts: 1), messageTransport: server.messageTransport)
        let client = make(Dispatcher(transport: server, responder: presenter, settings: settings), session)
        server.accept(token: "first")
        await session.begin(SessionTokens(access: "first", identity: "1"))
        let window = ErrorHostModel(client)
        let running = Task { await window.run(showsLogin: true) }
        let model = LoadModel { try await load(client) }
        var course = Course()
        await becomes { window.screen == .content(identity: "1") }
        course.note(window, model)

        server.isDown = true
        let loading = Task { await model.appear() }
        await becomes { window.presentation != nil }
        course.note(window, model)
        choose(.dismiss, in: window)
        await loading.value
        course.note(window, model)

        server.isDown = false
        await model.retryFailed()
        course.note(window, model)

        server.expireSessions()
        let refreshing = Task { await model.refresh() }
        await becomes { window.presentation != nil }
        course.note(window, model)
        choose(.logIn, in: window)
        course.note(window, model)
        server.accept(token: "second")
        await session.begin(SessionTokens(access: "second", identity: "1"))
        await refreshing.value
        await becomes {
            window.screen == .content(identity: "1") && !window.isLoginWanted && window.presentation == nil
        }
        course.note(window, model)

        // What is the command's own is for the screen that has sent it.
        try server.fail(type, with: error.name, times: 1)
        await model.refresh()
        course.note(window, model)
        #expect(server.carriedOut(type).count == 2)
        running.cancel()
        await running.value
        return course.seen.map { $0.replacing(error.message, with: "the contract's text") }
    }

    @Test(.timeLimit(.minutes(1))) func aScreenShowsTheSameOverBoth() async throws {
        let overHTTP = try await course(Bank.GetAccount.self, own: ("noSuchAccount", "This account does not exist.")) {
            Bank(on: $0, session: $1)
        } _: {
            try await $0.getAccount(accountID: 7)
        }
        let overConnection = try await course(
            Presence.QueryInfo.self, own: ("noSuchUser", "This person is not here any more.")
        ) {
            Presence(on: $0, session: $1)
        } _: {
            try await $0.queryInfo(of: 7)
        }
        #expect(overHTTP == overConnection)
        #expect(overConnection.count == 8 && overConnection.count { $0.contains("content") } > 3, "\(overConnection)")
    }
}
