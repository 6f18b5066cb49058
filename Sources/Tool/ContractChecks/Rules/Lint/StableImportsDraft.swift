import ContractModel
import Diagnostics

package enum StableImportsDraft: LintRule {
    package static let kind = FindingKind(
        "stable-imports-draft",
        page: """
            A stable contract that imports a draft.

            ## Why is this bad
            A draft may change incompatibly at any time. The clients of this contract then break, although it promises stability.

            ## Example
            ```yaml
            imports: [sketch.contract.yaml]
            ```
            where the imported contract says `stability: draft`.

            ## Use instead
            ```yaml
            stability: draft
            imports: [sketch.contract.yaml]
            ```
            Or wait until the imported contract is stable.
            """)

    package static let tags: [RuleTag] = [.types]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        guard subject.contract.stability == .stable, subject.imports.count == subject.contract.imports.count else {
            return
        }
        for (place, imported) in zip(subject.contract.imports, subject.imports) where imported.stability == .draft {
            report.add(
                "`\(imported.service.value)` is a draft, but this contract is stable", at: place.range,
                notes: [DiagnosticNote("the draft", at: imported.service.range)],
                help: "write `stability: draft` or `beta` here, or wait until the imported contract is stable")
        }
    }
}
