import ContractModel
import Diagnostics

package enum ErrorMatchesSuccess: LintRule {
    package static let kind = FindingKind.errorMatchesSuccess
    package static let tags: [RuleTag] = [.errors, .envelope]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        var reported = Set<SourceRange>()
        for endpoint in subject.endpoints {
            guard let envelope = endpoint.envelope, !envelope.success.isEmpty else { continue }
            for proved in endpoint.proof.rows {
                guard case .error(let error) = proved.row.verdict,
                    let (code, success, shared) = successCode(of: proved.row.condition, in: envelope),
                    reported.insert(code.range).inserted
                else { continue }
                let status = Self.successStatus(of: proved.row.condition) ?? 200
                let example = SampleResponse(
                    status: status, code: shared, isFrame: endpoint.resolved.frame != nil)
                report.add(
                    "\(example.text(in: envelope)) is a success in `\(envelope.name.value)`, but the error `\(error)` matches it first",
                    at: code.range,
                    notes: [DiagnosticNote("a code of success", at: success.range)],
                    help: "remove the code from `success`, or add a `body` value to the condition"
                )
            }
        }
    }

    /// A successful status with a body that the condition takes.
    private static func successStatus(of condition: Condition) -> Int? {
        if condition.statuses.isEmpty { return 200 }
        return condition.statuses.lazy.filter { $0.value.overlaps(200...299) }
            .compactMap { $0.value.clamped(to: 200...299).first(where: HTTPStatus.canHaveBody) }.min()
    }

    /// A code that the condition shares with the envelope's successes; nil if the condition also names something that a
    /// success lacks.
    private static func successCode(
        of condition: Condition, in envelope: EnvelopeDefinition
    ) -> (code: Located<CodeMatch>, success: Located<CodeMatch>, shared: String)? {
        guard condition.values.isEmpty, successStatus(of: condition) != nil else { return nil }
        for code in condition.codes {
            for success in envelope.success {
                if let shared = CodeMatch.shared([code.value], [success.value]) { return (code, success, shared) }
            }
        }
        return nil
    }
}
