import ContractModel
import Diagnostics

package enum RetryWithoutLimit: LintRule {
    package static let kind = FindingKind(
        "retry-without-limit",
        page: """
            A `retry` without `attempts`.

            ## Why is this bad
            Retries multiply the load on a service that is already failing, and the number of attempts limits them. The
            runtime's default of three attempts is not visible to a reader of the contract.

            ## Example
            ```yaml
            retry: {base: 300ms}
            ```
            ## Use instead
            ```yaml
            retry: {attempts: 3, base: 300ms}
            ```
            """)

    package static let tags: [RuleTag] = [.retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for rule in subject.writtenRetries {
            guard case .rule(attempts: nil, _, _) = rule.value, !isWritten("attempts", in: rule.range, subject) else {
                continue
            }
            report.add(
                "this `retry` limits the pauses, but not the number of attempts", at: rule.range,
                help: "write `attempts: \(RetryRule().attempts)`, the runtime's default",
                fix: fix(rule.range, subject))
        }
    }

    /// Whether the key has a value that could not be read and was reported.
    private static func isWritten(_ key: String, in range: SourceRange, _ subject: LintSubject) -> Bool {
        subject.document.pair(withValueAt: range)?.value.mapping?.pair(forKey: key) != nil
    }

    /// A fix that writes the runtime's default.
    private static func fix(_ range: SourceRange, _ subject: LintSubject) -> Fix {
        let key = "attempts: \(RetryRule().attempts)"
        let edit =
            if subject.document.text(of: range).hasPrefix("{") {
                Fix.Edit(inserting: key + ", ", behind: 1, of: range)
            } else {
                Fix.Edit(
                    inserting: key + "\n" + String(repeating: " ", count: range.start.column - 1), behind: 0, of: range)
            }
        return Fix(title: "write the default number of attempts", applicability: .certain, edits: [edit])
    }
}
