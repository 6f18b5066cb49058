import ContractModel
import Diagnostics

package enum UnusedEnvelope: LintRule {
    package static let kind = FindingKind(
        "unused-envelope", .note,
        page: """
            An envelope that neither an endpoint nor `defaults` uses.

            ## Why is this bad
            Readers take it for a format that the service uses. Most often an endpoint that should use it names another envelope. The
            rule allows envelopes in a contract without endpoints, which exists to be imported.

            ## Example
            ```yaml
            envelopes: {standard: {data: data}, paged: {data: page.data}}
            ```
            without an endpoint that uses `paged`.

            ## Use instead
            ```yaml
            envelopes: {standard: {data: data}}
            ```
            """)

    package static let tags: [RuleTag] = [.envelope]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let contract = subject.contract
        guard subject.isWhole, !contract.endpoints.isEmpty else { return }
        let used = subject.usedEnvelopeNames
        for envelope in contract.envelopes where !used.contains(envelope.name.value) {
            report.add(
                "no endpoint uses the envelope `\(envelope.name.value)`", at: envelope.name.range,
                help: "name it under `envelope` of an endpoint or of `defaults`, or remove it")
        }
    }
}
