import ErrandRuntime
import TestSeeds
import Testing

@testable import ErrandUI

/// What a `LoadModel` does, told as rules: who waits, which load is under way, what is shown.
private struct ExpectedLoads: Sendable {
    enum Shown: Equatable, Sendable {
        case loading
        case loaded(Int)
        case refreshing(Int)
        case failed(last: Int?)

        init(_ state: LoadState<Int>) {
            switch state {
            case .loading: self = .loading
            case .loaded(let value): self = .loaded(value)
            case .refreshing(let value): self = .refreshing(value)
            case .failed(_, let last): self = .failed(last: last)
            }
        }
    }

    /// What was shown when nothing was under way.
    private var settled = Shown.loading
    private(set) var current: Int?
    private(set) var count = 0
    private(set) var cancelled: Set<Int> = []
    private var answered: Set<Int> = []
    /// The calls that wait for a load, and the views that stay.
    private(set) var waiting: Set<Int> = []
    private(set) var views: Set<Int> = []

    private var content: Int? {
        switch settled {
        case .loading: nil
        case .loaded(let value), .refreshing(let value): value
        case .failed(let last): last
        }
    }

    var shown: Shown {
        if current == nil { settled } else { content.map { .refreshing($0) } ?? .loading }
    }

    /// The loads that the test can still answer.
    var open: [Int] { (1...max(1, count)).filter { $0 <= count && !answered.contains($0) } }

    mutating func refresh(_ caller: Int) {
        begin()
        waiting.insert(caller)
    }

    mutating func appear(_ caller: Int, isView: Bool) {
        if isView { views.insert(caller) }
        switch shown {
        case .loaded, .refreshing: return
        case .failed: begin()
        case .loading: if current == nil { begin() }
        }
        if !isView { waiting.insert(caller) }
    }

    mutating func leave(_ caller: Int) {
        guard waiting.remove(caller) != nil || views.remove(caller) != nil else { return }
        if waiting.isEmpty, views.isEmpty { drop() }
    }

    enum Answer { case value, failure, cancellation }

    mutating func answer(_ load: Int, _ answer: Answer) {
        answered.insert(load)
        guard load == current else { return }
        switch answer {
        case .value: settled = .loaded(load)
        case .failure: settled = .failed(last: content)
        case .cancellation: if settled == .loading { settled = .failed(last: nil) }
        }
        current = nil
        waiting = []
    }

    private mutating func begin() {
        drop()
        count += 1
        current = count
    }

    private mutating func drop() {
        if let current { cancelled.insert(current) }
        current = nil
    }
}

@Suite(.timeLimit(.minutes(2))) @MainActor struct LoadSequenceTests {
    /// Loads, refreshes, views that come and go, cancellations and answers in any order: the screen shows what the rules say, and
    /// never an older answer after a newer one.
    @Test func anyOrderShowsTheAnswerOfTheLastRefresh() async {
        let first = TestSeeds.SeededGenerator.newSeed()
        for seed in first..<first &+ 60 {
            if Task.isCancelled { return }
            await run(seed)
        }
    }

    private func run(_ seed: UInt64) async {
        var chance = TestSeeds.SeededGenerator(seed: seed)
        // Every third load goes on after its task is cancelled.
        let loads = ScriptedLoads { $0 % 3 != 0 }
        let model = LoadModel { try await loads.load() }
        var expected = ExpectedLoads()
        var calls: [Int: Task<Void, Never>] = [:]
        let ended = LockedState<Set<Int>> { [] }
        var story: [String] = []
        var newest = 0
        let drawings = Drawings {
            if let value = model.state.value {
                if value < newest { Issue.record("\(value) is shown after \(newest), ERRAND_SEED=\(seed) repeats it") }
                newest = max(newest, value)
            }
            return ""
        }
        for step in 1...40 {
            switch chance.below(10) {
            case 0...2:
                expected.refresh(step)
                calls[step] = call(step, ended) { await model.refresh() }
                story.append("refresh \(step)")
            case 3:
                expected.appear(step, isView: false)
                calls[step] = call(step, ended) { await model.appear() }
                story.append("appear \(step)")
            case 4:
                expected.appear(step, isView: true)
                calls[step] = call(step, ended) { await model.run() }
                story.append("view \(step)")
            case 5, 6:
                let callers = expected.waiting.union(expected.views).sorted()
                guard !callers.isEmpty else { continue }
                let caller = callers[chance.below(callers.count)]
                expected.leave(caller)
                calls[caller]?.cancel()
                story.append("cancel \(caller)")
            default:
                guard !expected.open.isEmpty else { continue }
                let load = expected.open[chance.below(expected.open.count)]
                switch chance.below(4) {
                case 0:
                    expected.answer(load, .failure)
                    loads.fail(load)
                case 1 where !expected.cancelled.contains(load):
                    expected.answer(load, .cancellation)
                    loads.fail(load, CancellationError())
                default:
                    expected.answer(load, .value)
                    loads.answer(load)
                }
                story.append("answer \(load)")
            }
            let waiting = expected.waiting.union(expected.views)
            let (now, returned) = (expected, Set(calls.keys).subtracting(waiting))
            let isSo: @MainActor @Sendable () -> Bool = {
                ExpectedLoads.Shown(model.state) == now.shown && loads.count == now.count
                    && loads.cancelled == now.cancelled && ended.withLock { $0 } == returned
                    && (model.steps.current == nil) == (now.current == nil)
            }
            await until(isSo)
            guard isSo() else {
                Issue.record(
                    """
                    \(model.state) instead of \(expected.shown), \(loads.count) of \(expected.count) loads, cancelled \
                    \(loads.cancelled.sorted()) of \(expected.cancelled.sorted()), ended \(ended.withLock { $0 }.sorted()), \
                    waiting \(waiting.sorted()) after \(story.joined(separator: ", ")). ERRAND_SEED=\(seed) repeats it
                    """)
                break
            }
        }
        for call in calls.values { call.cancel() }
        for call in calls.values { await end(of: call) }
        for load in 1...max(1, loads.count) { loads.answer(load) }
        await until { loads.ended.count == loads.count }
        #expect(!drawings.all.isEmpty)
    }

    private func call(
        _ number: Int, _ ended: LockedState<Set<Int>>, _ body: @escaping @MainActor @Sendable () async -> Void
    ) -> Task<Void, Never> {
        Task {
            await body()
            ended.withLock { _ = $0.insert(number) }
        }
    }
}
