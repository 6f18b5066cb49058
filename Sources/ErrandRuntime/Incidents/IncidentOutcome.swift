/// How an incident ended for a command that it hit.
enum IncidentOutcome: Sendable, Hashable {
    /// A responder has decided. Never `pass`.
    case answered(IncidentAnswer)
    /// Its cause has ended.
    case withdrawn
    /// No responder has decided.
    case unanswered
}
