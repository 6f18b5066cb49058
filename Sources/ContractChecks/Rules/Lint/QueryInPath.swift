import Diagnostics

/// A path with a `?` or a `#` in it.
///
/// ## Why is this bad
/// Values in it are not encoded, and what every request carries or a signature covers does not know of them. Nothing is
/// generated while it stands.
///
/// ## Example
/// ```yaml
/// ask: {get: "/answers?sort=new", response: string}
/// ```
/// ## Use instead
/// ```yaml
/// ask: {get: /answers, query: {sort: string = new}, response: string}
/// ```
package enum QueryInPath: Rule {
    package static let name = "query-in-path"
    package static let severity = Severity.error
    package static let tags: [RuleTag] = [.http]
}
