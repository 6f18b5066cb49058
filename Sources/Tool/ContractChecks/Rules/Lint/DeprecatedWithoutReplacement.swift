import ContractModel
import Diagnostics

package enum DeprecatedWithoutReplacement: LintRule {
    package static let kind = FindingKind(
        "deprecated-without-replacement", .warning,
        page: """
            Something that is `deprecated: true`, without a text that says what to use instead.

            ## Why is this bad
            The compiler warns about each use, and its warning does not say what to use instead.

            ## Example
            ```yaml
            findBook: {get: /find, response: string, deprecated: true}
            ```
            ## Use instead
            ```yaml
            findBook: {get: /find, response: string, deprecated: Use getBook.}
            ```
            """)

    package static let tags: [RuleTag] = [.naming]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for (name, deprecation) in subject.deprecations where deprecation.message == nil {
            report.add(
                "`\(name.value)` is deprecated without a text that says what to use instead", at: name.range,
                help: "write `deprecated: Use … instead.`")
        }
    }
}

extension LintSubject {
    /// What the contract itself deprecates.
    var deprecations: [(name: Located<String>, deprecation: Deprecation)] {
        let all =
            contract.endpoints.map { ($0.name, $0.deprecated) } + contract.errors.map { ($0.name, $0.deprecated) }
            + contract.types.map { ($0.name, $0.deprecated) } + contract.events.map { ($0.name, $0.deprecated) }
            + ownFields.map { ($0.name, $0.deprecated) }
        return all.compactMap { name, deprecation in deprecation.map { (name, $0) } }
    }
}
