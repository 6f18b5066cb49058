#if canImport(SwiftUI)
import ErrandRuntime
public import SwiftUI

/// Content that a screen loads: loading, loaded, failed with a button to try again, refreshed while it is shown.
///
///     struct FeedScreen: View {
///         @Loading private var feed: LoadState<Video.FeedPage>
///         init(video: Video) { _feed = Loading { try await video.getFeed(feedID: "popular") } }
///         var body: some View {
///             LoadView($feed) { page in List(page.entries, id: \.id) { EntryRow($0) } }
///         }
///     }
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
@MainActor @propertyWrapper public struct Loading<Value: Sendable>: DynamicProperty {
    @State private var model: LoadModel<Value>

    /// - Parameter load: gets the content. Called once when the screen appears, and for each refresh and retry.
    public init(_ load: @escaping @Sendable () async throws -> Value) {
        _model = State(wrappedValue: LoadModel(load))
    }

    /// The content to show.
    public var wrappedValue: LoadState<Value> { model.state }
    /// The model that loads it.
    public var projectedValue: LoadModel<Value> { model }
}

/// Shows the loaded content of a screen, or the problem if nothing was loaded. It can be pulled to refresh.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
public struct LoadView<Value: Sendable, Content: View, Failed: View>: View {
    private let model: LoadModel<Value>
    private let content: @MainActor (Value) -> Content
    private let failed: @MainActor (LoadFailure, _ retry: @escaping @MainActor () -> Void) -> Failed
    @Environment(\.loginCount) private var logins

    /// - Parameters:
    ///   - model: `$feed` of a `@Loading` property.
    ///   - content: what was loaded. It stays during a refresh, and after a refresh that fails.
    ///   - failed: the view to show if nothing was loaded.
    public init(
        _ model: LoadModel<Value>, @ViewBuilder content: @escaping @MainActor (Value) -> Content,
        @ViewBuilder failed: @escaping @MainActor (LoadFailure, _ retry: @escaping @MainActor () -> Void) -> Failed
    ) {
        self.model = model
        self.content = content
        self.failed = failed
    }

    public var body: some View {
        // A stack and not a group: a group gives its modifiers to whichever view is in it, so that the view of a failure would
        // begin the next load as soon as it appears.
        VStack {
            if let value = model.state.value {
                content(value)
            } else if let failure = model.state.failure {
                failed(failure) { model.beginRefresh() }
            } else {
                ProgressView().accessibilityLabel(Text(verbatim: PresentationTexts.preferred.text("errand.loading")))
            }
        }
        .task(id: ObjectIdentifier(model)) { await model.run() }
        .refreshable { [model] in await model.refresh() }
        .onChange(of: logins) { if model.state.failure != nil { model.beginRefresh() } }
    }
}

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
extension LoadView where Failed == LoadFailureView {
    /// The same with the system's looks for what has failed.
    public init(_ model: LoadModel<Value>, @ViewBuilder content: @escaping @MainActor (Value) -> Content) {
        self.init(model, content: content) { failure, retry in LoadFailureView(failure: failure, retry: retry) }
    }
}

/// The view in place of content that could not be loaded.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
public struct LoadFailureView: View {
    let failure: LoadFailure
    let retry: @MainActor () -> Void

    public init(failure: LoadFailure, retry: @escaping @MainActor () -> Void) {
        self.failure = failure
        self.retry = retry
    }

    public var body: some View {
        ContentUnavailableView {
            Text(verbatim: failure.title)
        } description: {
            Text(verbatim: failure.message)
        } actions: {
            Button(failure.retryTitle, action: retry)
        }
    }
}
#endif
