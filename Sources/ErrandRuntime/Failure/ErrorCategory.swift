/// What is to be done about a failure.
public enum ErrorCategory: String, Sendable, CaseIterable {
    /// It may pass by itself: the same request can be sent again.
    case retryable
    /// It will not: somebody has to decide or to change something.
    case nonRetryable
    /// The session is over.
    case requiresLogout

    /// The category of any error: its own if it has one, else what the app says of it, else `nonRetryable`.
    /// (The latter is right for `CancellationError` too: whoever cancelled does not want it again.)
    ///
    /// - Parameter categories: what the app says of errors that are not its own.
    public init(of error: any Error, using categories: ErrorCategories = ErrorCategories()) {
        self = (error as? any CategorizedError)?.category ?? categories.category(of: error) ?? .nonRetryable
    }
}

/// An error that knows what is to be done about it. The failures of all commands do; an app's own
/// errors may.
public protocol CategorizedError: Error {
    var category: ErrorCategory { get }
}

/// Whether a request that failed may have been carried out nevertheless.
public enum Applied: String, Sendable, CaseIterable {
    /// It was not.
    case never
    /// Nobody knows.
    case maybe
}

/// How far an attempt got.
public enum Evidence: String, Sendable, CaseIterable {
    /// Nothing of it reached the server.
    case notSent
    /// Some of it may have reached the server, and no answer came.
    case sent
    /// The server answered.
    case responded
}
