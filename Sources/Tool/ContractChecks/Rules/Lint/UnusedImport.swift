import ContractModel
import Diagnostics

package enum UnusedImport: LintRule {
    package static let kind = FindingKind(
        "unused-import", .warning,
        page: """
            An import that the contract does not use.

            ## Why is this bad
            An unused import makes this contract depend on another one: a mistake there prevents the generation of this client.

            ## Example
            ```yaml
            imports: [library.contract.yaml]
            ```
            without a use of its types, errors or envelopes.

            ## Use instead
            ```yaml
            getBook: {get: /book, response: Book}
            ```
            """)

    package static let tags: [RuleTag] = [.types]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        guard !subject.contract.imports.isEmpty, subject.isWhole,
            subject.imports.count == subject.contract.imports.count
        else { return }
        let contract = subject.contract
        let types = subject.usedTypeNames
        let errors = Set((contract.defaults.errors + contract.endpoints.flatMap(\.errors)).map(\.value))
        let envelopes = subject.usedEnvelopeNames
        var unused: [Located<String>] = []
        for (place, imported) in zip(contract.imports, subject.imports) {
            let isUsed =
                imported.types.contains { types.contains($0.name.value) }
                || imported.errors.contains { errors.contains($0.name.value) }
                || imported.envelopes.contains { envelopes.contains($0.name.value) }
            if !isUsed { unused.append(place) }
        }
        for (position, place) in unused.enumerated() {
            // If no import is used, one fix removes the key with all of them.
            let isAll = unused.count == contract.imports.count
            report.add(
                "this contract does not use anything from `\(place.value)`", at: place.range, help: "remove the import",
                fix: isAll ? (position == 0 ? removal(of: unused.count, subject) : nil) : fix(place.range, subject))
        }
    }

    /// Removes all imports.
    private static func removal(of count: Int, _ subject: LintSubject) -> Fix? {
        let edit = subject.document.root.mapping?.removal(of: "imports")
        return edit.map {
            Fix(title: "remove the import\(count == 1 ? "" : "s")", applicability: .certain, edits: [$0])
        }
    }

    /// Removes one import from the list.
    private static func fix(_ range: SourceRange, _ subject: LintSubject) -> Fix? {
        guard let list = subject.document.root.mapping?["imports"]?.sequence else { return nil }
        let edit = list.firstIndex { $0.range == range }.flatMap { list.removal(of: $0) }
        return edit.map { Fix(title: "remove the import", applicability: .certain, edits: [$0]) }
    }
}
