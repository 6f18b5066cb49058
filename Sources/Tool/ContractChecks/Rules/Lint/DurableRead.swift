import ContractModel
import Diagnostics

package enum DurableRead: LintRule {
    package static let kind = FindingKind(
        "durable-read", .warning,
        page: """
            A durable command that only reads: its effect is `read`, or its response is `bytes`.

            ## Why is this bad
            An outbox sends a durable command when it can, which may be days later and in another process. The screen that has asked for the
            data is gone by then, and so is the place for the bytes.

            ## Example
            ```yaml
            getNews: {get: /news, response: {text: string}, durable: true}
            ```
            ## Use instead
            ```yaml
            getNews: {get: /news, response: {text: string}}
            ```
            For a large file, send the command in a background transfer.
            """)

    package static let tags: [RuleTag] = [.retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints where endpoint.resolved.durable != nil {
            guard let durable = endpoint.written.durable else { continue }
            let reads = endpoint.resolved.effect == .read
            let hasBytes = if case .bytes = endpoint.resolved.response.value { true } else { false }
            guard reads || hasBytes else { continue }
            report.add(
                reads
                    ? "`\(endpoint.name)` is durable, but only reads"
                    : "`\(endpoint.name)` is durable, but a later process has no place for the bytes of its response",
                at: durable.range, help: "remove `durable`")
        }
    }
}
