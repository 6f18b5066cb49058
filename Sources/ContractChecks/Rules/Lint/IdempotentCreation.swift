import ContractModel
import Diagnostics

/// A POST that creates something, by its name, and is said to be `idempotent`.
///
/// ## Why is this bad
/// An `idempotent` request is sent again after a lost connection. A server that creates something with each POST then has
/// two of it. `keyed` says the same with a key by which the server knows the second one.
///
/// ## Example
/// ```yaml
/// createBook: {post: /books, body: {title: string}, response: {number: int}, effect: idempotent}
/// ```
/// ## Use instead
/// ```yaml
/// createBook: {post: /books, body: {title: string}, response: {number: int}, effect: keyed}
/// ```
/// Write `once` where the server knows no key.
package enum IdempotentCreation: LintRule {
    package static let name = "idempotent-creation"
    package static let severity = Severity.warning
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
                "`\(endpoint.name)` creates something, by its name, and may be sent twice", at: effect.range,
                help: "write `effect: keyed`, or `once` where the server knows no key")
        }
    }
}
