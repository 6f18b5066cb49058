import BankClient
import ErrandRuntime
import ErrandTesting
import Foundation
import ScreenModels
import Testing
import VideoClient

@testable import ErrandUI

/// The screens of the sample app: what they know and do, without a framework to draw them.
@Suite @MainActor struct ScreenTests {
    private let transport: ScriptedTransport
    private let server = LockedState<ScriptedServer> { ScriptedServer() }
    private let services: SampleServices

    private struct ScriptedServer: Sendable {
        var isDown = false
        var isExpired = false
        var feeds = 0
        var amounts: [String] = []
    }

    init() {
        let server = server
        transport = ScriptedTransport { (request, _) async throws(TransportFault) in
            if server.withLock({ $0.isDown }) { throw TransportFault(.refused, evidence: .notSent) }
            let body = String(decoding: request.body ?? [], as: UTF8.self)
            if request.url.hasSuffix("/sessions") {
                if body.contains("wrong") {
                    return Self.json(401, #"{"error":{"reason":"badCredentials"}}"#)
                }
                server.withLock { $0.isExpired = false }
                return Self.json(200, #"{"token":"t","viewer":1}"#)
            }
            if server.withLock({ $0.isExpired }) { return Self.json(401, "{}") }
            if request.url.contains("/feeds/") {
                server.withLock { $0.feeds += 1 }
                return Self.json(
                    200,
                    #"{"feed":{"title":"Popular","updated":"2026-01-01T00:00:00Z","entry":[],"startIndex":1,"total":0}}"#
                )
            }
            if body.contains("900") {
                return Self.json(422, #"{"error":{"code":900005,"messages":"Not that much."},"data":null}"#)
            }
            return Self.json(
                200,
                #"{"data":{"fromAccount":1,"toAccount":5,"amount":5,"confirmation":77,"booked":"2026-01-01T00:00:00Z"}}"#
            )
        }
        services = SampleServices { [transport] presenter in
            Dispatcher(
                transport: transport, responder: presenter, settings: DispatcherSettings(retry: RetryRule(attempts: 1)))
        }
    }

    private nonisolated static func json(_ status: Int, _ text: String) -> TransportResponse {
        TransportResponse(status: status, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
    }

    @Test(.timeLimit(.minutes(1))) func loginOrContentAsTheSessionSays() async {
        let window = ErrorHostModel(services.video)
        let running = Task { await window.run(showsLogin: true) }
        await becomes { window.screen == .login }
        let login = LoginModel(video: services.video)
        login.password = "wrong"
        login.email = "ada@example.org"
        await login.logIn(errors: window.reporter)
        #expect(login.hint == "The address or the password is wrong." && window.presentation == nil)
        login.password = "lovelace"
        await login.logIn(errors: window.reporter)
        await becomes { window.screen == .content(identity: "1") && window.logins == 1 }
        #expect(login.hint == nil)
        await services.video.binding.session.end()
        await becomes { window.screen == .login }
        running.cancel()
        await running.value
    }

    @Test(.timeLimit(.minutes(1))) func theFeedIsLoadedFailedRetriedAndRefreshed() async {
        await services.video.binding.session.begin(SessionTokens(access: "t"))
        let window = ErrorHostModel(services.video)
        let running = Task { await window.run() }
        let feed = LoadModel { [video = services.video] in try await video.getFeed(feedID: "popular") }
        server.withLock { $0.isDown = true }
        let loading = Task { await feed.appear() }
        await becomes { window.presentation?.name == "unreachable" }
        #expect(feed.state.isLoading && feed.state.value == nil)
        window.choose(.dismiss)
        await loading.value
        #expect(feed.state.failure?.message == "The server cannot be reached.")
        server.withLock { $0.isDown = false }
        await feed.retryFailed()
        #expect(feed.state.value?.title == "Popular" && feed.state.failure == nil)
        await feed.appear()
        #expect(server.withLock { $0.feeds } == 1, "what is there is not loaded again")
        server.withLock { $0.isDown = true }
        let refreshing = Task { await feed.refresh() }
        await becomes { feed.state.isLoading }
        #expect(feed.state.value != nil, "it stays on the screen")
        refreshing.cancel()
        await refreshing.value
        guard case .loaded = feed.state else { return #expect(Bool(false), "\(feed.state)") }
        running.cancel()
        await running.value
    }

    @Test(.timeLimit(.minutes(1))) func aScreenHandlesWhatIsItsOwnAndNothingElse() async {
        await services.bank.binding.session.begin(SessionTokens(access: "t"))
        let window = ErrorHostModel(services.bank)
        let running = Task { await window.run() }
        let transfer = TransferModel(bank: services.bank)
        transfer.amount = 900
        await transfer.send(errors: window.reporter)
        #expect(transfer.step == .editing && transfer.hint != nil && window.presentation == nil)
        transfer.amount = 5
        server.withLock { $0.isDown = true }
        let sending = Task { await transfer.send(errors: window.reporter) }
        await becomes { window.presentation != nil }
        await transfer.send(errors: window.reporter)
        #expect(transfer.step == .sending, "a second tap does nothing")
        server.withLock { $0.isDown = false }
        window.choose(.retry)
        await sending.value
        #expect(transfer.step == .booked(confirmation: 77) && window.presentation == nil)
        running.cancel()
        await running.value
    }

    /// The tokens name no user, so all logins look the same but for their number.
    @Test(.timeLimit(.minutes(1))) func anotherLoginGetsContentOfItsOwn() async throws {
        let session = services.video.binding.session
        await session.begin(SessionTokens(access: "ada"))
        let window = ErrorHostModel(services.video)
        let running = Task { await window.run(showsLogin: true) }
        await becomes { window.screen == .content(identity: nil) }
        #expect(window.replacements == 0)
        await session.replaceTokens(SessionTokens(access: "ada, renewed"))
        await session.begin(SessionTokens(access: "bob"))
        await becomes { window.replacements == 1 }
        await session.end()
        await becomes { window.screen == .login }
        await session.begin(SessionTokens(access: "eve"))
        await becomes { window.screen == .content(identity: nil) }
        #expect(window.replacements == 1, "the login screen was between the two contents")
        // The session of eve has expired, and her content is below the login screen. Its form is the app's own, so it may be anyone.
        server.withLock { $0.isExpired = true }
        let feed = Task { try? await services.video.getFeed(feedID: "popular") }
        await becomes { window.presentation != nil }
        await session.begin(SessionTokens(access: "dan"))
        await becomes { window.replacements == 2 }
        #expect(await feed.value == nil)
        running.cancel()
        await running.value
    }

    @Test(.timeLimit(.minutes(1))) func twoWindowsAndALoginInOneOfThem() async throws {
        await services.video.binding.session.begin(SessionTokens(access: "t"))
        let windows = [ErrorHostModel(services.video), ErrorHostModel(services.video)]
        let running = windows.map { window in Task { await window.run(showsLogin: true) } }
        await becomes { windows.allSatisfy { $0.screen == .content(identity: nil) } }
        windows[1].activate()
        server.withLock { $0.isExpired = true }
        let feed = LoadModel { [video = services.video] in try await video.getFeed(feedID: "popular") }
        let loading = Task { await feed.appear() }
        await becomes { windows[1].presentation != nil }
        #expect(windows[0].presentation == nil && windows[1].presentation?.buttons.first?.action == .logIn)
        guard let alert = windows[1].presentation else { return }
        windows[1].choose(.logIn)
        #expect(!windows[1].isLoginWanted && windows[1].presentation == nil, "the alert is still being dismissed")
        windows[1].didClose(alert.id)
        #expect(windows[1].isLoginWanted && !windows[0].isLoginWanted)
        // The content is still there, below the login screen.
        #expect(windows[1].screen == .content(identity: nil))
        let login = LoginModel(video: windows[1].loginClient(services.video))
        login.email = "ada@example.org"
        login.password = "lovelace"
        await login.logIn(errors: windows[1].reporter)
        await loading.value
        #expect(feed.state.value?.title == "Popular")
        await becomes { windows.allSatisfy { !$0.isLoginWanted && $0.presentation == nil } }
        for task in running {
            task.cancel()
            await task.value
        }
    }

    /// SwiftUI begins the task of the view that comes before it cancels that of the view that goes.
    @Test(.timeLimit(.minutes(1))) func aWindowWhoseViewIsReplacedStillShowsErrors() async {
        let window = ErrorHostModel(services.bank)
        let replaced = Task { await window.run() }
        await becomes { window.screen == .login }
        let running = Task { await window.run() }
        for _ in 1...20 { await Task.yield() }
        replaced.cancel()
        await end(of: replaced)
        let report = Task { await window.reporter.report(CommandFault(.rejected)) }
        await until { window.presentation?.name == "rejected" }
        #expect(window.presentation != nil)
        if let id = window.presentation?.id { window.dismiss(id) }
        #expect(window.presentation == nil, "its buttons do nothing")
        report.cancel()
        _ = await report.value
        running.cancel()
        await end(of: running)
    }

    @Test(.timeLimit(.minutes(1))) func aDispatcherWithoutAPresenterShowsWhatIsReported() async {
        let bank = Bank(on: Dispatcher(transport: transport))
        let window = ErrorHostModel(bank)
        let running = Task { await window.run() }
        await becomes { window.screen == .login }
        let report = Task { await window.reporter.report(CommandFault(.rejected)) }
        await becomes { window.presentation?.name == "rejected" }
        if let id = window.presentation?.id { window.dismiss(id) }
        #expect(await report.value == .fail)
        running.cancel()
        await running.value
    }

    // MARK: Loading

    @Test func whatIsLateIsDropped() {
        var steps = LoadSteps<Int>()
        let (first, second) = (steps.begin(), steps.begin())
        steps.finish(second, 2)
        steps.finish(first, 1)
        #expect(steps.state.value == 2)
        let third = steps.begin()
        steps.cancel(first)
        #expect(steps.state.isLoading && steps.state.value == 2)
        steps.fail(third, LoadFailure(CommandFault(.timedOut), PresentationTexts(languages: ["de"]), ErrorCategories()))
        #expect(steps.state.value == 2 && steps.state.failure?.title == "Unterbrochen")
    }

    // MARK: The chain

    private final class Link: ErrorHandlingResponder {
        let answer: IncidentAnswer
        var asked = 0
        init(_ answer: IncidentAnswer) { self.answer = answer }
        func handle(_ incident: Incident) async -> IncidentAnswer {
            asked += 1
            return answer
        }
    }

    @Test func theChainIsAskedUpwardUntilOneHandles() async {
        let links = [Link(.pass), Link(.handled), Link(.retry)]
        let chain = ErrorChain { links }
        let bank = services.bank
        let answer = await ErrorReporter(bank).handling(chain).report(CommandFault(.rejected))
        #expect(answer == .fail && links.map(\.asked) == [1, 1, 0])
    }

    @Test func theScreenFollowsThePhases() {
        let undecided = SessionScreen.undecided
        #expect(undecided.following(.loggedOut) == .login)
        #expect(undecided.following(.expired(identity: "7")) == .content(identity: "7"))
        #expect(SessionScreen.login.following(.renewing(identity: nil)) == .login)
        #expect(SessionScreen.content(identity: "7").following(.expired(identity: "7")) == .content(identity: "7"))
        #expect(SessionScreen.content(identity: "7").following(.loggedIn(identity: "8")) == .content(identity: "8"))
    }
}
