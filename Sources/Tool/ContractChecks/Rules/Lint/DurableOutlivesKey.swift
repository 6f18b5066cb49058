import ContractModel
import Diagnostics

package enum DurableOutlivesKey: LintRule {
    package static let kind = FindingKind(
        "durable-outlives-key", .warning,
        page: """
            A durable `keyed` command that is sent for longer than the server remembers its idempotency key.

            ## Why is this bad
            An outbox sends the command again with the same key, days later if need be. A server that has forgotten the key would carry it out
            a second time, so the client ends such a command as `unconfirmed`, and a person has to find out what has happened.

            ## Example
            ```yaml
            sendMessage:
              post: /messages
              body: {text: string}
              response: {id: int}
              effect: {keyed: {lifetime: 24h}}
              durable: true
            ```
            ## Use instead
            ```yaml
            sendMessage:
              post: /messages
              body: {text: string}
              response: {id: int}
              effect: {keyed: {lifetime: 24h}}
              durable: {lifetime: 24h}
            ```
            with a lifetime that is at most that of the key. Without one, it is seven days. If the contract does not say how long the server
            remembers a key, give `durable` a lifetime for which it surely does.
            """)

    package static let tags: [RuleTag] = [.retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints where endpoint.resolved.effect == .keyed {
            guard let durable = endpoint.resolved.durable, let written = endpoint.written.durable else { continue }
            let lifetime = durable.lifetime?.value ?? CommandDefaults.durableLifetime.milliseconds
            guard let key = endpoint.resolved.keyLifetime else {
                guard durable.lifetime == nil else { continue }
                report.add(
                    "`\(endpoint.name)` is sent for up to \(TimeText.of(lifetime)), and the contract does not say whether the server remembers its key for so long",
                    at: written.range,
                    help: "write `effect: {keyed: {lifetime: …}}`, or `durable: {lifetime: …}`")
                continue
            }
            guard lifetime > key else { continue }
            report.add(
                "`\(endpoint.name)` is sent for up to \(TimeText.of(lifetime)), but the server forgets its key after \(TimeText.of(key))",
                at: durable.lifetime?.range ?? written.range,
                help: "write `durable: {lifetime: …}` with a time of at most \(TimeText.of(key))")
        }
    }
}
