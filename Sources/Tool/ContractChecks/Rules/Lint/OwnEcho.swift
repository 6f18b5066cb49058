import ContractModel
import Diagnostics

package enum OwnEcho: LintRule {
    package static let kind = FindingKind(
        "own-echo", .note,
        page: """
            An idempotent DELETE with a 404, 410 or 412 of its own, or an idempotent PUT with a 405, 409 or 412, whose error has neither
            `settles` nor `applied`. The endpoint has no `confirm` either.

            ## Why is this bad
            A gateway may deliver such a request twice: nginx, Varnish and Squid repeat a DELETE by themselves if the server closes the
            connection before its response, and nginx repeats a PUT. The client gets the response to the second delivery, and the first one has
            caused it. The user reads that there is no such account, although the command has just deleted it. A retry of the client after a
            lost response leads to the same. The error therefore counts as `applied: maybe`. A `keyed` endpoint is not concerned, because the
            server repeats its first response to the key.

            ## Example
            ```yaml
            removeShelf: {delete: "/shelves/{name:string}", response: none, errors: [noSuchShelf]}
            ```
            with the error
            ```yaml
            noSuchShelf: {category: nonRetryable, message: There is no such shelf., when: {status: 404}}
            ```
            ## Use instead
            ```yaml
            noSuchShelf: {category: nonRetryable, message: There is no such shelf., when: {status: 404}, settles: {success: always}}
            ```
            if the command has then done what it should, by any delivery. With `settles: success`, it succeeds only if an earlier attempt of the
            client may have been carried out. Write `applied: maybe` to keep the behavior and remove the finding, or `applied: never` if
            nothing between the client and the service repeats requests.
            """)

    package static let tags: [RuleTag] = [.errors, .retry]

    private struct Use {
        let listed: Located<String>
        let error: ErrorDefinition
        let endpoint: String
        let status: Located<Int>
        var others = 0
    }

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        var uses: [Use] = []
        var positions: [String: Int] = [:]
        for endpoint in subject.endpoints
        where endpoint.resolved.effect == .idempotent && endpoint.written.confirm == nil {
            for (listed, error) in endpoint.ownErrors {
                guard let status = echo(error, of: endpoint.resolved.request) else { continue }
                if let position = positions[listed.value] {
                    uses[position].others += 1
                } else {
                    positions[listed.value] = uses.count
                    uses.append(Use(listed: listed, error: error, endpoint: endpoint.name, status: status))
                }
            }
        }
        for use in uses {
            let others = use.others > 0 ? " (and \(use.others) more)" : ""
            report.add(
                "a gateway may deliver `\(use.endpoint)`\(others) twice, so HTTP \(use.status.value) may be caused by the command itself, and `\(use.error.name.value)` counts as `applied: maybe`",
                at: use.listed.range, notes: [DiagnosticNote("the status", at: use.status.range)],
                help:
                    "list an error with `settles: success` or `settles: {success: always}` if the command has then done what it should, or write `applied` at the error"
            )
        }
    }

    /// The status of a final error that the request itself may have caused. Nil if the contract says what the error means then.
    private static func echo(_ error: ErrorDefinition, of request: RequestKind) -> Located<Int>? {
        guard error.category.value == .nonRetryable, error.settles == nil, error.declaredApplied == nil else {
            return nil
        }
        // A status that a condition names, or a range of a few: with `400..499`, the error is what is left over.
        for status in error.conditions.flatMap(\.statuses) where status.value.count < 100 {
            if let echo = request.echoStatuses.first(where: status.value.contains) {
                return status.map { _ in echo }
            }
        }
        return nil
    }
}
