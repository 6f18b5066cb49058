/// When a command succeeds by an error that says that it was done already.
public enum SettlingRule: String, Sendable, CaseIterable {
    /// If an earlier attempt of the command may have been carried out.
    case afterOpenAttempt
    /// Also at the first attempt.
    case always
    /// As ``afterOpenAttempt``, and the body of the error is that of the success.
    case payload
}
