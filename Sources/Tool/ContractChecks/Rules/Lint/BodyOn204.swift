import ContractModel
import Diagnostics

package enum BodyOn204: LintRule {
    package static let kind = FindingKind(
        "body-on-204",
        page: """
            An error or an outcome with `data` whose status has no body: 204, 205 or 304.

            ## Why is this bad
            Such a response ends after its headers (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). The data never arrives. An
            error has no data then, and an outcome ends as `malformed`.

            ## Example
            ```yaml
            alreadyDone: {when: {status: 204}, data: {since: timestamp}}
            ```
            ## Use instead
            ```yaml
            alreadyDone: {when: {status: 204}}
            ```
            """)

    package static let tags: [RuleTag] = [.http]

    private static let empty: Set<Int> = [204, 205, 304]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let outcomes = subject.contract.endpoints.flatMap(\.outcomes).filter { $0.data != nil }.map {
            ($0.name.value, $0.conditions)
        }
        let errors = subject.contract.errors.filter { $0.data != nil }.map { ($0.name.value, $0.conditions) }
        for (name, conditions) in errors + outcomes {
            for status in conditions.flatMap(\.statuses)
            where status.value.count == 1 && empty.contains(status.value.lowerBound) {
                report.add(
                    "a response with status \(status.value.lowerBound) has no body, but `\(name)` reads data from it",
                    at: status.range,
                    help: "remove `data`, or write a status that allows a body")
            }
        }
    }
}
