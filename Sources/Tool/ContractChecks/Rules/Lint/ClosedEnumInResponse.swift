import ContractModel
import Diagnostics

package enum ClosedEnumInResponse: LintRule {
    package static let kind = FindingKind(
        "closed-enum-in-response", .warning,
        page: """
            A closed enum in a response.

            ## Why is this bad
            As soon as the server sends a new value, no installed app can read the response. An open enum, which is the default,
            keeps an unknown value as `.unrecognized`.

            ## Example
            ```yaml
            State: {enum: [active, frozen], closed: true}
            ```
            ## Use instead
            ```yaml
            State: {enum: [active, frozen]}
            ```
            An enum that occurs only in requests may be closed.
            """)

    package static let tags: [RuleTag] = [.types]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        guard subject.contract.types.contains(where: isClosed) else { return }
        var answers: [String: LintedEndpoint] = [:]
        for endpoint in subject.endpoints {
            for name in subject.typeNames(reachedFrom: subject.answerTypes(of: endpoint)) where answers[name] == nil {
                answers[name] = endpoint
            }
        }
        for type in subject.contract.types {
            guard isClosed(type), let endpoint = answers[type.name.value] else { continue }
            report.add(
                "if the server adds a value to `\(type.name.value)`, the client cannot read the response of `\(endpoint.name)`",
                at: type.name.range,
                notes: [DiagnosticNote("an endpoint with this type in its response", at: endpoint.written.name.range)],
                help: "remove `closed: true`; unknown values are kept as `.unrecognized`",
                fix: subject.value(of: type.name, in: "types")?.mapping?.removal(of: "closed").map {
                    Fix(title: "open it", applicability: .needsALook, edits: [$0])
                })
        }
    }

    private static func isClosed(_ type: TypeDefinition) -> Bool {
        if case .enumeration(let definition) = type.form { definition.isClosed } else { false }
    }
}
