import Diagnostics

/// An endpoint that asks for a session in a contract that declares none.
///
/// ## Why is this bad
/// Nothing says where the token travels or how one is got. Nothing is generated while it stands.
///
/// ## Example
/// ```yaml
/// ask: {get: /answers, session: required, response: string}
/// ```
/// ## Use instead
/// ```yaml
/// session: {header: Authorization, login: logIn, token: token}
/// ```
package enum SessionUndefined: Rule {
    package static let name = "session-undefined"
    package static let severity = Severity.error
    package static let tags: [RuleTag] = [.session]
}
