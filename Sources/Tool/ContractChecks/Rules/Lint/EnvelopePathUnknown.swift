import ContractModel
import Diagnostics

package enum EnvelopePathUnknown: LintRule {
    package static let kind = FindingKind(
        "envelope-path-unknown",
        page: """
            A path of an envelope that leads through the path of its `code`.

            ## Why is this bad
            A code is a number or a text, so it does not contain other values. The client never finds the part: the message is
            always missing, or a failure is never recognized.

            ## Example
            ```yaml
            envelopes: {standard: {data: data, error: error, code: error, message: error.text}}
            ```
            ## Use instead
            ```yaml
            envelopes: {standard: {data: data, error: error, code: error.code, message: error.text}}
            ```
            """)

    package static let tags: [RuleTag] = [.envelope]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for envelope in subject.contract.envelopes {
            let parts = [
                ("data", envelope.data), ("list", envelope.list), ("code", envelope.code),
                ("message", envelope.message),
                ("error", envelope.error),
            ]
            for (name, path) in parts {
                guard let path, let code = envelope.code, path.value.keys.count > code.value.keys.count,
                    path.value.keys.starts(with: code.value.keys)
                else { continue }
                report.add(
                    "`\(path.value.text)` cannot be the path of the \(name), because `\(code.value.text)` is the code, a plain value",
                    at: path.range,
                    notes: [DiagnosticNote("the code", at: code.range)],
                    help: "write the path from the top of the body, with dots between keys")
            }
        }
    }
}
