import ContractModel
import Diagnostics

/// Something that is `deprecated: true`, without a text that says what to use instead.
///
/// ## Why is this bad
/// The compiler warns about each use, and its warning does not say what to use instead.
///
/// ## Example
/// ```yaml
/// findBook: {get: /find, response: string, deprecated: true}
/// ```
/// ## Use instead
/// ```yaml
/// findBook: {get: /find, response: string, deprecated: Use getBook.}
/// ```
package enum DeprecatedWithoutReplacement: LintRule {
    package static let name = "deprecated-without-replacement"
    package static let severity = Severity.warning
    package static let tags: [RuleTag] = [.naming]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let contract = subject.contract
        var names = contract.endpoints.filter { lacksAdvice($0.deprecated) }.map(\.name)
        names += contract.errors.filter { lacksAdvice($0.deprecated) }.map(\.name)
        names += contract.types.filter { lacksAdvice($0.deprecated) }.map(\.name)
        for field in subject.ownFields where lacksAdvice(field.deprecated) { names.append(field.name) }
        for name in names {
            report.add(
                "`\(name.value)` is deprecated without a text that says what to use instead", at: name.range,
                help: "write `deprecated: Use … instead.`")
        }
    }

    private static func lacksAdvice(_ deprecated: Deprecation?) -> Bool {
        deprecated.map { $0.message == nil } ?? false
    }
}
