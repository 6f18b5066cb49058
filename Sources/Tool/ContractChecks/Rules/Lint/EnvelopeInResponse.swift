import ContractModel
import Diagnostics

package enum EnvelopeInResponse: LintRule {
    package static let kind = FindingKind(
        "envelope-in-response", .warning,
        page: """
            A response that repeats the envelope: its only field is the last key of the envelope's `data`, or it also has the envelope's code,
            message or error.

            ## Why is this bad
            `response` is the type of the payload, and the client looks for the payload inside of the envelope. With the envelope in the type as
            well, it looks for `data.data`, and no call can succeed.

            ## Example
            ```yaml
            getBook: {get: /book, envelope: standard, response: {data: Book}}
            ```
            ## Use instead
            ```yaml
            getBook: {get: /book, envelope: standard, response: Book}
            ```
            """)

    package static let tags: [RuleTag] = [.envelope]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints {
            guard let envelope = endpoint.envelope, let data = envelope.data, let last = data.value.keys.last else {
                continue
            }
            let fields = subject.fields(of: endpoint.resolved.response.value)
            guard fields.contains(where: { $0.wireName == last }) else { continue }
            let others = Set([envelope.code, envelope.message, envelope.error].compactMap { $0?.value.keys.first })
                .subtracting(data.value.keys)
            guard fields.count == 1 || fields.contains(where: { others.contains($0.wireName) }) else { continue }
            report.add(
                "the response of `\(endpoint.name)` repeats the envelope, so the client looks for `\(data.value.text).\(last)`",
                at: endpoint.written.response.range, notes: [DiagnosticNote("the envelope's payload", at: data.range)],
                help: "write the type of the payload alone: `response: \(payload(fields, last))`")
        }
    }

    private static func payload(_ fields: [FieldDefinition], _ name: String) -> String {
        fields.first { $0.wireName == name }?.type.spelling ?? "TYPE"
    }
}
