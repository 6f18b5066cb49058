import ContractModel
import Diagnostics

package enum DurableSecret: LintRule {
    package static let kind = FindingKind(
        "durable-secret", .warning,
        page: """
            A durable command with a `sensitive` input.

            ## Why is this bad
            An outbox writes the inputs of a durable command to the disk, where a backup or another program may read them. The client
            therefore refuses such a command unless the app gives its outbox a seal, which encrypts the inputs.

            ## Example
            ```yaml
            savePIN:
              post: /pins
              effect: idempotent
              body: {code: {type: string, sensitive: true}}
              response: {id: int}
              durable: true
            ```
            ## Use instead
            ```yaml
            savePIN:
              post: /pins
              effect: idempotent
              body: {code: {type: string, sensitive: true}}
              response: {id: int}
            ```
            If the app gives its outbox a seal, write `# errand:ignore durable-secret` and the reason before the key.
            """)

    package static let tags: [RuleTag] = [.security]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints where endpoint.resolved.durable != nil {
            guard let durable = endpoint.written.durable, let secret = secret(of: endpoint, in: subject) else {
                continue
            }
            report.add(
                "`\(endpoint.name)` is durable and has the sensitive input `\(secret.name.value)`, so its outbox needs a seal",
                at: durable.range, notes: [DiagnosticNote("the input", at: secret.name.range)],
                help:
                    "remove `durable`, or give the outbox a seal and write `# errand:ignore durable-secret` with the reason"
            )
        }
    }

    /// The first input that is sensitive, or that a sensitive value can be in.
    private static func secret(of endpoint: LintedEndpoint, in subject: LintSubject) -> FieldDefinition? {
        if let field = endpoint.resolved.inputs.first(where: \.isSensitive) { return field }
        var seen: Set<String> = []
        var open = subject.sentTypes(of: endpoint).flatMap(\.names).map(\.value)
        while let name = open.popLast() {
            guard seen.insert(name).inserted, let type = subject.type(named: name) else { continue }
            if case .structure(let fields) = type.form, let field = fields.first(where: \.isSensitive) { return field }
            open += type.mentionedNames.map(\.value)
        }
        return nil
    }
}
