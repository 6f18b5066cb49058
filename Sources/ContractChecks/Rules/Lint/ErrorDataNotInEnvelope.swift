import ContractModel
import Diagnostics

/// An error or an outcome with `data` that no answer could carry: it is recognised by a failed transport only, its status
/// has no body, or the endpoint's request is a HEAD.
///
/// ## Why is this bad
/// The app gets an error whose data is always nil, and code that reads it never runs.
///
/// ## Example
/// ```yaml
/// errors:
///   cutOff: {category: retryable, message: Try again., when: {transport: lost}, data: {since: timestamp}}
/// ```
/// ## Use instead
/// ```yaml
/// errors:
///   cutOff: {category: retryable, message: Try again., when: {transport: lost}}
/// ```
package enum ErrorDataNotInEnvelope: LintRule {
    package static let name = "error-data-not-in-envelope"
    package static let severity = Severity.error
    package static let tags: [RuleTag] = [.errors, .envelope]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for error in subject.contract.errors where error.data != nil && error.builtIn == nil {
            check(error.name, "error", error.conditions, &report)
        }
        for endpoint in subject.endpoints {
            for outcome in endpoint.resolved.outcomes where outcome.data != nil {
                check(outcome.name, "outcome", outcome.conditions, &report)
                guard endpoint.resolved.method == .head else { continue }
                report.add("the answer of a HEAD request has no body, so the data of `\(outcome.name.value)` never comes", at: outcome.name.range,
                           help: "remove `data`, or use `get`")
            }
            guard endpoint.resolved.method == .head else { continue }
            for (listed, error) in endpoint.ownErrors where error.data != nil {
                report.add("the answer of a HEAD request has no body, so the data of `\(error.name.value)` never comes", at: listed.range,
                           notes: [DiagnosticNote("the error", at: error.name.range)], help: "list an error without `data`, or use `get`")
            }
        }
    }

    private static func check(_ name: Located<String>, _ what: String, _ conditions: [Condition], _ report: inout RuleReport) {
        guard let first = conditions.first, conditions.allSatisfy({ !hasBody($0) }) else { return }
        let why = first.transport.isEmpty ? "such an answer has no body" : "where the transport failed there is no answer"
        report.add("\(why), so the data of `\(name.value)` never comes", at: name.range,
                   notes: [DiagnosticNote("what recognises it", at: first.range)], help: "remove `data`, or add what else recognises the \(what)")
    }

    /// 204, 205 and 304 come without content (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5).
    private static func hasBody(_ condition: Condition) -> Bool {
        guard condition.transport.isEmpty else { return false }
        return condition.statuses.isEmpty || condition.statuses.contains { ![204...204, 204...205, 205...205, 304...304].contains($0.value) }
    }
}
