import ContractModel
import Diagnostics

package enum PatchWithoutNull: LintRule {
    package static let kind = FindingKind(
        "patch-without-null", .note,
        page: """
            A PATCH whose optional fields cannot be set to null.

            ## Why is this bad
            A PATCH keeps a field that is absent and removes a field that is null (RFC 7396). The client leaves out an optional that
            is nil, so the app can change such a field but cannot clear it.

            ## Example
            ```yaml
            changeBook: {patch: "/books/{number:int}", body: {subtitle: string?}, effect: idempotent}
            ```
            ## Use instead
            ```yaml
            changeBook: {patch: "/books/{number:int}", body: {subtitle: {type: string?, nullable: distinct}}, effect: idempotent}
            ```
            The rule allows an endpoint that has at least one such field, because its other fields are then kept on purpose.
            """)

    package static let tags: [RuleTag] = [.http, .types]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints where endpoint.resolved.method == .patch {
            guard let body = endpoint.resolved.body, body.isDocument else { continue }
            let fields: [FieldDefinition]
            switch body.content {
            case .fields(let own): fields = own
            case .type(let type, _): fields = subject.structureFields(of: type)
            case .bytes: continue
            }
            guard !fields.contains(where: \.distinguishesNull),
                let field = fields.first(where: { $0.type.isOptional && !$0.writesNull })
            else { continue }
            report.add(
                "`\(endpoint.name)` cannot set `\(field.name.value)` to null", at: field.name.range,
                help: "write `{type: \(field.type.spelling), nullable: distinct}`")
        }
    }
}
