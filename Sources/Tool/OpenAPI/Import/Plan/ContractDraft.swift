import ContractModel
import Diagnostics

/// A contract that is imported and not yet printed.
package struct ContractDraft {
    /// What the contract was made of.
    let plan: ContractPlan
    let naming: WireNaming
    private(set) var contract: Contract
    package let notes: ContractNotes

    init(plan: ContractPlan, naming: WireNaming) {
        self.plan = plan
        self.naming = naming
        (contract, notes) = PlanConversion.contract(of: plan, naming: naming)
    }

    package var text: String { ContractPrinter.text(of: contract, notes: notes) }

    /// What a person should review: the place in the contract, and the reason.
    var reviews: [(subject: String, reason: String)] {
        let categories = Dictionary(contract.errors.map { ($0.name.value, $0.category.value) }) { first, _ in first }
        return notes.notes.compactMap { note in
            guard let reason = note.review, let section = note.place.first else { return nil }
            // Every other section has definitions with names.
            guard note.place.count > 1, section != "session", section != "defaults" else { return (section, reason) }
            let name = note.place[1]
            let category = section == "errors" ? categories[name].map { "\($0.rawValue): " } ?? "" : ""
            return ("\(section)/\(name)", category + reason)
        }
    }

    /// The contract without some of its examples, with a finding for each of them.
    ///
    /// - Parameter examples: their names, as `endpoint/example`, and what does not fit.
    package func without(_ examples: [String: String]) -> (text: String, findings: [Diagnostic]) {
        var draft = self
        var findings: [Diagnostic] = []
        for position in contract.endpoints.indices {
            let endpoint = contract.endpoints[position].name.value
            draft.contract.endpoints[position].examples.removeAll { example in
                let name = example.name.value
                guard let reason = examples["\(endpoint)/\(name)"],
                    let origin = notes.origin(at: ["endpoints", endpoint, "examples", name])
                else { return false }
                findings.append(
                    Diagnostic(
                        rule: .openAPIExampleLost,
                        message: "the example `\(name)` does not fit its own schema, so it is left out",
                        at: origin.range,
                        notes: [DiagnosticNote(reason), DiagnosticNote("JSON pointer: \(origin.pointer)")],
                        help: "fix it in the document"))
                return true
            }
        }
        return (draft.text, findings)
    }
}
