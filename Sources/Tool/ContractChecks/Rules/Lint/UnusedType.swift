import ContractModel
import Diagnostics

package enum UnusedType: LintRule {
    package static let kind = FindingKind(
        "unused-type", .note,
        page: """
            A type that no endpoint, error or other type uses.

            ## Why is this bad
            The tool generates it, the compiler compiles it, and people read it when they learn the API, all without a benefit. The
            rule allows types in a contract without endpoints, which exists to be imported.

            ## Example
            ```yaml
            getBook: {get: /book, response: string}
            ```
            beside a type `Book`.

            ## Use instead
            ```yaml
            getBook: {get: /book, response: Book}
            ```
            """)

    package static let tags: [RuleTag] = [.types]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        guard subject.isWhole, !subject.endpoints.isEmpty else { return }
        let used = subject.usedTypeNames
        for type in subject.contract.types where type.inline == nil && !used.contains(type.name.value) {
            report.add(
                "nothing uses the type `\(type.name.value)`", at: type.name.range, help: "remove it, or use it")
        }
    }
}
