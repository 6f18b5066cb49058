import ContractModel
import Diagnostics

package enum EnvelopeBypassed: LintRule {
    package static let kind = FindingKind(
        "envelope-bypassed", .warning,
        page: """
            An endpoint with a JSON response and `envelope: none`, in a contract whose `defaults` have an envelope.

            ## Why is this bad
            The endpoint's failures then have no code and no message, and the client does not notice a failure inside a 200.
            Most often the payload is only at another path of the envelope. The rule does not apply to bytes, which never have
            an envelope, and to documents in XML.

            ## Example
            ```yaml
            listNews: {get: /news, envelope: none, query: {page: int}, response: [string]}
            ```
            ## Use instead
            ```yaml
            listNews: {get: /news, envelope: flat, query: {page: int}, response: [string]}
            ```
            where `flat` is an envelope with the paths of this response.
            """)

    package static let tags: [RuleTag] = [.envelope]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        guard let usual = subject.contract.defaults.settings.envelope, usual.value != "none" else { return }
        for endpoint in subject.endpoints {
            guard let own = endpoint.written.envelope, own.value == "none", endpoint.written.xmlResponse == nil else {
                continue
            }
            switch endpoint.written.response.value {
            case .bytes, .none: continue
            case .type, .fields: break
            }
            report.add(
                "`\(endpoint.name)` has a JSON response, but does not use the envelope of `defaults`", at: own.range,
                notes: [DiagnosticNote("the usual envelope", at: usual.range)],
                help: "remove `envelope: none`, or declare an envelope with the paths of this response")
        }
    }
}
