import ContractModel
import Diagnostics

package enum NoServers: LintRule {
    package static let kind = FindingKind(
        "no-servers", .note,
        page: """
            A contract that has endpoints but no `servers`.

            ## Why is this bad
            The contract does not have the service's URL, so each app has the URL in its own code. When the URL changes, every
            app has to change.

            ## Example
            ```yaml
            errand: 1
            service: Sample
            ```
            ## Use instead
            ```yaml
            errand: 1
            service: Sample
            servers: {main: https://sample.example}
            ```
            """)

    package static let tags: [RuleTag] = [.http]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let contract = subject.contract
        guard subject.isWhole, contract.servers.isEmpty, !contract.endpoints.isEmpty else { return }
        report.add(
            "the contract has no URL for `\(contract.service.value)`", at: contract.service.range,
            help: contract.connection == nil
                ? "write `servers: {production: https://api.example.com}`"
                : "write `servers: {production: \"wss://api.example.com\"}`")
    }
}
