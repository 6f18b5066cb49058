import ContractModel
import Diagnostics

package enum EffectContradictsMethod: LintRule {
    package static let kind = FindingKind(
        "effect-contradicts-method", .warning,
        page: """
            An effect that contradicts the method: a GET, HEAD or QUERY that does more than read, or a PUT or DELETE that must not be
            repeated.

            ## Why is this bad
            Caches, proxies and the operating system repeat GET requests themselves and treat PUT and DELETE as idempotent (RFC
            9110, sections 9.2.1 and 9.2.2). With such a method, the client cannot guarantee `once`.

            ## Example
            ```yaml
            pay: {get: /pay, query: {amount: decimal}, response: {number: int}, effect: once}
            ```
            ## Use instead
            ```yaml
            pay: {post: /pay, body: {amount: decimal}, response: {number: int}, effect: once}
            ```
            """)

    package static let tags: [RuleTag] = [.http, .retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints {
            guard let effect = endpoint.written.declaredEffect, let method = endpoint.resolved.method else { continue }
            let isAtOdds =
                switch method {
                case .get, .head, .query: effect.value != .read
                case .put, .delete: effect.value == .once || effect.value == .read
                case .post, .patch: false
                }
            guard isAtOdds else { continue }
            let meaning = method.effect == .read ? "only reads" : "changes something, and may be repeated"
            report.add(
                "a \(method.rawValue.uppercased()) \(meaning), but this endpoint has `effect: \(effect.value.rawValue)`",
                at: effect.range,
                help: effect.value == .read
                    ? "use `get`, or write `effect: idempotent`"
                    : "use `post`, or write `effect: \(method.effect.rawValue)`")
        }
    }
}
