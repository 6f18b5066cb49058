import ContractModel
import Diagnostics

package enum ErrorWithoutMessage: LintRule {
    package static let kind = FindingKind(
        "error-without-message", .note,
        page: """
            Errors without a message for the user, reported once for a contract.

            ## Why is this bad
            The app shows the server's text, which may be meant for developers and exists in one language, or a sentence that
            fits every failure. A message in the contract is a default, which each app can replace or translate by its key.

            ## Example
            ```yaml
            noSuchAnswer: {category: nonRetryable, when: {status: 404}}
            ```
            ## Use instead
            ```yaml
            noSuchAnswer: {category: nonRetryable, when: {status: 404}, message: There is no answer to that.}
            ```
            """)

    package static let tags: [RuleTag] = [.errors]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let errors = subject.contract.errors.filter { $0.builtIn == nil }
        let silent = errors.filter { $0.message == nil }
        guard let first = silent.first else { return }
        let others = silent.count - 1
        report.add(
            others == 0
                ? "`\(first.name.value)` has no message for the user"
                : "`\(first.name.value)` and \(others) more of \(errors.count) errors have no message for the user",
            at: first.name.range,
            help: "add `message:` with a sentence that a user understands")
    }
}
