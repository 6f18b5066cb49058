import ContractModel
import Diagnostics

/// A session without `identity` in a contract with endpoints of effect `keyed` or `once`.
///
/// ## Why is this bad
/// If a session expires while a money transfer waits, the runtime starts a login and sends the transfer again. If another
/// user logs in, the runtime sends the transfer as that user. With `identity` the runtime recognizes the change, and the
/// commands of the first user end with `sessionEnded`.
///
/// ## Example
/// ```yaml
/// session: {header: X-Session, login: logIn, token: token}
/// ```
/// ## Use instead
/// ```yaml
/// session: {header: X-Session, login: logIn, token: token, identity: user}
/// ```
/// with the path of the user's name or number in the login's response, or `identity: {claim: sub}` if the token is a
/// JSON Web Token.
package enum SessionWithoutIdentity: LintRule {
    package static let name = "session-without-identity"
    package static let severity = Severity.note
    package static let tags: [RuleTag] = [.session, .retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        guard subject.isWhole, let session = subject.contract.session else { return }
        let owner = session.from == nil ? session : subject.sharedSession?.session
        guard let owner, owner.login != nil, owner.identity == nil, let place = session.from ?? session.login else {
            return
        }
        let endpoints = subject.endpoints.filter { $0.resolved.session != .none && $0.resolved.effect.isUnsafe }
        guard let first = endpoints.first else { return }
        let others = endpoints.count > 1 ? " (and \(endpoints.count - 1) more)" : ""
        let file = subject.sharedSession.map { session.from == nil ? "" : " in `\($0.file)`" } ?? ""
        report.add(
            "the session has no `identity`, so the client can send `\(first.name)`\(others) as another user after a login",
            at: place.range, notes: [DiagnosticNote("the endpoint", at: first.written.name.range)],
            help:
                "add `identity`\(file): the path of the user's name or number in the login's response, or `{claim: sub}` of a JSON Web Token"
        )
    }
}
