import Diagnostics

package enum SuppressionWithoutReason: Rule {
    package static let kind = FindingKind(
        "suppression-without-reason", .warning,
        page: """
            A comment `# errand:ignore RULE` without a reason.

            ## Why is this bad
            The next reader cannot tell whether the comment is still necessary, and does not dare to remove it.

            ## Example
            ```yaml
            # errand:ignore verb-in-path
            getBook: {get: /getBook, response: string}
            ```
            ## Use instead
            ```yaml
            # errand:ignore verb-in-path the server is not ours
            getBook: {get: /getBook, response: string}
            ```
            """)

    package static let tags: [RuleTag] = [.suppression]

    static func report(rule: String, at range: SourceRange, _ report: inout RuleReport) {
        report.add(
            "this comment has no reason for ignoring `\(rule)`", at: range,
            help: "write the reason after the rule: `# errand:ignore \(rule) reason`")
    }
}
