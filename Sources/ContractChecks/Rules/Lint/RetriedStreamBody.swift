import ContractModel
import Diagnostics

/// An endpoint that says how often it is sent again, and takes a body that an app may be able to read only once.
///
/// ## Why is this bad
/// A recording or a download that is passed on is gone once it was read. The runtime never sends such a body a second time,
/// so the attempts that the contract promises are made for files and for bytes in memory only.
///
/// ## Example
/// ```yaml
/// storeMovie: {put: "/movies/{id}", body: {encoding: bytes}, retry: {attempts: 3}}
/// ```
/// ## Use instead
/// ```yaml
/// storeMovie: {put: "/movies/{id}", body: {encoding: bytes}, retry: never}
/// ```
/// Suppress it where apps only send files. Without `retry`, the runtime's rule holds.
package enum RetriedStreamBody: LintRule {
    package static let name = "retried-stream-body"
    package static let severity = Severity.note
    package static let tags: [RuleTag] = [.retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints {
            guard let retry = endpoint.written.retry, case .rule(let attempts, _, _) = retry.value,
                attempts.map({ $0 > 1 }) ?? true, streams(endpoint.resolved.body)
            else { continue }
            report.add(
                "a body that can be read once is not sent again, whatever `retry` says", at: retry.range,
                help: "write `retry: never`, or suppress this where apps send files only")
        }
    }

    /// Whether an app may give the body, or a part of it, as a stream.
    private static func streams(_ body: BodyDefinition?) -> Bool {
        switch body?.content {
        case .bytes: true
        case .fields(let fields): fields.contains { $0.type.unwrapped == .primitive(.file) }
        case .type, nil: false
        }
    }
}
