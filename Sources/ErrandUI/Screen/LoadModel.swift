public import ErrandRuntime
public import Observation

/// The content that a screen loads, and its state. The model of `@Loading`, which can be used without SwiftUI.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
@MainActor @Observable public final class LoadModel<Value: Sendable> {
    public typealias Load = @Sendable () async throws -> Value

    /// The content to show.
    public var state: LoadState<Value> { steps.state }

    private var steps = LoadSteps<Value>()
    @ObservationIgnored private var load: Load
    @ObservationIgnored private let texts: PresentationTexts
    @ObservationIgnored private let categories: ErrorCategories

    /// - Parameters:
    ///   - texts: the words of failures.
    ///   - categories: what the app says about errors that are not its own.
    ///   - load: gets the content. Called once when the screen appears, and for each refresh and retry.
    public nonisolated init(
        texts: PresentationTexts = .preferred, categories: ErrorCategories = ErrorCategories(), _ load: @escaping Load
    ) {
        self.load = load
        self.texts = texts
        self.categories = categories
    }

    /// Loads what is not there yet, and what could not be loaded. For the moment in which a screen appears.
    public func appear() async {
        switch state {
        case .loading, .failed: await refresh()
        case .loaded, .refreshing: return
        }
    }

    /// Loads what could not be loaded. For the moment in which a session has begun.
    public func retryFailed() async {
        if case .failed = state { await refresh() }
    }

    /// Loads again, and keeps the current content on the screen. If several loads overlap, the latest counts. Cancelling the
    /// task ends the load without an error.
    public func refresh() async {
        let number = steps.begin()
        do {
            let value = try await load()
            steps.finish(number, value)
        } catch {
            if Task.isCancelled || error is CancellationError {
                steps.cancel(number)
            } else {
                steps.fail(number, LoadFailure(error, texts, categories))
            }
        }
    }
}
