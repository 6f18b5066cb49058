import ContractModel
import Diagnostics

/// An endpoint that turns the envelope of `defaults` off for a response that is JSON.
///
/// ## Why is this bad
/// Its failures have no code and no message then, and what the service says inside a 200 goes unnoticed. Most often the
/// payload is merely elsewhere in the envelope. Bytes have no envelope anyway.
///
/// ## Example
/// ```yaml
/// listNews: {get: /news, envelope: none, query: {page: int}, response: [string]}
/// ```
/// ## Use instead
/// ```yaml
/// listNews: {get: /news, envelope: flat, query: {page: int}, response: [string]}
/// ```
/// where `flat` is another envelope, which says where this answer has its parts.
package enum EnvelopeBypassed: LintRule {
    package static let name = "envelope-bypassed"
    package static let severity = Severity.warning
    package static let tags: [RuleTag] = [.envelope]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        guard let usual = subject.contract.defaults.envelope, usual.value != "none" else { return }
        for endpoint in subject.endpoints {
            guard let own = endpoint.written.envelope, own.value == "none" else { continue }
            switch endpoint.written.response.value {
            case .bytes, .none: continue
            case .type, .fields: break
            }
            report.add(
                "`\(endpoint.name)` reads JSON without the envelope that all others have", at: own.range,
                notes: [DiagnosticNote("the usual envelope", at: usual.range)],
                help: "remove it, or declare an envelope that says where this answer has its code and message")
        }
    }
}
