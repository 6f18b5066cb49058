import ContractModel
import Diagnostics

package enum RetriedStreamBody: LintRule {
    package static let kind = FindingKind(
        "retried-stream-body", .note,
        page: """
            An endpoint with a `retry`, whose body may be a stream that can be read only once.

            ## Why is this bad
            The runtime cannot read a stream twice, such as a recording or a download that is passed on. It makes the contract's
            attempts only for files and for bytes in memory.

            ## Example
            ```yaml
            storeMovie: {put: "/movies/{id}", body: {encoding: bytes}, retry: {attempts: 3}}
            ```
            ## Use instead
            ```yaml
            storeMovie: {put: "/movies/{id}", body: {encoding: bytes}, retry: never}
            ```
            Suppress the finding if apps send only files. Without `retry`, the runtime's default applies.
            """)

    package static let tags: [RuleTag] = [.retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints {
            guard let retry = endpoint.written.retry, case .rule(let attempts, _, _) = retry.value,
                attempts.map({ $0 > 1 }) ?? true, streams(endpoint.resolved.body)
            else { continue }
            report.add(
                "the client does not resend a body that it can read only once, whatever `retry` says", at: retry.range,
                help: "write `retry: never`, or suppress the finding if apps send only files")
        }
    }

    /// Whether an app may give the body, or a part of it, as a stream.
    private static func streams(_ body: BodyDefinition?) -> Bool {
        switch body?.content {
        case .bytes: true
        case .fields(let fields): fields.contains(where: \.isFile)
        case .type, nil: false
        }
    }
}
