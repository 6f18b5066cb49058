import ContractModel
import Diagnostics

package enum CategoryDiffersAcrossEndpoints: LintRule {
    package static let kind = FindingKind(
        "category-differs-across-endpoints",
        page: """
            A response that is an error of different categories at two endpoints.

            ## Why is this bad
            A code has one meaning for the server. If one endpoint ends the session for it and another endpoint retries, one of
            the two errors is most often a mistake. To users, the app then seems to behave randomly.

            ## Example
            ```yaml
            expired: {category: requiresLogout, message: Please log in., when: {code: 4010}}
            stale: {category: retryable, message: Try again., when: {code: 4010}}
            ```
            ## Use instead
            ```yaml
            expired: {category: requiresLogout, message: Please log in., when: {code: 4010}}
            ```
            listed by both endpoints. If the two responses really differ, make one condition more specific.

            A login is fine: its 401 means that the password is wrong, and the 401 of other endpoints means that the session has ended.
            The rule does not compare the errors of endpoints without a session (`session: none`) with errors that require a logout.
            """)

    package static let tags: [RuleTag] = [.errors]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        var first: [String: (error: ErrorDefinition, condition: Condition)] = [:]
        var tables: [String: Set<ObjectIdentifier>]?
        var sessionless: Set<String>?
        for error in subject.contract.errors {
            for condition in error.conditions where condition.transport.isEmpty && condition.close.isEmpty {
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
                    let publicOnly = sessionless ?? Self.errorsWithoutSession(subject)
                    sessionless = publicOnly
                    guard !isLoginBesideSession(earlier.error, error, publicOnly) else { continue }
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

    /// Whether one of two errors ends the session, and the other occurs only where no session is sent.
    private static func isLoginBesideSession(
        _ first: ErrorDefinition, _ second: ErrorDefinition, _ sessionless: Set<String>
    ) -> Bool {
        first.category.value == .requiresLogout && sessionless.contains(second.name.value)
            || second.category.value == .requiresLogout && sessionless.contains(first.name.value)
    }

    /// The errors that only endpoints without a session list.
    private static func errorsWithoutSession(_ subject: LintSubject) -> Set<String> {
        var without = Set<String>()
        var with = Set<String>()
        for endpoint in subject.endpoints {
            let names = endpoint.errors.map(\.name.value)
            if endpoint.resolved.session == .none { without.formUnion(names) } else { with.formUnion(names) }
        }
        return without.subtracting(with)
    }

    /// The tables that each error is in.
    static func tables(_ subject: LintSubject) -> [String: Set<ObjectIdentifier>] {
        var met = Set<ObjectIdentifier>()
        var tables: [String: Set<ObjectIdentifier>] = [:]
        for table in subject.endpoints.map(\.table) where met.insert(ObjectIdentifier(table)).inserted {
            for error in table.errors { tables[error.name.value, default: []].insert(ObjectIdentifier(table)) }
        }
        return tables
    }

    /// A text for each code (or the lack of one) together with everything else that the condition names.
    static func keys(_ condition: Condition) -> [String] {
        let statuses = condition.statuses.map { "\($0.value)" }.sorted().joined(separator: ",")
        let values = condition.values.map { "\($0.place)=\($0.pattern.spelling)" }.sorted().joined(separator: ",")
        let codes = condition.codes.isEmpty ? [""] : condition.codes.map(\.value.spelling)
        return codes.map { "\(statuses)|\($0)|\(values)" }
    }
}
