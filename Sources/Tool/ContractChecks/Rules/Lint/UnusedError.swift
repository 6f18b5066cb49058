import ContractModel
import Diagnostics

package enum UnusedError: LintRule {
    package static let kind = FindingKind(
        "unused-error", .note,
        page: """
            An error that neither an endpoint nor `defaults` lists.

            ## Why is this bad
            The client never recognizes this error, although readers take it for an error of the service. Most often an endpoint
            that should list it does not. The rule allows errors in a contract without endpoints, which exists to be imported.

            ## Example
            ```yaml
            ask: {get: /answers, response: string}
            ```
            with an error that no endpoint lists.

            ## Use instead
            ```yaml
            ask: {get: /answers, response: string, errors: [noSuchAnswer]}
            ```
            """)

    package static let tags: [RuleTag] = [.errors]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        guard subject.isWhole, !subject.endpoints.isEmpty else { return }
        let used = Set((subject.contract.defaults.errors + subject.contract.endpoints.flatMap(\.errors)).map(\.value))
        for error in subject.contract.errors where error.builtIn == nil && !used.contains(error.name.value) {
            report.add(
                "no endpoint can fail with `\(error.name.value)`", at: error.name.range,
                help: "list it under `errors` of an endpoint or of `defaults`, or remove it")
        }
    }
}
