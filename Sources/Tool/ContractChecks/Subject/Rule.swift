import Diagnostics

/// A kind of finding whose severity a project can change, in a file of its own. Its page has the lines of the rule's failing and
/// passing case as its examples, so that they stay correct.
///
/// The runner itself makes the findings of a type that is a `Rule` but not a ``LintRule``.
package protocol Rule: Sendable {
    static var kind: FindingKind { get }
    static var tags: [RuleTag] { get }
    /// The same rule as one that examines contracts. A cast would search the whole process for the conformance.
    static var asLintRule: (any LintRule.Type)? { get }
}

extension Rule {
    package static var name: String { kind.name }
    package static var severity: Severity { kind.severity }
    package static var asLintRule: (any LintRule.Type)? { nil }
}

/// A rule that looks at a contract that was read.
package protocol LintRule: Rule {
    /// Whether the runner reports findings with the same message once, with the number of their places.
    static var joinsPlaces: Bool { get }
    static func check(_ subject: LintSubject, _ report: inout RuleReport)
}

extension LintRule {
    package static var joinsPlaces: Bool { false }
    package static var asLintRule: (any LintRule.Type)? { Self.self }
}

/// The subject of a rule.
package enum RuleTag: String, Sendable, CaseIterable {
    case errors, retry, session, envelope, http, types, naming, security, suppression
}

/// Takes what one rule finds.
package struct RuleReport {
    package private(set) var findings: [Diagnostic] = []
    private let rule: String
    private let severity: Severity
    /// Whether the severity is the rule's own, and not a setting of the project.
    private let isRulesOwn: Bool

    init(_ rule: any Rule.Type, severity: Severity) {
        self.rule = rule.name
        self.severity = severity
        isRulesOwn = severity == rule.severity
    }

    /// - Parameter isMinor: whether this finding is only a note, unless the project has set another severity for the rule.
    mutating func add(
        _ message: String, at range: SourceRange, isMinor: Bool = false, notes: [DiagnosticNote] = [],
        help: String? = nil, fix: Fix? = nil
    ) {
        findings.append(
            Diagnostic(
                lintRule: rule, severity: isMinor && isRulesOwn ? .note : severity, message: message, at: range,
                notes: notes, help: help, fix: fix))
    }

    /// One finding in place of several with the same message: at the place of the first, with the edits of all.
    static func joined(_ findings: [Diagnostic]) -> Diagnostic? {
        guard let first = findings.first, let range = first.range, findings.count > 1 else { return findings.first }
        let edits = findings.flatMap { $0.fix?.edits ?? [] }
        let fix = findings.lazy.compactMap(\.fix).first.map {
            Fix(title: $0.title, applicability: $0.applicability, edits: edits)
        }
        return Diagnostic(
            lintRule: first.rule, severity: first.severity,
            message: first.message + " (in \(findings.count) places)", at: range, notes: first.notes,
            help: first.help, fix: fix)
    }
}
