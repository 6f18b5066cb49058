import ContractModel
import Diagnostics

package enum DeprecatedTypeUsed: LintRule {
    package static let kind = FindingKind(
        "deprecated-type-used", .note,
        page: """
            A deprecated type in a field that is not deprecated itself.

            ## Why is this bad
            A caller that uses the field also has to use the type, so the caller cannot avoid the compiler's warning.

            ## Example
            ```yaml
            Book: {title: string, author: Person}
            ```
            where `Person` is deprecated.

            ## Use instead
            ```yaml
            Book: {title: string, author: {type: Person, deprecated: Use writer.}, writer: string}
            ```
            """)

    package static let tags: [RuleTag] = [.types]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let deprecated = Set(subject.types.filter { $0.deprecated != nil }.map(\.name.value))
        guard !deprecated.isEmpty else { return }
        var exempt = Set<SourceRange>()
        for type in subject.contract.types where type.deprecated != nil {
            if case .structure(let fields) = type.form { exempt.formUnion(fields.map(\.name.range)) }
        }
        for field in subject.ownFields where field.deprecated == nil && !exempt.contains(field.name.range) {
            guard let name = field.type.names.first(where: { deprecated.contains($0.value) }) else { continue }
            report.add(
                "`\(field.name.value)` has the type `\(name.value)`, which is deprecated", at: field.typeRange,
                notes: subject.type(named: name.value).map { [DiagnosticNote("the type", at: $0.name.range)] } ?? [],
                help: "use another type, or mark the field `deprecated` as well")
        }
    }
}
