import ContractModel
import Diagnostics

package enum NonStandardStatus: LintRule {
    package static let kind = FindingKind(
        "non-standard-status", .warning,
        page: """
            A status that a final HTTP response cannot have: below 200 or above 599.

            ## Why is this bad
            HTTP has statuses from 100 to 599. Those below 200 are interim responses, which apps never see (RFC 9110, section
            15). A proxy may replace other numbers. Most often the number is a typing mistake or a code of the envelope.

            ## Example
            ```yaml
            soldOut: {category: nonRetryable, message: It is sold out., when: {status: 999}}
            ```
            ## Use instead
            ```yaml
            soldOut: {category: nonRetryable, message: It is sold out., when: {status: 409}}
            ```
            """)

    package static let tags: [RuleTag] = [.errors, .http]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let conditions =
            subject.contract.errors.flatMap(\.conditions)
            + subject.endpoints.flatMap { $0.written.outcomes.flatMap(\.conditions) }
        for status in conditions.flatMap(\.statuses)
        where status.value.lowerBound < 200 || status.value.upperBound > 599 {
            let wrong = status.value.upperBound > 599 ? status.value.upperBound : status.value.lowerBound
            report.add(
                "a final response cannot have the status \(wrong)", at: status.range,
                help: "write a status from 200 to 599, or write the service's own number as a `code`")
        }
    }
}
