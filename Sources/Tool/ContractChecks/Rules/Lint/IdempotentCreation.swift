import ContractModel
import Diagnostics

package enum IdempotentCreation: LintRule {
    package static let kind = FindingKind(
        "idempotent-creation", .warning,
        page: """
            An `idempotent` POST whose name says that it creates something.

            ## Why is this bad
            The client sends an `idempotent` request again after a lost connection. A server that creates something for each POST
            then creates it twice. A `keyed` request is also sent again, but with a key that lets the server recognize the
            repetition.

            ## Example
            ```yaml
            createBook: {post: /books, body: {title: string}, response: {number: int}, effect: idempotent}
            ```
            ## Use instead
            ```yaml
            createBook: {post: /books, body: {title: string}, response: {number: int}, effect: keyed}
            ```
            Write `once` if the server does not support a key.
            """)

    package static let tags: [RuleTag] = [.http, .retry]

    private static let verbs: Set<String> = [
        "create", "add", "insert", "order", "buy", "pay", "place", "submit", "book",
    ]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints where endpoint.resolved.method == .post {
            guard let effect = endpoint.written.declaredEffect, effect.value == .idempotent,
                let verb = NameWords.of(endpoint.name).first, verbs.contains(verb)
            else { continue }
            report.add(
                "`\(endpoint.name)` creates something, judging by its name, but may be sent twice", at: effect.range,
                help: "write `effect: keyed`, or `once` if the server does not support a key")
        }
    }
}
