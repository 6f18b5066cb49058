import ContractModel
import Diagnostics

package enum ErrorDataNotInEnvelope: LintRule {
    package static let kind = FindingKind(
        "error-data-not-in-envelope",
        page: """
            An error or an outcome with `data` that no response can contain. Its condition is a transport failure or the text of a body
            that is no JSON, or the endpoint's method is HEAD. (For a status without a body, see [body-on-204](#body-on-204).)

            ## Why is this bad
            The error's data is always nil, so the app's code that reads it never runs.

            ## Example
            ```yaml
            errors:
              cutOff: {category: retryable, message: Try again., when: {transport: lost}, data: {since: timestamp}}
            ```
            ## Use instead
            ```yaml
            errors:
              cutOff: {category: retryable, message: Try again., when: {transport: lost}}
            ```
            """)

    package static let tags: [RuleTag] = [.errors, .envelope]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for error in subject.contract.errors where error.data != nil && error.builtIn == nil {
            guard let first = error.conditions.first,
                error.conditions.allSatisfy({ !$0.transport.isEmpty || !$0.close.isEmpty || $0.text != nil })
            else {
                continue
            }
            report.add(
                (first.text == nil
                    ? "after a failure of the transport there is no response" : "a text that is no JSON has no data")
                    + ", so `\(error.name.value)` never has data",
                at: error.name.range,
                notes: [DiagnosticNote("its condition", at: first.range)],
                help: "remove `data`, or add another condition")
        }
        for endpoint in subject.endpoints {
            for outcome in endpoint.resolved.outcomes
            where outcome.data != nil && outcome.conditions.allSatisfy({ $0.text != nil }) {
                report.add(
                    "a text that is no JSON has no data, so `\(outcome.name.value)` never has data",
                    at: outcome.name.range, help: "remove `data`, or add another condition")
            }
            guard endpoint.resolved.method == .head else { continue }
            for outcome in endpoint.resolved.outcomes where outcome.data != nil {
                report.add(
                    "the response of a HEAD request has no body, so `\(outcome.name.value)` never has data",
                    at: outcome.name.range,
                    help: "remove `data`, or use `get`")
            }
            for (listed, error) in endpoint.ownErrors where error.data != nil {
                report.add(
                    "the response of a HEAD request has no body, so `\(error.name.value)` never has data",
                    at: listed.range,
                    notes: [DiagnosticNote("the error", at: error.name.range)],
                    help: "list an error without `data`, or use `get`")
            }
        }
    }
}
