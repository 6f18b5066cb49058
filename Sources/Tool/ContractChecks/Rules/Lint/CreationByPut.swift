import ContractModel
import Diagnostics

package enum CreationByPut: LintRule {
    package static let kind = FindingKind(
        "creation-by-put", .warning,
        page: """
            A PUT on a collection whose response has an identifier that the request does not have.

            ## Why is this bad
            A PUT writes the resource at its URL, and the client may send it again (RFC 9110, section 9.3.4). If the server chooses the identifier,
            each repetition creates another resource.

            ## Example
            ```yaml
            createUser: {put: /users, body: {name: string}, response: {id: int}}
            ```
            ## Use instead
            ```yaml
            createUser: {post: /users, body: {name: string}, response: {id: int}, effect: keyed}
            ```
            Write `once` if the server does not support a key. If the app chooses the identifier, put it into the path: `put: "/users/{id}"`.
            """)

    package static let tags: [RuleTag] = [.http, .retry]

    private static let verbs: Set<String> = ["create", "add", "register", "insert", "new"]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints
        where endpoint.resolved.method == .put && endpoint.resolved.effect == .idempotent {
            guard case .http(_, let path) = endpoint.written.target, case .path(let parts) = path.value,
                case .text(let end)? = parts.last, let segment = end.split(separator: "/").last,
                verbs.contains(NameWords.of(endpoint.name).first ?? "") || isCollection(segment),
                let id = identifier(of: endpoint, subject)
            else { continue }
            report.add(
                "`\(endpoint.name)` gets `\(id.name.value)` from the server, so a second PUT creates a second resource",
                at: path.range,
                help: "use `post` with `effect: keyed` or `once`, or put an identifier of the app into the path")
        }
    }

    /// `/users`, but not `/settings`.
    private static func isCollection(_ segment: Substring) -> Bool {
        let singular: Set<String> = [
            "settings", "preferences", "details", "permissions", "options", "status", "address", "progress", "access",
            "credentials", "contents", "tags", "limits", "roles", "labels", "members",
        ]
        return segment.hasSuffix("s") && !singular.contains(segment.lowercased())
    }

    /// The identifier in the response, if the request has none.
    private static func identifier(of endpoint: LintedEndpoint, _ subject: LintSubject) -> FieldDefinition? {
        var inputs = endpoint.resolved.query + (endpoint.resolved.path?.parameters ?? [])
        switch endpoint.resolved.body?.content {
        case .fields(let fields)?: inputs += fields
        case .type(let type, _)?: inputs += subject.structureFields(of: type)
        case .bytes?, nil: break
        }
        guard !inputs.contains(where: isIdentifier) else { return nil }
        return subject.fields(of: endpoint.resolved.response.value).first { $0.name.value.lowercased() == "id" }
    }

    private static func isIdentifier(_ field: FieldDefinition) -> Bool {
        ["id", "ids", "uuid", "key", "name", "slug"].contains(NameWords.of(field.name.value).last ?? "")
            && field.name.value.lowercased() != "name"
    }
}
