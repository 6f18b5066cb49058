import ContractModel
import Diagnostics

package enum LenientTypeSent: LintRule {
    package static let kind = FindingKind(
        "lenient-type-sent", .warning,
        page: """
            A type with a lenient field that the client also sends.

            ## Why is this bad
            The client reads a value that it does not understand as nil or as an empty list. If the app edits the object and sends it back, the
            server gets nil or nothing in place of what it had, and deletes it. The person who edited the title never saw the other field.

            ## Example
            ```yaml
            Profile: {name: string, birthday: {type: date?, lenient: true}}
            ```
            ## Use instead
            ```yaml
            Profile: {name: string, birthday: date?}
            ```
            With `reading: lenient` in `defaults`, write `lenient: false` at the field. If responses need the leniency, send a type of its own
            that has only the fields that the app changes.
            """)

    package static let tags: [RuleTag] = [.types]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let lenient = subject.types.filter { !fields(of: $0).isEmpty }
        guard !lenient.isEmpty else { return }
        var senders: [String: LintedEndpoint] = [:]
        for endpoint in subject.endpoints {
            for name in subject.typeNames(reachedFrom: subject.sentTypes(of: endpoint)) where senders[name] == nil {
                senders[name] = endpoint
            }
        }
        let events = subject.contract.events.flatMap { LintSubject.types($0.data) }
        let read = subject.typeNames(reachedFrom: subject.endpoints.flatMap(subject.answerTypes) + events)
        for type in lenient {
            guard let sender = senders[type.name.value], read.contains(type.name.value) else { continue }
            let fields = fields(of: type)
            guard let first = fields.first else { continue }
            let isOwn = first.name.range.file == subject.contract.file
            let others = fields.count == 1 ? "" : " and \(fields.count - 1) more"
            report.add(
                "`\(sender.name)` sends `\(type.name.value)`, whose field `\(first.name.value)`\(others) may have lost the server's value",
                at: isOwn ? first.name.range : sender.resolved.name.range,
                notes: [
                    isOwn
                        ? DiagnosticNote("the endpoint", at: sender.resolved.name.range)
                        : DiagnosticNote("the field", at: first.name.range)
                ],
                help: "write `lenient: false`, or send a type of its own", fix: subject.readingStrictly(fields))
        }
    }

    private static func fields(of type: TypeDefinition) -> [FieldDefinition] {
        if case .structure(let fields) = type.form { fields.filter(\.isLenient) } else { [] }
    }
}
