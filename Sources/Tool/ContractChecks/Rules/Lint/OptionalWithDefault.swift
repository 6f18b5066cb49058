import ContractModel
import Diagnostics

package enum OptionalWithDefault: LintRule {
    package static let kind = FindingKind(
        "optional-with-default", .warning,
        page: """
            A field that is optional and has a default.

            ## Why is this bad
            The default replaces an absent value, so nil can only mean that the server sent null. Still, every use of the field
            has to unwrap it.

            ## Example
            ```yaml
            Book: {title: string, copies: {type: int?, default: 1}}
            ```
            ## Use instead
            ```yaml
            Book: {title: string, copies: {type: int, default: 1}}
            ```
            """)

    package static let tags: [RuleTag] = [.types]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for field in subject.ownFields where field.type.isOptional && !field.distinguishesNull {
            guard let value = field.defaultValue else { continue }
            report.add(
                "`\(field.name.value)` has a default, so it does not need to be optional", at: field.typeRange,
                notes: [DiagnosticNote("the default", at: value.range)],
                help: "write `\(field.type.unwrapped.spelling)`, or remove the default", fix: fix(field, subject))
        }
    }

    /// Removes the `?`, the last character before the default.
    private static func fix(_ field: FieldDefinition, _ subject: LintSubject) -> Fix? {
        let text = subject.document.text(of: field.typeRange)
        let type = text.prefix { $0 != "=" }
        guard field.typeRange.file == subject.contract.file, let mark = type.lastIndex(of: "?"),
            type[type.index(after: mark)...].allSatisfy({ $0 == " " }), !text.contains(where: \.isNewline),
            type.allSatisfy(\.isASCII),
            subject.document.pair(withValueAt: field.typeRange)?.value.scalar?.isPlain == true
        else { return nil }
        var edited = text
        edited.remove(at: mark)
        return Fix(
            title: "remove the `?`", applicability: .needsALook,
            edits: [Fix.Edit(replacing: field.typeRange, with: edited)])
    }
}
