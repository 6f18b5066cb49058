import Diagnostics

/// A `paginate` that names a query parameter which the endpoint does not have.
///
/// ## Why is this bad
/// Pages cannot be turned: the number of the page goes nowhere. Nothing is generated while it stands.
///
/// ## Example
/// ```yaml
/// paginate: {page: page}
/// ```
/// on an endpoint without a `page` in its query.
///
/// ## Use instead
/// ```yaml
/// query: {page: int = 1}
/// ```
package enum PageParameterMissing: Rule {
    package static let name = "page-parameter-missing"
    package static let severity = Severity.error
    package static let tags: [RuleTag] = [.http]
}
