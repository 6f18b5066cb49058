import Diagnostics

/// A lint rule: a name, a weight, and a page that says what it is about.
///
/// The doc comment of a rule is its page in `docs/rules.md` and what `errand explain RULE` prints. It has a fixed shape:
/// what the rule finds, `## Why is this bad`, `## Example` and `## Use instead`; the lines of the two examples stand in
/// the rule's failing and passing case, so that they cannot go stale. A rule is named after the bad pattern.
///
/// The runner itself finds what a type is about that is a `Rule` and not a ``LintRule``. What other stages find is a
/// `FindingKind`, which has its page there.
package protocol Rule: Sendable {
    /// In kebab case: `missing-timeout`.
    static var name: String { get }
    static var severity: Severity { get }
    static var tags: [RuleTag] { get }
    /// The same rule where it looks at contracts. A cast would search all of the process for the answer.
    static var asLintRule: (any LintRule.Type)? { get }
}

extension Rule {
    package static var asLintRule: (any LintRule.Type)? { nil }
}

/// A rule that looks at a contract that was read.
package protocol LintRule: Rule {
    static func check(_ subject: LintSubject, _ report: inout RuleReport)
}

extension LintRule {
    package static var asLintRule: (any LintRule.Type)? { Self.self }
}

/// What a rule is about.
package enum RuleTag: String, Sendable, CaseIterable {
    case errors, retry, session, envelope, http, types, naming, security, suppression
}

/// Takes what one rule finds.
package struct RuleReport {
    package private(set) var findings: [Diagnostic] = []
    private let rule: String
    private let severity: Severity

    init(_ rule: any Rule.Type, severity: Severity) {
        self.rule = rule.name
        self.severity = severity
    }

    mutating func add(
        _ message: String, at range: SourceRange, notes: [DiagnosticNote] = [], help: String? = nil, fix: Fix? = nil
    ) {
        findings.append(
            Diagnostic(
                lintRule: rule, severity: severity, message: message, at: range, notes: notes, help: help, fix: fix))
    }
}
