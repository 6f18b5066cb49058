import ContractModel
import Diagnostics

package enum EffectByDefault: LintRule {
    package static let kind = FindingKind(
        "effect-by-default", .note,
        page: """
            A POST or a PATCH without an `effect`. The default is `once`, which is safe, but often stricter than necessary.

            ## Why is this bad
            After a lost connection or a timeout, the server may have carried out the request. The client therefore does not send a
            `once` request again, the command fails as `unconfirmed`, and the app has to ask the user. If the server supports an
            idempotency key, or the request only reads, the client could send it again.

            ## Example
            ```yaml
            placeOrder: {post: /orders, body: {book: int}, response: {number: int}}
            ```
            ## Use instead
            ```yaml
            placeOrder: {post: /orders, body: {book: int}, response: {number: int}, effect: keyed}
            ```
            Write `read` for a search that is sent as a POST, `idempotent` if a second request changes nothing more, and `once` if
            a second request would repeat the effect. A search that is sent as a QUERY is a `read` without the key.
            """)

    package static let tags: [RuleTag] = [.http, .retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        guard subject.isWhole else { return }
        let session = subject.session
        // The runtime sends logins and renewals itself, and handles their failures.
        let ofSession = Set([session?.login, session?.refresh, session?.logout].compactMap { $0 })
        for endpoint in subject.endpoints
        where endpoint.written.declaredEffect == nil && endpoint.resolved.effect == .once
            && !ofSession.contains(endpoint.name)
        {
            guard let method = endpoint.resolved.method else { continue }
            report.add(
                "this \(method.rawValue.uppercased()) has no `effect`, so it is `once`: after a lost connection the client does not send it "
                    + "again, and the command fails as `unconfirmed`",
                at: endpoint.written.name.range,
                help:
                    "write `effect: keyed` if the server supports an idempotency key, `read` if the request changes nothing, or `once`"
            )
        }
    }
}
