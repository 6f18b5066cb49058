import Diagnostics

package enum StaleSuppression: Rule {
    package static let kind = FindingKind(
        "stale-suppression", .warning,
        page: """
            A comment `# errand:ignore RULE` without a finding of that rule.

            ## Why is this bad
            The finding was fixed, or moved away from the line below the comment. If the pattern is written there again, the linter
            does not report it. Errors that prevent generation cannot be ignored. While a contract has such an error, this rule reports
            nothing, because the error can hide the finding that the comment is about.

            ## Example
            ```yaml
            # errand:ignore verb-in-path the server has it so
            getBook: {get: /books, response: string}
            ```
            ## Use instead
            ```yaml
            getBook: {get: /books, response: string}
            ```
            """)

    package static let tags: [RuleTag] = [.suppression]

    /// Reports a comment about a change that is not in its line.
    static func report(ofChange rule: String, at range: SourceRange, fix: Fix, _ report: inout RuleReport) {
        report.add(
            "`\(rule)` finds no change in the line of this comment", at: range,
            help: "write the comment above the line of the finding, or remove it", fix: fix)
    }

    /// - Parameters:
    ///   - rules: The names of all rules.
    ///   - name: Where the rule's name is in the comment.
    static func report(
        rule: String, among rules: [String], at range: SourceRange, name: SourceRange?, fix: Fix,
        _ report: inout RuleReport
    ) {
        if rules.contains(rule) || FindingKind.all.contains(where: { $0.name == rule }) {
            report.add(
                "`\(rule)` finds nothing at this place", at: range, help: "remove the comment", fix: fix)
        } else {
            let near = NearSpelling(of: rule, among: rules)
            report.add(
                rule.isEmpty ? "this comment names no rule" : "there is no rule `\(rule)`", at: range,
                help: near.map { "did you mean `\($0.candidate)`?" }
                    ?? "write `# errand:ignore RULE reason`; `errand rules` lists the rules",
                fix: name.flatMap { near?.fix(at: $0) })
        }
    }
}
