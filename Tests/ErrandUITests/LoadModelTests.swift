import BankClient
import ErrandRuntime
import ErrandTesting
import Testing

@testable import ErrandUI

/// The model of a screen's content: one load at a time, and the last one counts.
@Suite(.timeLimit(.minutes(1))) @MainActor struct LoadModelTests {
    private let loads = ScriptedLoads()
    private let model: LoadModel<Int>

    init() { model = LoadModel { [loads] in try await loads.load() } }

    /// A model that has loaded something, by its first load.
    private func loadFirst() async {
        let loading = Task { await model.refresh() }
        await until { loads.count == 1 }
        loads.answer(1)
        await end(of: loading)
    }

    /// Refreshes, each of which begins when the load before it is under way: loads on several threads have no order.
    private func refreshInTurn(_ count: Int) async -> [Task<Void, Never>] {
        var refreshes: [Task<Void, Never>] = []
        for _ in 0..<count {
            let begun = loads.count
            refreshes.append(Task { await model.refresh() })
            await until { loads.count == begun + 1 }
        }
        return refreshes
    }

    @Test func aRefreshCancelsTheLoadBeforeIt() async {
        let first = Task { await model.refresh() }
        await until { loads.count == 1 }
        let second = Task { await model.refresh() }
        await until { loads.count == 2 }
        await until { loads.ended == [1] }
        #expect(loads.cancelled == [1], "the request that no longer counts is still under way")
        #expect(model.state.isLoading, "the cancelled load shows nothing")
        loads.answer(2)
        await end(of: second)
        await end(of: first)
        #expect(model.state.value == 2 && !model.state.isLoading)
    }

    /// A load of the app's own may go on when it is cancelled.
    @Test func anOlderAnswerNeverReplacesANewerOne() async {
        let loads = ScriptedLoads { _ in false }
        let model = LoadModel { try await loads.load() }
        let first = Task { await model.refresh() }
        await until { loads.count == 1 }
        let second = Task { await model.refresh() }
        await until { loads.count == 2 }
        loads.answer(2)
        await end(of: second)
        loads.fail(1)
        await end(of: first)
        await until { loads.ended == [1, 2] }
        #expect(model.state.value == 2 && model.state.failure == nil)
    }

    /// Who waits for a refresh that another one replaces waits for that one: the screen shows its content when the wait is over.
    @Test func aReplacedRefreshEndsWithTheOneThatReplacesIt() async {
        var ended: [String] = []
        let first = Task {
            await model.refresh()
            ended.append("first, \(model.state.value ?? 0)")
        }
        await until { loads.count == 1 }
        let second = Task { await model.refresh() }
        await until { loads.count == 2 }
        await until { loads.ended == [1] }
        #expect(ended.isEmpty)
        loads.answer(2)
        await end(of: first)
        await end(of: second)
        #expect(ended == ["first, 2"])
    }

    @Test func aReplacedLoadDoesNotFlicker() async {
        await loadFirst()
        let drawings = Drawings { [model] in "\(model.state)" }
        let refreshes = await refreshInTurn(3)
        await until { loads.ended.count == 3 }
        loads.answer(4)
        for refresh in refreshes { await end(of: refresh) }
        await until { drawings.all.count >= 3 }
        #expect(drawings.all == ["loaded(1)", "refreshing(1)", "loaded(4)"])
    }

    @Test func severalViewsThatAppearShareOneLoad() async {
        let views = (1...3).map { _ in Task { await model.appear() } }
        await until { loads.count >= 1 }
        views[0].cancel()
        await end(of: views[0])
        loads.answer(1)
        for view in views { await end(of: view) }
        #expect(loads.count == 1 && model.state.value == 1, "each view has sent a request of its own")
    }

    /// Nothing waits for it any more.
    @Test func theLastOneWhoLeavesEndsTheLoad() async {
        await loadFirst()
        let refreshes = await refreshInTurn(2)
        refreshes[1].cancel()
        await end(of: refreshes[1])
        #expect(model.state.isLoading && !loads.cancelled.contains(3), "the other view still waits")
        refreshes[0].cancel()
        await end(of: refreshes[0])
        await until { loads.ended.count == 3 }
        #expect(loads.cancelled.contains(3))
        guard case .loaded(1) = model.state else { return #expect(Bool(false), "\(model.state)") }
    }

    /// The failure is still the last that is known.
    @Test func aCancelledRetryShowsTheFailureAgain() async {
        let loading = Task { await model.appear() }
        await until { loads.count == 1 }
        loads.fail(1)
        await end(of: loading)
        let retry = Task { await model.refresh() }
        await until { loads.count == 2 }
        #expect(model.state.failure == nil && model.state.isLoading)
        retry.cancel()
        await end(of: retry)
        #expect(model.state.failure != nil, "a progress view turns for ever: \(model.state)")
    }

    /// Its own `CancellationError`, for instance of a task that the app has cancelled elsewhere.
    @Test func aFirstLoadThatEndsItselfCanBeTriedAgain() async {
        let loading = Task { await model.appear() }
        await until { loads.count == 1 }
        loads.fail(1, CancellationError())
        await end(of: loading)
        #expect(model.state.failure != nil, "a progress view turns for ever: \(model.state)")
        let again = Task { await model.appear() }
        await until { loads.count == 2 }
        loads.answer(2)
        await end(of: again)
        #expect(model.state.value == 2)
    }

    @Test func aTaskThatIsCancelledAlreadyLoadsNothing() async {
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await model.refresh()
        }
        await end(of: late)
        #expect(loads.count == 0)
        guard case .loading = model.state else { return #expect(Bool(false), "\(model.state)") }
    }

    /// A command of the load ends on the wire, and the presenter says nothing of it.
    @Test func aReplacedCommandEndsOnTheWireAndIsNotShown() async throws {
        let held = Suspension<Void>()
        let ended = LockedState<[Int]> { [] }
        let transport = ScriptedTransport { (_, number) async throws(TransportFault) in
            if number == 1 {
                await held.value(ifCancelled: ())
                ended.withLock { $0.append(number) }
                throw TransportFault(.cancelled, evidence: .sent)
            }
            return .json(#"{"data":[]}"#)
        }
        let presenter = ErrorPresenter()
        let host = presenter.attach()
        let bank = Bank(on: Dispatcher(transport: transport, responder: presenter))
        await bank.binding.session.begin(SessionTokens(access: "t"))
        let model = LoadModel { try await bank.listAccounts() }
        let first = Task { await model.refresh() }
        await until { transport.requests.count == 1 }
        await model.refresh()
        #expect(model.state.value?.isEmpty == true)
        await end(of: first)
        await until { ended.withLock { $0 } == [1] }
        #expect(ended.withLock { $0 } == [1], "the first request is still under way")
        #expect(host.state.presentation == nil && presenter.waitingCount == 0)
        #expect(model.state.failure == nil && !model.state.isLoading)
        held.end(())
    }
}

/// A load and the views that show it.
@Suite(.timeLimit(.minutes(1))) @MainActor struct LoadModelViewTests {
    private let loads = ScriptedLoads()

    /// SwiftUI cancels the task of a `.refreshable` when the state that it changes draws the view again.
    @Test func aPulledRefreshGoesOnWithoutItsTask() async {
        let model = LoadModel { [loads] in try await loads.load() }
        let view = Task { await model.run() }
        await until { loads.count == 1 }
        loads.answer(1)
        await becomes { model.state.value == 1 && !model.state.isLoading }
        let pull = Task { await model.refresh() }
        await until { loads.count == 2 }
        pull.cancel()
        await end(of: pull)
        #expect(loads.cancelled.isEmpty && model.state.isLoading, "the view still wants it")
        loads.answer(2)
        await becomes { model.state.value == 2 }
        view.cancel()
        await end(of: view)
        #expect(model.state.value == 2)
    }

    @Test func aLoadEndsWithTheLastViewThatShowsIt() async {
        let model = LoadModel { [loads] in try await loads.load() }
        let views = [Task { await model.run() }, Task { await model.run() }]
        await until { loads.count == 1 }
        views[0].cancel()
        await end(of: views[0])
        #expect(loads.cancelled.isEmpty && loads.count == 1)
        views[1].cancel()
        await end(of: views[1])
        await until { loads.ended == [1] }
        #expect(loads.cancelled == [1])
        // It comes back, and begins anew.
        let again = Task { await model.run() }
        await until { loads.count == 2 }
        loads.answer(2)
        await becomes { model.state.value == 2 }
        again.cancel()
        await end(of: again)
    }

    /// A screen with a failure has a button, and does not begin anew by itself.
    @Test func aFailureStaysUntilItsButtonIsChosen() async {
        let model = LoadModel { [loads] in try await loads.load() }
        let view = Task { await model.run() }
        await until { loads.count == 1 }
        loads.fail(1)
        await becomes { model.state.failure != nil }
        #expect(loads.count == 1)
        model.beginRefresh()
        await until { loads.count == 2 }
        model.beginRefresh()
        await until { loads.count == 3 && loads.ended.count == 2 }
        #expect(loads.cancelled == [2])
        loads.answer(3)
        await becomes { model.state.value == 3 }
        view.cancel()
        await end(of: view)
    }

    @Test func aLoadEndsWithItsModel() async {
        weak var released: LoadModel<Int>?
        do {
            let model = LoadModel { [loads] in try await loads.load() }
            released = model
            model.beginRefresh()
            await until { loads.count == 1 }
        }
        await until { loads.ended == [1] }
        #expect(loads.cancelled == [1])
        await until { released == nil }
        #expect(released == nil, "its own task keeps it")
    }
}
