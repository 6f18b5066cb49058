/// The contract language's words for words of other descriptions of services.
enum ForeignWords {
    /// What to write for a word that means one of these words; nil if it means none of them.
    static func help(for word: String, among words: [String]) -> String? {
        let folded = String(word.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " })
        return entries.first { $0.names.contains(folded) && words.contains($0.word) }?.help
    }

    /// The words of other languages, a word of this language that shows which key they are for, and what to write.
    private static let entries: [(names: Set<String>, word: String, help: String)] = [
        (
            ["retryable", "retry", "repeatable", "retriable", "idempotence"], "idempotent",
            "write `read` if the request changes nothing, `idempotent` if a second request changes nothing more, or `keyed` if the server recognizes a second request by its key"
        ),
        (["safe", "query", "readonly", "none", "get", "nothing"], "idempotent", "write `read`"),
        (
            ["nonidempotent", "unsafe", "nonretryable", "mutation", "command", "create", "update", "write", "post"],
            "idempotent",
            "write `once`, or `keyed` if the server recognizes a second request by its key"
        ),
        (
            ["idempotencykey", "key", "deduplicated"], "idempotent",
            "write `keyed`, or `{keyed: {header: NAME}}` for a header of the service's own"
        ),
        (
            ["fatal", "permanent", "terminal", "final", "client", "user", "business", "validation", "never"],
            "nonRetryable",
            "write `nonRetryable`"
        ),
        (["transient", "temporary", "retry", "server", "again"], "nonRetryable", "write `retryable`"),
        (
            ["logout", "unauthorized", "unauthenticated", "auth", "login", "session", "sessionexpired"], "nonRetryable",
            "write `requiresLogout`"
        ),
    ]
}
