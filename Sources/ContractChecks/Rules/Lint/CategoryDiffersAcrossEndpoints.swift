import ContractModel
import Diagnostics

/// A response that is an error of different categories at two endpoints.
///
/// ## Why is this bad
/// A code has one meaning for the server. If one endpoint ends the session for it and another endpoint retries, one of
/// the two errors is most often a mistake. To users, the app then seems to behave randomly.
///
/// ## Example
/// ```yaml
/// expired: {category: requiresLogout, message: Please log in., when: {code: 4010}}
/// stale: {category: retryable, message: Try again., when: {code: 4010}}
/// ```
/// ## Use instead
/// ```yaml
/// expired: {category: requiresLogout, message: Please log in., when: {code: 4010}}
/// ```
/// listed by both endpoints. If the two responses really differ, make one condition more specific.
package enum CategoryDiffersAcrossEndpoints: LintRule {
    package static let name = "category-differs-across-endpoints"
    package static let severity = Severity.error
    package static let tags: [RuleTag] = [.errors]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        var first: [String: (error: ErrorDefinition, condition: Condition)] = [:]
        var tables: [String: Set<ObjectIdentifier>]?
        for error in subject.contract.errors {
            for condition in error.conditions where condition.transport.isEmpty {
                for key in keys(condition) {
                    guard let earlier = first[key] else {
                        first[key] = (error, condition)
                        continue
                    }
                    guard earlier.error.category.value != error.category.value else { continue }
                    let known = tables ?? Self.tables(subject)
                    tables = known
                    // Where one endpoint has both, they overlap, which is an error of its own.
                    guard known[earlier.error.name.value]?.isDisjoint(with: known[error.name.value] ?? []) ?? true
                    else { continue }
                    report.add(
                        "at another endpoint the same response is `\(earlier.error.name.value)`, which is \(earlier.error.category.value.rawValue), "
                            + "but here it is \(error.category.value.rawValue)",
                        at: error.category.range,
                        notes: [
                            DiagnosticNote(
                                "the other category",
                                at: earlier.error.category.range),
                            DiagnosticNote(
                                "its condition there",
                                at: earlier.condition.range),
                        ],
                        help: "use one error for both, or make one of the conditions more specific"
                    )
                }
            }
        }
    }

    /// The tables that each error is in.
    private static func tables(_ subject: LintSubject) -> [String: Set<ObjectIdentifier>] {
        var met = Set<ObjectIdentifier>()
        var tables: [String: Set<ObjectIdentifier>] = [:]
        for table in subject.endpoints.map(\.table) where met.insert(ObjectIdentifier(table)).inserted {
            for error in table.errors { tables[error.name.value, default: []].insert(ObjectIdentifier(table)) }
        }
        return tables
    }

    /// A text for each code (or the lack of one) together with everything else that the condition names.
    private static func keys(_ condition: Condition) -> [String] {
        let statuses = condition.statuses.map { "\($0.value)" }.sorted().joined(separator: ",")
        let body = condition.body.map { "\($0.path.value.text)=\($0.text.value)" }.sorted().joined(separator: ",")
        let codes = condition.codes.isEmpty ? [""] : condition.codes.map(\.value.spelling)
        return codes.map { "\(statuses)|\($0)|\(body)" }
    }
}
