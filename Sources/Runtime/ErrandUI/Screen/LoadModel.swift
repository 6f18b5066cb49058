public import ErrandRuntime
public import Observation

/// The content that a screen loads, and its state. The model of `@Loading`, which can be used without SwiftUI.
///
/// One load is under way at a time, in a task of the model. A load is cancelled when a refresh replaces it, when the model is gone,
/// and when no task waits for it any more: neither a call of this model nor a view in ``run()``. The screen then shows what it
/// showed before.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
@MainActor @Observable public final class LoadModel<Value: Sendable> {
    public typealias Load = @Sendable () async throws -> Value

    /// The content to show.
    public private(set) var state = LoadState<Value>.loading

    @ObservationIgnored private(set) var steps = LoadSteps<Value>()
    /// The task of the load that is under way.
    @ObservationIgnored private var task: Task<Void, Never>?
    /// The calls that wait for the load.
    @ObservationIgnored private var waiters: [ObjectIdentifier: Suspension<Void>] = [:]
    /// How many views show the content.
    @ObservationIgnored private var views = 0
    @ObservationIgnored private let load: Load
    @ObservationIgnored private let texts: PresentationTexts
    @ObservationIgnored private let categories: ErrorCategories

    /// - Parameters:
    ///   - texts: the words of failures.
    ///   - categories: what the app says about errors that are not its own.
    ///   - load: gets the content. Called once when the screen appears, and for each refresh and retry. Its task is cancelled when
    ///     its result does not count any more.
    public nonisolated init(
        texts: PresentationTexts = .preferred, categories: ErrorCategories = ErrorCategories(), _ load: @escaping Load
    ) {
        self.load = load
        self.texts = texts
        self.categories = categories
    }

    deinit { task?.cancel() }

    /// Loads as ``appear()`` does, and stays with the view until the task is cancelled: for the `.task` of a view.
    ///
    /// A load that a refresh begins meanwhile goes on if the refresh's own task is cancelled. SwiftUI cancels the task of a
    /// `.refreshable` when it draws the view again, for instance because ``state`` changes.
    public func run() async {
        views += 1
        await appear()
        await Suspension<Void>().value(ifCancelled: ())
        views -= 1
        cancelIfUnwanted()
    }

    /// Loads missing or failed content. Call it when a screen appears. Views that appear during a load wait for the same load.
    public func appear() async {
        switch state {
        case .loaded, .refreshing: return
        case .loading, .failed:
            if Task.isCancelled { return }
            if task == nil { beginRefresh() }
            await wait()
        }
    }

    /// Loads what could not be loaded. For the moment in which a session has begun.
    public func retryFailed() async {
        if case .failed = state { await refresh() }
    }

    /// Loads again, and keeps the current content on the screen. The load that is under way is cancelled: the last refresh counts.
    ///
    /// The call returns when the content is there, also if another refresh has replaced this one. If its task is cancelled, it
    /// returns at once, and the load goes on for the others that wait for it.
    public func refresh() async {
        if Task.isCancelled { return }
        beginRefresh()
        await wait()
    }

    /// The same without waiting, for a button of a view that is in ``run()``.
    func beginRefresh() {
        task?.cancel()
        let number = steps.begin()
        // A view that shows that something is loaded is not drawn again.
        if !state.isLoading { state = steps.state }
        // The model is not kept: the load ends with it.
        task = Task { [weak self, load] in
            let result: Result<Value, any Error>
            do { result = .success(try await load()) } catch { result = .failure(error) }
            self?.end(number, result)
        }
    }

    private func end(_ number: Int, _ result: Result<Value, any Error>) {
        guard steps.current == number else { return }
        switch result {
        case .success(let value): steps.finish(number, value)
        // The load has ended itself. Without anything to go back to, a progress view would turn for ever.
        case .failure(is CancellationError) where steps.hasLast: steps.cancel(number)
        case .failure(let error): steps.fail(number, LoadFailure(error, texts, categories))
        }
        showEnd()
    }

    /// Waits for the end of the load, and of those that replace it.
    private func wait() async {
        let place = Suspension<Void>()
        waiters[ObjectIdentifier(place)] = place
        await place.value(ifCancelled: ())
        // Nil if the load has ended; otherwise, the waiting task was cancelled.
        if waiters.removeValue(forKey: ObjectIdentifier(place)) != nil { cancelIfUnwanted() }
    }

    private func cancelIfUnwanted() {
        guard let number = steps.current, waiters.isEmpty, views == 0 else { return }
        task?.cancel()
        steps.cancel(number)
        showEnd()
    }

    private func showEnd() {
        task = nil
        state = steps.state
        let waiters = waiters.values
        self.waiters = [:]
        for waiter in waiters { waiter.end(()) }
    }
}
