import ContractModel
import Diagnostics

package enum RequiredResponseHeader: LintRule {
    package static let kind = FindingKind(
        "required-response-header", .warning,
        page: """
            A required header in the response of a command that changes something.

            ## Why is this bad
            The server has carried out the command. A proxy that drops the header, or a wrong value, would make the command fail as
            `malformed`, and the app would tell the user that it did not work.

            ## Example
            ```yaml
            addSeat: {post: /seats, effect: once, body: {row: int}, response: {type: string, headers: {remaining: {wire: X-Remaining, type: int}}}}
            ```
            ## Use instead
            ```yaml
            addSeat: {post: /seats, effect: once, body: {row: int}, response: {type: string, headers: {remaining: {wire: X-Remaining, type: int?}}}}
            ```
            """)

    package static let tags: [RuleTag] = [.http]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints where endpoint.resolved.effect != .read {
            for field in endpoint.resolved.responseHeaders where field.isRequired {
                report.add(
                    "without a valid `\(field.wireName)`, `\(endpoint.name)` fails although the server has carried it out",
                    at: field.name.range,
                    help: "write `\(field.type.spelling)?`; the app gets nil if the header is missing")
            }
        }
    }
}
