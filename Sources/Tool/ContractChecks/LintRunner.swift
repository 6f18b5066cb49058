import ContractModel
import Diagnostics

/// Runs rules over contracts.
///
///     ContractExamination ─▶ LintSubject ─ each rule ─▶ findings ─ settings, suppressions ─▶ joined ─▶ [Diagnostic]
///
/// The findings from reading the contract come first and cannot be turned off, because they prevent generation.
///
/// Architecture invariant: a rule sees one subject and never another rule's findings, so the order of rules does not matter.
package struct LintRunner: Sendable {
    package var settings: RuleSettings
    package var rules: [any LintRule.Type]
    /// The day for `expired-pin`, the only rule that looks at the day; nil to leave it out.
    package var today: CalendarDay?

    package init(
        settings: RuleSettings = RuleSettings(), rules: [any LintRule.Type] = RuleCatalog.lint,
        today: CalendarDay? = nil
    ) {
        self.settings = settings
        self.rules = rules
        self.today = today
    }

    /// Everything that is wrong with a contract, in the order that reports print it.
    package func run(_ examination: ContractExamination) -> [Diagnostic] {
        let read = DiagnosticBag(examination.findings)
        guard let subject = LintSubject(examination, today: today) else { return read.sorted() }
        var findings: [Diagnostic] = []
        for rule in rules {
            guard let severity = settings.severity(of: rule, in: examination.file) else { continue }
            var report = RuleReport(rule, severity: severity)
            rule.check(subject, &report)
            findings += report.findings
        }
        let suppressions = Suppressions(in: subject.document)
        var result = read
        let remaining = suppressions.remaining(of: findings, isWhole: subject.isWhole) {
            settings.severity(of: $0, in: examination.file)
        }
        result.add(contentsOf: joined(remaining))
        // Rules write `\n`, regardless of the file's line breaks.
        return result.sorted().map { $0.withLineBreaks(of: subject.document.bytes, in: examination.file) }
    }

    /// One finding in place of those of a rule with the same message. Suppressions come first, so that a comment at any of the
    /// places applies to its own place only.
    private func joined(_ findings: [Diagnostic]) -> [Diagnostic] {
        let joining = Set(rules.filter { $0.joinsPlaces }.map { $0.name })
        var result: [Diagnostic] = []
        var groups: [String: [Diagnostic]] = [:]
        var order: [String] = []
        for finding in findings {
            guard joining.contains(finding.rule) else {
                result.append(finding)
                continue
            }
            let key = "\(finding.rule): \(finding.message)"
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(finding)
        }
        return result + order.compactMap { groups[$0].flatMap(RuleReport.joined) }
    }
}
