import ContractModel
import Diagnostics

package enum ReadThatChanges: LintRule {
    package static let kind = FindingKind(
        "read-that-changes", .warning,
        page: """
            An endpoint of effect `read` whose name says that it creates, changes or deletes something.

            ## Why is this bad
            The client sends a `read` again after every lost connection, and reads may be repeated or answered from a cache on the way.
            The server then does twice what it should do once. An `unconfirmed` failure, which asks the app to look before it tries again,
            never occurs for a read.

            ## Example
            ```yaml
            createOrder: {post: /orders, body: {number: int}, response: {id: int}, effect: read}
            ```
            ## Use instead
            ```yaml
            createOrder: {post: /orders, body: {number: int}, response: {id: int}, effect: once}
            ```
            Write `keyed` if the server recognizes a repetition by its key, and `idempotent` if a second request changes nothing more.
            """)

    package static let tags: [RuleTag] = [.http, .retry]

    private static let verbs: Set<String> = [
        "create", "add", "insert", "register", "delete", "remove", "destroy", "erase", "cancel", "update", "rename",
        "transfer", "pay", "buy", "purchase", "send", "publish", "submit", "upload", "disable", "enable", "revoke",
    ]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints where endpoint.resolved.effect == .read {
            // A PUT or a DELETE of effect `read` contradicts its method, which is a finding of its own.
            guard let method = endpoint.resolved.method, ![.put, .delete].contains(method),
                let verb = NameWords.of(endpoint.name).first, verbs.contains(verb)
            else { continue }
            let declared = endpoint.written.declaredEffect
            report.add(
                "`\(endpoint.name)` changes something, judging by its name, but has the effect `read`",
                at: declared?.range ?? endpoint.written.name.range,
                help: declared == nil
                    ? "use `post`, whose effect is `once`, or rename the endpoint"
                    : "write `effect: once`, `keyed` or `idempotent`, or rename the endpoint")
        }
    }
}
