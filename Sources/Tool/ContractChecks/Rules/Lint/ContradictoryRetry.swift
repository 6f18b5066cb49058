import ContractModel
import Diagnostics

package enum ContradictoryRetry: LintRule {
    package static let kind = FindingKind(
        "contradictory-retry", .warning,
        page: """
            A `retry` that has no effect or contradicts itself.

            ## Why is this bad
            The contract states two things, and only one of them happens. After a `nonRetryable` error, the client does not send
            the request again, whatever `retry` says. After a `retryable` error with `retry: never`, the client does not retry
            either, but the app shows the error as a temporary one. Pauses begin at `base` and are never longer than `cap`, so a
            `base` above `cap` has no effect.

            ## Example
            ```yaml
            busy: {category: retryable, message: Try again., when: {status: 503}, retry: {attempts: 3, base: 5s, cap: 1s}}
            ```
            ## Use instead
            ```yaml
            busy: {category: retryable, message: Try again., when: {status: 503}, retry: {attempts: 3, base: 1s, cap: 5s}}
            ```
            """)

    package static let tags: [RuleTag] = [.retry, .errors]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let contract = subject.contract
        for error in contract.errors {
            guard let retry = error.retry else { continue }
            switch (error.category.value, retry.value) {
            case (.retryable, .never):
                report.add(
                    "`\(error.name.value)` is retryable, but has `retry: never`", at: retry.range,
                    notes: [DiagnosticNote("the category", at: error.category.range)],
                    help: "write `category: nonRetryable`, or remove `retry`")
            case (.nonRetryable, .rule):
                report.add(
                    "the client never retries after `\(error.name.value)`, so its `retry` has no effect",
                    at: retry.range,
                    notes: [DiagnosticNote("the category", at: error.category.range)],
                    help: "remove `retry`, or write `category: retryable`")
            case (.retryable, .rule), (.nonRetryable, .never), (.requiresLogout, _): break
            }
        }
        for rule in subject.writtenRetries {
            guard case .rule(_, let base, let cap?) = rule.value else { continue }
            let first = base ?? RetryRule().base.milliseconds
            guard first > cap else { continue }
            report.add(
                "the first pause is \(TimeText.of(first)), but `cap` limits pauses to \(TimeText.of(cap))",
                at: rule.range,
                help: "write a `cap` that is at least the `base`")
        }
    }
}
