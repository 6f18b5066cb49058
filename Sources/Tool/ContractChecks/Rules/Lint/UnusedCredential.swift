import ContractModel
import Diagnostics

package enum UnusedCredential: LintRule {
    package static let kind = FindingKind(
        "unused-credential", .note,
        page: """
            A credential that no endpoint carries.

            ## Why is this bad
            The app gives the client a secret that no request needs. Most often `credentials` of an endpoint is missing, and the server refuses
            its requests. The rule allows credentials in a contract without endpoints.

            ## Example
            ```yaml
            credentials: {admin: bearer, tenant: {header: X-Tenant}}
            ```
            without an endpoint that carries `tenant`.

            ## Use instead
            ```yaml
            getBook: {get: /book, credentials: admin + tenant, response: string}
            ```
            """)

    package static let tags: [RuleTag] = [.security]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let contract = subject.contract
        guard subject.isWhole, !contract.endpoints.isEmpty, !contract.credentials.isEmpty else { return }
        let used = Set(subject.endpoints.flatMap(\.resolved.credentials).flatMap(\.names))
        for credential in contract.credentials where !used.contains(credential.name.value) {
            report.add(
                "no endpoint carries the credential `\(credential.name.value)`", at: credential.name.range,
                help: "name it under `credentials` of an endpoint or of `defaults`, or remove it")
        }
    }
}
