import ContractModel
import Diagnostics

/// An envelope with a `code` that says neither which codes are a success nor where an `error` would be.
///
/// ## Why is this bad
/// Every 2xx is a success then, whatever its code says. Services with codes answer failures with 200, so all of those that
/// no error of the contract names reach the app as successes, or as payloads that do not fit.
///
/// ## Example
/// ```yaml
/// envelopes: {standard: {data: data, code: code, message: msg}}
/// ```
/// ## Use instead
/// ```yaml
/// envelopes: {standard: {data: data, code: code, message: msg, success: [100]}}
/// ```
/// Or `error:` with the path that only failures have.
package enum EnvelopeWithoutSuccessCondition: LintRule {
    package static let name = "envelope-without-success-condition"
    package static let severity = Severity.error
    package static let tags: [RuleTag] = [.envelope]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for envelope in subject.contract.envelopes where envelope.success.isEmpty && envelope.error == nil {
            guard let code = envelope.code else { continue }
            let example = SampleResponse(status: 200, code: "1")
            report.add(
                "\(example.text(in: envelope)) is a success, and so is every other code", at: code.range,
                notes: [DiagnosticNote("the envelope", at: envelope.name.range)],
                help:
                    "add `success: [100]` with the codes of a success, or `error:` with a path that only failures have")
        }
    }
}
