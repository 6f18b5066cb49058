import Diagnostics

/// A comment `# errand:ignore RULE` where there is nothing of that rule to ignore.
///
/// ## Why is this bad
/// The finding that it was about has been fixed, or has moved away from the line below it. When the pattern comes back there,
/// the linter will not report it. What keeps a contract from being generated cannot be ignored at all.
///
/// ## Example
/// ```yaml
/// # errand:ignore verb-in-path the server has it so
/// getBook: {get: /books, response: string}
/// ```
/// ## Use instead
/// ```yaml
/// getBook: {get: /books, response: string}
/// ```
package enum StaleSuppression: Rule {
    package static let name = "stale-suppression"
    package static let severity = Severity.warning
    package static let tags: [RuleTag] = [.suppression]

    /// - Parameter name: Where the rule's name is in the comment.
    static func report(
        rule: String, at range: SourceRange, name: SourceRange?, fix: Fix, _ report: inout RuleReport
    ) {
        if RuleCatalogue.rule(named: rule) != nil || FindingKind.all.contains(where: { $0.name == rule }) {
            report.add(
                "nothing of `\(rule)` is found where this comment points", at: range, help: "remove it", fix: fix)
        } else {
            let near = NearSpelling(of: rule, among: RuleCatalogue.all.map { $0.name })
            report.add(
                rule.isEmpty ? "this comment names no rule" : "there is no rule `\(rule)`", at: range,
                help: near.map { "did you mean `\($0.candidate)`?" }
                    ?? "write `# errand:ignore RULE reason`; `errand rules` lists the rules",
                fix: name.flatMap { near?.fix(at: $0) })
        }
    }
}
