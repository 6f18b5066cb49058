/// A decision about the commands that an incident affects.
public enum IncidentAnswer: Sendable, Hashable {
    /// Those that may be sent again are; the others fail.
    case retry
    /// All of them fail, each with its own typed error.
    case fail
    /// The next responder of the chain decides. After the last one, they fail.
    case pass
    /// The commands are treated as if the contract declared this category. For instance, a login screen that shows the message
    /// itself instead of logging out answers `nonRetryable`.
    case recategorize(ErrorCategory)
}

/// How the waiting at an incident ends for a command.
package enum IncidentOutcome: Sendable, Hashable {
    /// Never `pass`.
    case answered(IncidentAnswer)
    /// The cause has ended.
    case withdrawn
    /// No responder has decided.
    case unanswered

    /// Whether a responder has decided that the command fails.
    package var isRefusal: Bool {
        switch self {
        case .answered(.fail), .answered(.recategorize): true
        case .answered(.retry), .answered(.pass), .withdrawn, .unanswered: false
        }
    }

    /// Whether the command may be sent again because of it.
    package var mayResend: Bool {
        switch self {
        case .answered(.retry), .answered(.recategorize), .withdrawn: true
        case .answered(.fail), .answered(.pass), .unanswered: false
        }
    }
}
