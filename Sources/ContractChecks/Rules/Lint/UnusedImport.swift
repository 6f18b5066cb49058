import ContractModel
import Diagnostics

/// An import of which nothing is used.
///
/// ## Why is this bad
/// It ties two contracts together that have nothing to do with each other: a mistake in the one keeps the other from being
/// generated.
///
/// ## Example
/// ```yaml
/// imports: [library.contract.yaml]
/// ```
/// with none of its types, errors or envelopes in use.
///
/// ## Use instead
/// ```yaml
/// getBook: {get: /book, response: Book}
/// ```
package enum UnusedImport: LintRule {
    package static let name = "unused-import"
    package static let severity = Severity.warning
    package static let tags: [RuleTag] = [.types]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        guard !subject.contract.imports.isEmpty, subject.isWhole,
            subject.imports.count == subject.contract.imports.count
        else { return }
        let contract = subject.contract
        let types = subject.usedTypeNames
        let errors = Set((contract.defaults.errors + contract.endpoints.flatMap(\.errors)).map(\.value))
        let envelopes = Set(
            ([contract.defaults.envelope] + contract.endpoints.map(\.envelope)).compactMap { $0?.value })
        var unused: [Located<String>] = []
        for (place, imported) in zip(contract.imports, subject.imports) {
            let isUsed =
                imported.types.contains { types.contains($0.name.value) }
                || imported.errors.contains { errors.contains($0.name.value) }
                || imported.envelopes.contains { envelopes.contains($0.name.value) }
            if !isUsed { unused.append(place) }
        }
        for (position, place) in unused.enumerated() {
            // The key goes with the last of them, so that one fix is for all.
            let isAll = unused.count == contract.imports.count
            report.add(
                "nothing of `\(place.value)` is used here", at: place.range, help: "remove the import",
                fix: isAll ? (position == 0 ? removal(of: unused.count, subject) : nil) : fix(place.range, subject))
        }
    }

    /// Takes all imports away.
    private static func removal(of count: Int, _ subject: LintSubject) -> Fix? {
        let edit = subject.document.root.mapping?.removal(of: "imports")
        return edit.map {
            Fix(title: "remove the import\(count == 1 ? "" : "s")", applicability: .certain, edits: [$0])
        }
    }

    /// What nothing is used of is not missed.
    private static func fix(_ range: SourceRange, _ subject: LintSubject) -> Fix? {
        guard let list = subject.document.root.mapping?["imports"]?.sequence else { return nil }
        let edit = list.firstIndex { $0.range == range }.flatMap { list.removal(of: $0) }
        return edit.map { Fix(title: "remove the import", applicability: .certain, edits: [$0]) }
    }
}
