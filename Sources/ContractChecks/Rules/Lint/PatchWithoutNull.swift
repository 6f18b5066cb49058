import ContractModel
import Diagnostics

/// A PATCH whose optional fields cannot be set to null.
///
/// ## Why is this bad
/// In a PATCH, a field that is absent stays as it is and a field that is null is taken away (RFC 7396). An optional that is
/// nil is absent, so the app can change such a field and never clear it.
///
/// ## Example
/// ```yaml
/// changeBook: {patch: "/books/{number:int}", body: {subtitle: string?}, effect: idempotent}
/// ```
/// ## Use instead
/// ```yaml
/// changeBook: {patch: "/books/{number:int}", body: {subtitle: {type: string?, nullable: distinct}}, effect: idempotent}
/// ```
/// An endpoint that has one such field is left alone: the others are meant to stay.
package enum PatchWithoutNull: LintRule {
    package static let name = "patch-without-null"
    package static let severity = Severity.note
    package static let tags: [RuleTag] = [.http, .types]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints where endpoint.resolved.method == .patch {
            guard let body = endpoint.resolved.body, body.encoding == .json else { continue }
            let fields: [FieldDefinition]
            switch body.content {
            case .fields(let own): fields = own
            case .type(let type, _): fields = subject.structureFields(of: type)
            case .bytes: continue
            }
            guard !fields.contains(where: \.distinguishesNull), let field = fields.first(where: \.type.isOptional)
            else {
                continue
            }
            report.add(
                "`\(endpoint.name)` cannot set `\(field.name.value)` to null", at: field.name.range,
                help: "write `{type: \(field.type.spelling), nullable: distinct}`")
        }
    }
}
