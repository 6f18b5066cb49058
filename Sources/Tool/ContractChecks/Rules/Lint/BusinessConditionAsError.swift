import ContractModel
import Diagnostics

package enum BusinessConditionAsError: LintRule {
    package static let kind = FindingKind(
        "business-condition-as-error", .warning,
        page: """
            A `nonRetryable` error whose condition has a successful status, such as 202 with a code.

            ## Why is this bad
            The server reports a success, and most often it is one: the request is accepted and waiting, was already carried out,
            or needs a second signature. An error reaches the app as a failure. It is reported and counted as a failure, and the
            user reads that something went wrong. An outcome is a normal result beside the usual one, with its own data.

            ## Example
            ```yaml
            errors:
              needsApproval: {category: nonRetryable, message: Someone must sign., when: {status: 202, code: 120}}
            ```
            ## Use instead
            ```yaml
            outcomes:
              needsApproval: {when: {status: 202, code: 120}}
            ```
            """)

    package static let tags: [RuleTag] = [.errors]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for error in subject.contract.errors where error.category.value == .nonRetryable && !error.conditions.isEmpty {
            let statuses = error.conditions.map(\.statuses)
            guard
                statuses.allSatisfy({
                    !$0.isEmpty
                        && $0.allSatisfy { (200...299).contains($0.value.lowerBound) && $0.value.upperBound <= 299 }
                }),
                error.conditions.allSatisfy({ !$0.isOfStatusAlone }),
                let status = statuses.first?.first
            else { continue }
            report.add(
                "`\(error.name.value)` is declared as a failure, but its status \(status.value.lowerBound) is a success",
                at: error.name.range,
                notes: [DiagnosticNote("its condition", at: status.range)],
                help: "declare it under `outcomes` of the endpoints that list it")
        }
    }
}
