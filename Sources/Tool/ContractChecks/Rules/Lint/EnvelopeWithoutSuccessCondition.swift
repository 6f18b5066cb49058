import ContractModel
import Diagnostics

package enum EnvelopeWithoutSuccessCondition: LintRule {
    package static let kind = FindingKind(
        "envelope-without-success-condition",
        page: """
            An envelope with a `code` and without `success` or `error`.

            ## Why is this bad
            The client then treats every 2xx as a success, whatever its code is. Services with codes often send failures with
            status 200. If the contract does not declare an error for the code, the failure reaches the app as a success or as a
            payload that does not fit.

            ## Example
            ```yaml
            envelopes: {standard: {data: data, code: code, message: msg}}
            ```
            ## Use instead
            ```yaml
            envelopes: {standard: {data: data, code: code, message: msg, success: [100]}}
            ```
            Or write `error:` with a path that only failures have, or `success: status` if the service sends each failure with a status of
            its own, and the code only informs.
            """)

    package static let tags: [RuleTag] = [.envelope]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        // A frame of the kind of failures is never a success.
        if subject.contract.connection?.failure != nil { return }
        for envelope in subject.contract.envelopes
        where envelope.success.isEmpty && envelope.error == nil && !envelope.isDecidedByStatus {
            guard let code = envelope.code else { continue }
            let example = SampleResponse(status: 200, code: "1", isFrame: subject.contract.connection != nil)
            report.add(
                "the envelope does not tell which codes are a success, so \(example.text(in: envelope)) is one, and so is every other code",
                at: code.range,
                notes: [DiagnosticNote("the envelope", at: envelope.name.range)],
                help:
                    "add `success: [100]` with the codes of a success, `error:` with a path that only failures have, or `success: status` if the code only informs"
            )
        }
    }
}
