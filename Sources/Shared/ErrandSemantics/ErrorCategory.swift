/// The action that a failure calls for.
public enum ErrorCategory: String, Sendable, CaseIterable {
    /// It may pass by itself: the same request can be sent again.
    case retryable
    /// It will not pass by itself: a person has to decide or to change something.
    case nonRetryable
    /// The session is over.
    case requiresLogout
}

/// Whether a request that failed may have been carried out nevertheless.
public enum Applied: String, Sendable, CaseIterable {
    /// It was not.
    case never
    /// It is unknown.
    case maybe
    /// It was: the response says so, and cannot be used otherwise.
    case yes

    /// What a contract can say of an error. Only a response can say `yes`.
    package static let declarable: [Applied] = [.never, .maybe]
}
