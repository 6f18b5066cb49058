import ContractModel
import Diagnostics

package enum ChangeWithoutSession: LintRule {
    package static let kind = FindingKind(
        "change-without-session", .warning,
        page: """
            An endpoint that deletes or changes something without the session (`session: none`), in a contract that has a session.

            ## Why is this bad
            The request does not say who sends it. The server refuses it, or it lets anyone delete an account. The rule allows requests that people
            send before they log in, such as a new password, and requests with a token or a credential of their own.

            ## Example
            ```yaml
            deleteAccount: {delete: "/accounts/{id:int}", session: none}
            ```
            ## Use instead
            ```yaml
            deleteAccount: {delete: "/accounts/{id:int}", session: required}
            ```
            """)

    package static let tags: [RuleTag] = [.session, .security]

    private static let verbs: Set<String> = [
        "delete", "remove", "erase", "update", "change", "edit", "rename", "cancel", "close", "transfer", "pay",
        "withdraw",
        "block", "disable", "deactivate",
    ]
    /// What people change before they have a session.
    private static let exceptions: Set<String> = [
        "password", "passwords", "session", "sessions", "login", "token", "tokens", "registration", "subscription",
        "newsletter", "verification", "invitation",
    ]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        guard let session = subject.contract.session else { return }
        let own = Set(session.endpoints.map(\.value))
        for endpoint in subject.endpoints where !own.contains(endpoint.name) && endpoint.resolved.effect != .read {
            guard let use = endpoint.written.settings.session, use.value == .none, hasNoProof(endpoint),
                endpoint.resolved.credentials.allSatisfy(\.names.isEmpty)
            else {
                continue
            }
            let words = NameWords.of(endpoint.name)
            guard let verb = words.first, verbs.contains(verb), !words.contains(where: exceptions.contains) else {
                continue
            }
            report.add(
                "`\(endpoint.name)` changes something, but its request does not say who sends it", at: use.range,
                notes: [DiagnosticNote("the session", at: session.range)], help: "write `session: required`")
        }
    }

    /// Whether no input of the endpoint is a secret by itself.
    private static func hasNoProof(_ endpoint: LintedEndpoint) -> Bool {
        !endpoint.resolved.inputs.contains { $0.isSensitive || SecretName.isSecret($0.name.value) }
    }
}
