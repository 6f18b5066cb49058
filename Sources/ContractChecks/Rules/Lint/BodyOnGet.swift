import Diagnostics

/// A GET or HEAD request with a body.
///
/// ## Why is this bad
/// Content in a GET has no meaning (RFC 9110, section 9.3.1): servers, proxies and caches drop it or refuse the request,
/// and URLSession does not send it. Nothing is generated while it stands.
///
/// ## Example
/// ```yaml
/// find: {get: /books, body: {text: string}, response: string}
/// ```
/// ## Use instead
/// ```yaml
/// find: {get: /books, query: {text: string}, response: string}
/// ```
package enum BodyOnGet: Rule {
    package static let name = "body-on-get"
    package static let severity = Severity.error
    package static let tags: [RuleTag] = [.http]
}
