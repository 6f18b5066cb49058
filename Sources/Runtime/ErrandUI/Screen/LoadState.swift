public import ErrandRuntime

/// The state of the content that a screen loads.
public enum LoadState<Value: Sendable>: Sendable {
    /// Nothing is there yet.
    case loading
    case loaded(Value)
    /// It is being loaded anew while the last one is shown.
    case refreshing(Value)
    /// The content could not be loaded. The value is the content that was loaded before.
    case failed(LoadFailure, last: Value?)

    /// The content that was loaded last.
    public var value: Value? {
        switch self {
        case .loading: nil
        case .loaded(let value), .refreshing(let value): value
        case .failed(_, let last): last
        }
    }

    /// Why the last attempt failed.
    public var failure: LoadFailure? { if case .failed(let failure, _) = self { failure } else { nil } }

    /// Whether something is being loaded.
    public var isLoading: Bool {
        switch self {
        case .loading, .refreshing: true
        case .loaded, .failed: false
        }
    }
}

/// Why something could not be loaded, in words for a screen. It is shown in the place of the content, with a button to try again:
/// loading changes nothing on the server.
public struct LoadFailure: Sendable {
    public let title: String
    public let message: String
    public let category: ErrorCategory
    /// The button's title.
    public let retryTitle: String
    /// The error itself.
    public let error: any Error

    init(_ error: any Error, _ texts: PresentationTexts, _ categories: ErrorCategories) {
        self.error = error
        category = ErrorCategory(of: error, using: categories)
        title = texts.title(category == .requiresLogout ? .session : .refusal, category)
        retryTitle = texts.title(of: .retry)
        if let failure = error as? any CommandFailure {
            message = texts.message(of: failure.context)
        } else {
            let own = DisplayText.paragraph(DisplayText.message(of: error))
            message = own.isEmpty ? texts.text("errand.raised") : own
        }
    }
}

/// The steps of a screen that loads: begin, end, and what is late. Without tasks and frameworks.
struct LoadSteps<Value: Sendable>: Sendable {
    private(set) var state = LoadState<Value>.loading
    /// The number of the load that is under way; nil without one. Only its result counts.
    private(set) var current: Int?
    /// What a load that is cancelled goes back to.
    private var last = LoadState<Value>.loading
    private var count = 0

    /// Whether an earlier load has brought something, or has failed.
    var hasLast: Bool { if case .loading = last { false } else { true } }

    /// Begins another load. The results of earlier loads are dropped from now on.
    mutating func begin() -> Int {
        count += 1
        current = count
        state = state.value.map { .refreshing($0) } ?? .loading
        return count
    }

    mutating func finish(_ load: Int, _ value: Value) {
        if load == current { settle(.loaded(value)) }
    }

    mutating func fail(_ load: Int, _ failure: LoadFailure) {
        if load == current { settle(.failed(failure, last: state.value)) }
    }

    /// The load was cancelled: the screen shows what it has shown before.
    mutating func cancel(_ load: Int) {
        if load == current { settle(last) }
    }

    private mutating func settle(_ state: LoadState<Value>) {
        current = nil
        last = state
        self.state = state
    }
}
