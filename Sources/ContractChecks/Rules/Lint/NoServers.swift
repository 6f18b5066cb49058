import ContractModel
import Diagnostics

/// A contract with endpoints and without `servers`.
///
/// ## Why is this bad
/// The contract does not say where the service is, so each app writes the address into its own code, and a change of
/// the address has to be found in every app.
///
/// ## Example
/// ```yaml
/// errand: 1
/// service: Sample
/// ```
/// ## Use instead
/// ```yaml
/// errand: 1
/// service: Sample
/// servers: {main: https://sample.example}
/// ```
package enum NoServers: LintRule {
    package static let name = "no-servers"
    package static let severity = Severity.note
    package static let tags: [RuleTag] = [.http]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let contract = subject.contract
        guard subject.isWhole, contract.servers.isEmpty, !contract.endpoints.isEmpty else { return }
        report.add(
            "the contract does not say where `\(contract.service.value)` is", at: contract.service.range,
            help: "write `servers: {production: https://api.example.com}`")
    }
}
