import ContractModel
import Diagnostics

package enum UnusedGroup: LintRule {
    package static let kind = FindingKind(
        "unused-group", .note,
        page: """
            A group that no endpoint is in.

            ## Why is this bad
            The client has no property for the group. Most often `group` of an endpoint is missing, and an app looks for the endpoint in vain.
            The rule allows groups in a contract without endpoints.

            ## Example
            ```yaml
            groups: {books: The catalog., loans: Who has what.}
            ```
            without an endpoint in `loans`.

            ## Use instead
            ```yaml
            getLoan: {get: /loan, group: loans, response: string}
            ```
            """)

    package static let tags: [RuleTag] = [.naming]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let contract = subject.contract
        guard subject.isWhole, !contract.endpoints.isEmpty, !contract.groups.isEmpty else { return }
        let used = Set(subject.endpoints.compactMap(\.resolved.group?.value))
        for group in contract.groups where !used.contains(group.name.value) {
            report.add(
                "no endpoint is in the group `\(group.name.value)`", at: group.name.range,
                help: "write `group: \(group.name.value)` at an endpoint, or remove it")
        }
    }
}
