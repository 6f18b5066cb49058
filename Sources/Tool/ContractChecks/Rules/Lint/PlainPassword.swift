import ContractModel
import Diagnostics

package enum PlainPassword: LintRule {
    package static let kind = FindingKind(
        "plain-password", .warning,
        page: """
            A field whose name says that it is a secret, without `sensitive: true`.

            ## Why is this bad
            Descriptions, logs, errors and traces contain its value. For the app, a `sensitive` field is an ordinary value.
            Printed text shows a placeholder instead of it. The mark does not keep the value out of the logs of servers: see
            `credential-in-url` and `token-in-url` for a parameter of the query.

            ## Example
            ```yaml
            body: {user: string, password: string}
            ```
            ## Use instead
            ```yaml
            body: {user: string, password: {type: string, sensitive: true}}
            ```
            """)

    package static let tags: [RuleTag] = [.security, .types]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let tokens = sessionTokens(subject)
        let headers = subject.headerFieldPlaces
        // A path parameter cannot be marked. `credential-in-url` reports it.
        let inPath = subject.pathParameterPlaces
        for field in subject.ownFields where subject.primitive(field.type) == .string {
            guard !field.isSensitive,
                SecretName.isSecret(field.name.value) || tokens.contains(field.name.range)
            else { continue }
            if inPath.contains(field.name.range) { continue }
            // `reserved-header` reports a header of this name.
            if headers.contains(field.name.range), field.name.value.lowercased() == "authorization" { continue }
            report.add(
                "`\(field.name.value)` looks like a secret, and logs would contain it", at: field.name.range,
                help: "write `{type: \(field.type.spelling), sensitive: true}`", fix: subject.markingSensitive(field))
        }
    }

    /// The fields that `session` takes the tokens from.
    private static func sessionTokens(_ subject: LintSubject) -> Set<SourceRange> {
        guard let session = subject.session else { return [] }
        var places = Set<SourceRange>()
        for endpoint in subject.endpoints where [session.login, session.refresh].contains(endpoint.name) {
            for path in [session.token, session.refreshToken].compactMap({ $0 }) {
                var fields = subject.fields(of: endpoint.resolved.response.value)
                for (position, key) in path.keys.enumerated() {
                    guard let field = fields.first(where: { $0.name.value == key || $0.wireName == key }) else { break }
                    if position == path.keys.count - 1 { places.insert(field.name.range) }
                    fields = subject.structureFields(of: field.type)
                }
            }
        }
        return places
    }
}
