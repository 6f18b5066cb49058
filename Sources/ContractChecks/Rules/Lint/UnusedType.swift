import ContractModel
import Diagnostics

/// A type that no endpoint, no error and no other type mentions.
///
/// ## Why is this bad
/// It is generated, compiled and read by people who learn the API, for nothing. A contract without endpoints, which is there
/// to be imported, is left alone.
///
/// ## Example
/// ```yaml
/// getBook: {get: /book, response: string}
/// ```
/// beside a type `Book`.
///
/// ## Use instead
/// ```yaml
/// getBook: {get: /book, response: Book}
/// ```
package enum UnusedType: LintRule {
    package static let name = "unused-type"
    package static let severity = Severity.note
    package static let tags: [RuleTag] = [.types]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        guard subject.isWhole, !subject.endpoints.isEmpty else { return }
        let used = subject.usedTypeNames
        for type in subject.contract.types where type.inline == nil && !used.contains(type.name.value) {
            report.add(
                "nothing mentions the type `\(type.name.value)`", at: type.name.range, help: "remove it, or use it")
        }
    }
}
