import ContractModel
import Diagnostics

package enum SessionWithoutIdentity: LintRule {
    package static let kind = FindingKind(
        "session-without-identity", .warning,
        page: """
            A session without `identity`: a warning in a contract with endpoints that write, and a note in other contracts.

            ## Why is this bad
            If a session expires while a money transfer waits, the runtime asks the app for a login and sends the transfer again. If
            another user logs in at the form, the runtime sends the transfer as that user. With `identity` the runtime recognizes the
            change, and the commands of the first user end with `sessionEnded`. Without it, any login that the runtime has not asked for
            ends them, even if the same user logs in again. An outbox keeps a durable command for the login in which it was submitted, and
            never sends it in another one.

            ## Example
            ```yaml
            session: {header: X-Session, login: logIn, token: token}
            ```
            ## Use instead
            ```yaml
            session: {header: X-Session, login: logIn, token: token, identity: user}
            ```
            with the path of the user's name or number in the login's response, or `identity: {claim: sub}` if the token is a
            JSON Web Token, or `identity: {from: getMe, at: id}` if another endpoint says it.
            """)

    package static let tags: [RuleTag] = [.session, .retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        guard subject.isWhole, let session = subject.contract.session else { return }
        let owner = session.from == nil ? session : subject.sharedSession?.session
        guard let owner, owner.login != nil, owner.identity == nil, let place = session.from ?? session.login else {
            return
        }
        // A login, a renewal and a logout belong to the session itself.
        let own = Set([owner.login, owner.refresh, owner.logout].compactMap { $0?.value })
        let endpoints = subject.endpoints.filter { $0.resolved.session != .none && !own.contains($0.name) }
        guard let any = endpoints.first else { return }
        let writing = endpoints.filter { $0.resolved.effect != .read }
        // A durable command is bound to the user for longer than all others.
        let first = writing.first { $0.resolved.durable != nil } ?? writing.first ?? any
        let others = writing.count > 1 ? " (and \(writing.count - 1) more)" : ""
        let file = subject.sharedSession.map { session.from == nil ? "" : " in `\($0.file)`" } ?? ""
        report.add(
            writing.isEmpty
                ? "the session has no `identity`, so the client can send `\(first.name)` of one user with the token of another"
                : "the session has no `identity`, so the client can send `\(first.name)`\(others) as another user after a login",
            at: place.range, isMinor: writing.isEmpty,
            notes: [DiagnosticNote("the endpoint", at: first.written.name.range)],
            help:
                "add `identity`\(file): the path of the user's name or number in the login's response, `{claim: sub}` of a JSON Web Token, or `{from: getMe, at: id}`"
        )
    }
}
