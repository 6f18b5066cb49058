import ContractModel
import Diagnostics

/// An amount of money as `double` or `float`.
///
/// ## Why is this bad
/// Binary fractions have no 0.10: what is read, added and sent back is another amount. `decimal` is read and written from
/// its text and never passes through binary.
///
/// ## Example
/// ```yaml
/// Invoice: {number: int, amount: double}
/// ```
/// ## Use instead
/// ```yaml
/// Invoice: {number: int, amount: decimal}
/// ```
package enum MoneyAsDouble: LintRule {
    package static let name = "money-as-double"
    package static let severity = Severity.warning
    package static let tags: [RuleTag] = [.types]

    private static let words: Set<String> = ["amount", "price", "balance", "fee", "cost", "salary", "tax", "discount", "money", "subtotal", "payment"]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for field in subject.ownFields {
            let type = subject.expanded(field.type.unwrapped).unwrapped
            guard type == .primitive(.double) || type == .primitive(.float),
                  NameWords.of(field.name.value).contains(where: words.contains) else { continue }
            report.add("`\(field.name.value)` is money, and a `\(type.spelling)` has no exact cents", at: field.typeRange,
                       help: "write `decimal`",
                       fix: subject.replacingType(type.spelling, of: field, with: "decimal"))
        }
    }
}
