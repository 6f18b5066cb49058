import ContractModel
import Diagnostics

package enum StatusOfAFrame: LintRule {
    package static let kind = FindingKind(
        "status-of-a-frame", .warning,
        page: """
            An error or an outcome of a frame that only a status recognizes.

            ## Why is this bad
            A frame has no status. Only the response to the handshake of a connection has one, and it is about the connection and not
            about this command. The error never means what its name says, and an outcome never happens. An error in `defaults` is not
            reported, because a refused handshake ends any command.

            ## Example
            ```yaml
            errors:
              noSuchRoom: {category: nonRetryable, message: This room is gone., when: {status: 404}}
            ```
            listed by an endpoint such as
            ```yaml
            getRoom: {frame: room.get, response: Room, effect: read, errors: [noSuchRoom]}
            ```
            ## Use instead
            ```yaml
            errors:
              noSuchRoom: {category: nonRetryable, message: This room is gone., when: {code: no_such_room}}
            ```
            """)

    package static let tags: [RuleTag] = [.errors]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints where endpoint.resolved.frame != nil {
            for (listed, error) in endpoint.ownErrors {
                guard let place = status(error.conditions) else { continue }
                add(listed, "fails with", at: place, endpoint, &report)
            }
            for outcome in endpoint.resolved.outcomes {
                guard let place = status(outcome.conditions) else { continue }
                add(outcome.name, "ends as", at: place, endpoint, &report)
            }
        }
    }

    /// The place of a status if no condition names anything else.
    private static func status(_ conditions: [Condition]) -> SourceRange? {
        let areStatuses = conditions.allSatisfy {
            !$0.statuses.isEmpty && $0.isOfStatusAlone && $0.transport.isEmpty && $0.close.isEmpty
        }
        return areStatuses ? conditions.first?.statuses.first?.range : nil
    }

    private static func add(
        _ name: Located<String>, _ verb: String, at place: SourceRange, _ endpoint: LintedEndpoint,
        _ report: inout RuleReport
    ) {
        report.add(
            "a frame has no status, so `\(endpoint.name)` never \(verb) `\(name.value)`", at: name.range,
            notes: [DiagnosticNote("its condition", at: place)],
            help: "recognize it by a `code`, a `body` value or a `close` code")
    }
}
