import Diagnostics

/// Two conditions of one rank that one response fulfils, so that the response does not tell which of two errors or outcomes it is.
///
/// ## Why is this bad
/// Rows of a decision table that name the same kinds of things are equals: none goes before the other. A response that
/// two of them match would be classified by chance, and with it whether it is retried. The finding shows the response
/// and both places. Nothing is generated while it stands.
///
/// ## Example
/// ```yaml
/// tokenExpired: {category: requiresLogout, message: Log in., when: {code: 4010}}
/// rateLimited: {category: retryable, message: Wait., when: {code: [4010, 4029]}}
/// ```
/// ## Use instead
/// ```yaml
/// tokenExpired: {category: requiresLogout, message: Log in., when: {code: 4010}}
/// rateLimited: {category: retryable, message: Wait., when: {code: 4029}}
/// ```
/// Or let one of them name more: body goes before code, code before status, more keys before fewer.
package enum ErrorMatchersOverlap: Rule {
    package static let name = "error-matchers-overlap"
    package static let severity = Severity.error
    package static let tags: [RuleTag] = [.errors]
}
