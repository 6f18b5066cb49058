import ContractModel
import Diagnostics

package enum DataRequiredBesideError: LintRule {
    package static let kind = FindingKind(
        "data-required-beside-error",
        page: """
            A payload that is the whole body and requires the field by which the envelope recognizes a failure.

            ## Why is this bad
            A response with the field is a failure, and a response without it does not fit the payload. No call can succeed.

            ## Example
            ```yaml
            ask: {get: /answers, envelope: plain, response: {text: string, error: string}}
            ```
            ## Use instead
            ```yaml
            ask: {get: /answers, envelope: plain, response: {text: string}}
            ```
            """)

    package static let tags: [RuleTag] = [.envelope]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints {
            guard let envelope = endpoint.envelope, envelope.data == nil, let error = envelope.error,
                error.value.keys.count == 1
            else { continue }
            let fields = subject.fields(of: endpoint.resolved.response.value)
            guard
                let field = fields.first(where: {
                    $0.wireName == error.value.keys[0] && $0.isRequired && !$0.writesNull
                })
            else { continue }
            report.add(
                "`\(endpoint.name)` can never succeed: a response with `\(field.wireName)` is a failure, and a response without it does not fit",
                at: field.name.range,
                notes: [DiagnosticNote("the path that marks a failure", at: error.range)],
                help: "remove the field, or give the envelope a `data` path")
        }
    }
}
