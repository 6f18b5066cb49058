import ContractModel
import Diagnostics

/// A path of an envelope that leads through another part of it which is a plain value.
///
/// ## Why is this bad
/// A code is a number or a text, so there is nothing inside it. The part is never found: the message is always missing,
/// or no answer ever counts as a failure.
///
/// ## Example
/// ```yaml
/// envelopes: {standard: {data: data, error: error, code: error, message: error.text}}
/// ```
/// ## Use instead
/// ```yaml
/// envelopes: {standard: {data: data, error: error, code: error.code, message: error.text}}
/// ```
package enum EnvelopePathUnknown: LintRule {
    package static let name = "envelope-path-unknown"
    package static let severity = Severity.error
    package static let tags: [RuleTag] = [.envelope]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for envelope in subject.contract.envelopes {
            let parts = [
                ("data", envelope.data), ("list", envelope.list), ("code", envelope.code),
                ("message", envelope.message),
                ("error", envelope.error),
            ]
            for (name, path) in parts {
                guard let path, let code = envelope.code, path.value.keys.count > code.value.keys.count,
                    path.value.keys.starts(with: code.value.keys)
                else { continue }
                report.add(
                    "`\(code.value.text)` is the code, a plain value, so there is no `\(path.value.text)` for the \(name)",
                    at: path.range,
                    notes: [DiagnosticNote("the code", at: code.range)],
                    help: "write the path from the top of the body, with dots between keys")
            }
        }
    }
}
