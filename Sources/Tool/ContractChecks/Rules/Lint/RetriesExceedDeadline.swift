import ContractModel
import Diagnostics

package enum RetriesExceedDeadline: LintRule {
    package static let kind = FindingKind(
        "retries-exceed-deadline", .warning,
        page: """
            A `retry` with more attempts than fit before the deadline, if each attempt takes as long as its timeout.

            ## Why is this bad
            The client makes fewer attempts than the contract says. When the server is slow and retries matter most, the deadline
            ends the command first.

            ## Example
            ```yaml
            timeout: 20s
            deadline: 50s
            retry: {attempts: 5}
            ```
            ## Use instead
            ```yaml
            timeout: 10s
            deadline: 50s
            retry: {attempts: 5}
            ```
            The rule does not apply to streams, whose deadline does not count the time for which they are open.
            `errand explain SERVICE ENDPOINT` shows when each attempt and each pause begins.
            """)

    package static let tags: [RuleTag] = [.retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        var reported = Set<SourceRange>()
        let defaults = subject.contract.defaults.settings
        // A stream often fails when it is open, and the time for which it is open does not count.
        for endpoint in subject.endpoints where endpoint.resolved.stream == nil {
            let isUnread =
                (endpoint.resolved.timeout == nil && subject.hasUnread("timeout", of: endpoint))
                || (endpoint.resolved.deadline == nil && subject.hasUnread("deadline", of: endpoint))
            if isUnread { continue }
            let written = endpoint.written.settings
            if let place = written.retry?.range ?? written.deadline?.range ?? written.timeout?.range
                ?? defaults.retry?.range ?? defaults.deadline?.range ?? defaults.timeout?.range
            {
                check(
                    AttemptTimeline(endpoint.resolved, connection: subject.contract.connection),
                    of: "`\(endpoint.name)`", at: place, &reported, &report)
            }
            // An error's own rule overrides the endpoint's.
            for error in endpoint.errors where error.category.value == .retryable {
                guard let rule = error.retry, rule.range.file == subject.contract.file else { continue }
                let what = "`\(endpoint.name)` after `\(error.name.value)`"
                check(
                    AttemptTimeline(endpoint.resolved, rule: rule.value, connection: subject.contract.connection),
                    of: what, at: rule.range, &reported, &report)
            }
        }
    }

    private static func check(
        _ timeline: AttemptTimeline, of what: String, at place: SourceRange, _ reported: inout Set<SourceRange>,
        _ report: inout RuleReport
    ) {
        guard timeline.attempts > 1, timeline.begun < timeline.attempts, timeline.timeout <= timeline.deadline,
            reported.insert(place).inserted
        else { return }
        report.add(
            "only \(timeline.begun) of \(timeline.attempts) attempts of \(what) begin within \(TimeText.of(timeline.deadline)), "
                + "if each takes \(TimeText.of(timeline.timeout))",
            at: place, help: "shorten `timeout`, lengthen `deadline`, or write `attempts: \(timeline.begun)`"
        )
    }
}
