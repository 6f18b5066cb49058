import ContractModel
import Diagnostics

package enum SameConditionTwice: LintRule {
    package static let kind = FindingKind(
        "same-condition-twice", .note,
        page: """
            Two errors that are recognized by the same code or value in the body.

            ## Why is this bad
            A code has one meaning for the server. With two names for it, the app handles one of them and misses the other, and the two
            messages drift apart. The rule does not apply to conditions with nothing but a status, whose meaning depends on the endpoint.

            ## Example
            ```yaml
            soldOut: {category: nonRetryable, message: Sold out., when: {code: 3001}}
            outOfStock: {category: nonRetryable, message: There is none left., when: {code: 3001}}
            ```
            ## Use instead
            ```yaml
            soldOut: {category: nonRetryable, message: Sold out., when: {code: 3001}}
            ```
            listed by both endpoints.
            """)

    package static let tags: [RuleTag] = [.errors]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        var first: [String: (error: ErrorDefinition, condition: Condition)] = [:]
        var tables: [String: Set<ObjectIdentifier>]?
        for error in subject.contract.errors {
            for condition in error.conditions where !condition.isOfStatusAlone {
                for key in CategoryDiffersAcrossEndpoints.keys(condition) {
                    guard let earlier = first[key] else {
                        first[key] = (error, condition)
                        continue
                    }
                    // Of two categories, one is a mistake, which is a finding of its own. So is an overlap at one endpoint.
                    guard earlier.error.name.value != error.name.value,
                        earlier.error.category.value == error.category.value,
                        earlier.error.data == nil || error.data == nil
                    else { continue }
                    let known = tables ?? CategoryDiffersAcrossEndpoints.tables(subject)
                    tables = known
                    guard known[earlier.error.name.value]?.isDisjoint(with: known[error.name.value] ?? []) ?? true
                    else { continue }
                    report.add(
                        "`\(error.name.value)` has the same condition as `\(earlier.error.name.value)`",
                        at: condition.range,
                        notes: [DiagnosticNote("the other condition", at: earlier.condition.range)],
                        help: "use one error at both endpoints")
                    break
                }
            }
        }
    }
}
