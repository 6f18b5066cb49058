import Diagnostics

/// A login, a renewal, or a request to a URL from anywhere that asks for a session.
///
/// ## Why is this bad
/// Who is not logged in cannot log in then, and a token would travel to whatever host the URL names. Nothing is
/// generated while it stands.
///
/// ## Example
/// ```yaml
/// logIn:
///   post: /sessions
///   session: required
/// ```
/// ## Use instead
/// ```yaml
/// logIn:
///   post: /sessions
///   session: none
/// ```
package enum LoginRequiresSession: Rule {
    package static let name = "login-requires-session"
    package static let severity = Severity.error
    package static let tags: [RuleTag] = [.session, .security]
}
