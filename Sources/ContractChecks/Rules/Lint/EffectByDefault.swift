import ContractModel
import Diagnostics

/// A POST or a PATCH that does not say what happens where it is sent twice. It is `once`, which is safe and seldom all that
/// can be had.
///
/// ## Why is this bad
/// After a lost connection or a timeout the request may have been carried out, so a `once` request is never sent again, and
/// the command fails as `unconfirmed`: the app has to ask the user. Where the server knows an idempotency key, or the request
/// only reads, Errand could have sent it again.
///
/// ## Example
/// ```yaml
/// placeOrder: {post: /orders, body: {book: int}, response: {number: int}}
/// ```
/// ## Use instead
/// ```yaml
/// placeOrder: {post: /orders, body: {book: int}, response: {number: int}, effect: keyed}
/// ```
/// Write `read` for a search that is sent as a POST, `idempotent` where a second request changes nothing more, and `once`
/// where a second one would do it again.
package enum EffectByDefault: LintRule {
    package static let name = "effect-by-default"
    package static let severity = Severity.note
    package static let tags: [RuleTag] = [.http, .retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        guard subject.isWhole else { return }
        let session = subject.session
        // Logins and renewals are the runtime's business, which knows what to do after each.
        let ofSession = Set([session?.login, session?.refresh, session?.logout].compactMap { $0 })
        for endpoint in subject.endpoints
        where endpoint.written.declaredEffect == nil && endpoint.resolved.effect == .once
            && !ofSession.contains(endpoint.name)
        {
            guard let method = endpoint.resolved.method else { continue }
            report.add(
                "this \(method.rawValue.uppercased()) has no `effect`, so it is `once`: after a lost connection it is not sent "
                    + "again, and fails as `unconfirmed`",
                at: endpoint.written.name.range,
                help:
                    "write `effect: keyed` where the server knows an idempotency key, `read` where it changes nothing, or `once`"
            )
        }
    }
}
