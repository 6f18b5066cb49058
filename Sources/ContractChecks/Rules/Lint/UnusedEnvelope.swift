import ContractModel
import Diagnostics

/// An envelope that no endpoint has, nor `defaults`.
///
/// ## Why is this bad
/// It reads like a promise of the service. Most often the endpoint that was meant to have it has another one. Envelopes of a
/// contract without endpoints are there to be imported and are left alone.
///
/// ## Example
/// ```yaml
/// envelopes: {standard: {data: data}, paged: {data: page.data}}
/// ```
/// with no endpoint that has `paged`.
///
/// ## Use instead
/// ```yaml
/// envelopes: {standard: {data: data}}
/// ```
package enum UnusedEnvelope: LintRule {
    package static let name = "unused-envelope"
    package static let severity = Severity.note
    package static let tags: [RuleTag] = [.envelope]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let contract = subject.contract
        guard subject.isWhole, !contract.endpoints.isEmpty else { return }
        let used = Set(([contract.defaults.envelope] + contract.endpoints.map(\.envelope)).compactMap { $0?.value })
        for envelope in contract.envelopes where !used.contains(envelope.name.value) {
            report.add(
                "no endpoint has the envelope `\(envelope.name.value)`", at: envelope.name.range,
                help: "name it under `envelope` of an endpoint or of `defaults`, or remove it")
        }
    }
}
