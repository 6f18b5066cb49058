import Diagnostics

// The status of a usual success.
extension Resolution {
    /// Reports a status that cannot be that of a usual success. (An error that takes a success by its status is reported itself.)
    mutating func checkStatus(of endpoint: EndpointDefinition, _ envelope: EnvelopeDefinition?) {
        guard let status = endpoint.status else { return }
        let name = endpoint.name.value
        if status.value == 204 || status.value == 205 {
            let start = "a response with status \(status.value) has no body"
            switch endpoint.response.value {
            case .none:
                guard let envelope, !envelope.isDecidedByStatus, let code = envelope.success.first else { break }
                report(
                    .responseOn204, "\(start), so it has no code that makes it a success of `\(name)`",
                    at: status.range, notes: [DiagnosticNote("the code", at: code.range)],
                    help: "write a status that allows a body, or `envelope: none`")
            case .type, .fields, .bytes:
                report(
                    .responseOn204, "\(start), but `\(name)` reads its payload", at: status.range,
                    notes: [DiagnosticNote("the response", at: endpoint.response.range)],
                    help: "write `response: none`, or a status that allows a body")
            }
        }
        for outcome in endpoint.outcomes {
            let taken = outcome.conditions.filter(\.isOfStatusAlone).flatMap(\.statuses).first {
                $0.value.contains(status.value) && !Condition.isEverySuccess($0.value)
            }
            guard let taken else { continue }
            report(
                .outcomeMatchesSuccess,
                "HTTP \(status.value) is the usual success of `\(name)`, but the outcome `\(outcome.name.value)` matches it",
                at: status.range, notes: [DiagnosticNote("the condition of the outcome", at: taken.range)],
                help: "write the success's own `status`, or add a `code`, a `header` or a `body` value to the condition"
            )
        }
    }
}
