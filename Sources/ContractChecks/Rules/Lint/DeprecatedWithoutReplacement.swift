import ContractModel
import Diagnostics

/// Something that is deprecated without a word about what to use instead.
///
/// ## Why is this bad
/// The compiler warns whoever uses it, and cannot say what to do about the warning.
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
        var all = contract.endpoints.map { ($0.name, $0.deprecated) } + contract.errors.map { ($0.name, $0.deprecated) }
        all += contract.types.map { ($0.name, $0.deprecated) } + subject.ownFields.map { ($0.name, $0.deprecated) }
        for (name, deprecated) in all where deprecated.map({ $0.message == nil }) == true {
            report.add("`\(name.value)` is deprecated, and nothing says what to use instead", at: name.range,
                       help: "write `deprecated: Use … instead.`")
        }
    }
}
