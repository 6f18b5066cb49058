import ContractModel
import Diagnostics

package enum MisspelledBuiltInError: LintRule {
    package static let kind = FindingKind(
        "misspelled-built-in-error", .warning,
        page: """
            An error of the contract whose name is that of a built-in error, but for a letter or its spelling.

            ## Why is this bad
            A built-in error is changed by an error of the same name without `when`. One with another name is an error beside the built-in one.
            The built-in error keeps its category and message, and apps that handle it by its name miss the other.

            ## Example
            ```yaml
            throtled: {category: retryable, message: Not so fast., when: {status: 429}}
            ```
            ## Use instead
            ```yaml
            throttled: {category: retryable, message: Not so fast.}
            ```
            Give an error with a meaning of its own a name of its own.
            """)

    package static let tags: [RuleTag] = [.errors, .naming]

    /// English words that are near a built-in name.
    private static let words: Set<String> = ["timeout", "requesttimedout"]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let builtIns = BuiltInError.allCases.map(\.rawValue)
        for error in subject.contract.errors where error.builtIn == nil {
            let name = error.name.value
            guard !words.contains(name.lowercased()), let near = NearSpelling(of: name, among: builtIns), near.isCertain
            else { continue }
            report.add(
                "`\(name)` is an error of its own, but for its spelling the built-in `\(near.candidate)`",
                at: error.name.range,
                help: "write `\(near.candidate)` without `when` to change the built-in error, or choose another name")
        }
    }
}
