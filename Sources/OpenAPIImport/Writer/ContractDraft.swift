import ContractModel
import Diagnostics

/// A contract that is planned and not yet printed.
package struct ContractDraft {
    private(set) var plan: ContractPlan
    let naming: WireNaming

    init(plan: ContractPlan, naming: WireNaming) {
        self.plan = plan
        self.naming = naming
    }

    package var text: String { ContractWriter.text(of: plan, naming: naming) }

    /// The contract without some of its examples, with a finding for each of them.
    ///
    /// - Parameter examples: their names, as `endpoint/example`, and what does not fit.
    package func without(_ examples: [String: String]) -> (text: String, findings: [Diagnostic]) {
        var draft = self
        var findings: [Diagnostic] = []
        for position in plan.endpoints.indices {
            let endpoint = plan.endpoints[position]
            draft.plan.endpoints[position].examples.removeAll { example in
                guard let reason = examples["\(endpoint.name)/\(example.name)"] else { return false }
                let place = example.response ?? example.request ?? endpoint.element
                findings.append(
                    Diagnostic(
                        rule: .openAPIExampleLost,
                        message: "the example `\(example.name)` does not fit its own schema, so it is left out",
                        at: place.range,
                        notes: [DiagnosticNote(reason), DiagnosticNote("JSON pointer: \(place.pointer)")],
                        help: "fix it in the document"))
                return true
            }
        }
        return (draft.text, findings)
    }
}
