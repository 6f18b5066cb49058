import ContractModel
import Diagnostics

/// A contract that is imported and not yet printed.
package struct ContractDraft {
    /// What the contract was made of.
    let plan: ContractPlan
    let naming: WireNaming
    private(set) var contract: Contract
    package let notes: ContractNotes

    /// - Parameter findings: for the examples that contradict their types.
    init(plan: ContractPlan, naming: WireNaming, findings: ImportFindings = ImportFindings()) {
        self.plan = plan
        self.naming = naming
        (contract, notes) = PlanConversion.contract(of: plan, naming: naming)
        removeUnfitExamples(findings)
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

    // MARK: Examples

    /// Removes the examples that contradict their types, with a finding for each of a response. The others are counted.
    private mutating func removeUnfitExamples(_ findings: ImportFindings) {
        let types = TypeLookup(contract.types)
        func checked(_ fields: [FieldDefinition]) -> [FieldDefinition] {
            guard fields.contains(where: { $0.example != nil }) else { return fields }
            return fields.map { field in
                guard let example = field.example else { return field }
                var fit = ExampleFit(types)
                fit.check(field)
                guard let problem = fit.problems.first else {
                    findings.examples.keep(example.range)
                    return field
                }
                findings.examples.contradict(example.range, problem.message)
                return field.withoutExample
            }
        }
        for position in contract.types.indices {
            guard case .structure(let fields) = contract.types[position].form else { continue }
            contract.types[position].form = .structure(checked(fields))
        }
        for position in contract.endpoints.indices {
            contract.endpoints[position].mapFields(checked)
            let planned = plan.endpoints[position].examples
            contract.endpoints[position].examples = zip(planned, contract.endpoints[position].examples).compactMap {
                Self.fitting($1, $0, of: contract.endpoints[position], types, findings)
            }
        }
        contract.common.query = contract.common.query.map { $0.map(checked) }
        contract.common.headers = contract.common.headers.map { $0.map(checked) }
    }

    /// The parts of an example that fit; nil if none does.
    private static func fitting(
        _ example: ExampleDefinition, _ planned: PlannedExample, of endpoint: EndpointDefinition, _ types: TypeLookup,
        _ findings: ImportFindings
    ) -> ExampleDefinition? {
        var example = example
        if let request = example.request, let places = planned.request?.places {
            var fit = ExampleFit(types)
            fit.check(request, parameters: endpoint.parameters, body: endpoint.body, of: "the request")
            if let problem = fit.problems.first {
                for place in places { findings.examples.contradict(place, problem.message) }
                example.request = nil
            } else {
                for place in places { findings.examples.keep(place) }
            }
        }
        if let response = example.response, let element = planned.response?.element {
            var fit = ExampleFit(types)
            switch endpoint.response.value {
            case .fields(let fields): fit.check(response, fields: fields, of: "the response")
            case .type(let type, _, let acceptsSingle): fit.check(response, type: type, acceptsSingle: acceptsSingle)
            case .none, .bytes: break
            }
            findings.examples.keep(element.range)
            if let problem = fit.problems.first {
                example.response = nil
                findings.add(
                    Diagnostic(
                        rule: .openAPIExampleLost,
                        message:
                            "the document's example `\(example.name.value)` contradicts its own schema, so it is left out",
                        at: element.range,
                        notes: [DiagnosticNote(problem.message), DiagnosticNote("JSON pointer: \(element.pointer)")],
                        help: "find out which of both the service sends; if that is the example, change the type"))
            }
        }
        return example.request == nil && example.response == nil ? nil : example
    }
}

extension EndpointDefinition {
    /// The inputs outside of the body.
    fileprivate var parameters: [FieldDefinition] {
        let path: [FieldDefinition] = if case .http(_, let path) = target { path.value.parameters } else { [] }
        return path + query + headers + cookies
    }

    fileprivate mutating func mapFields(_ change: ([FieldDefinition]) -> [FieldDefinition]) {
        query = change(query)
        headers = change(headers)
        cookies = change(cookies)
        responseHeaders = change(responseHeaders)
        if case .fields(let fields)? = body?.content { body?.content = .fields(change(fields)) }
        if case .fields(let fields) = response.value { response = response.map { _ in .fields(change(fields)) } }
    }
}

extension CommonParameter {
    fileprivate func map(_ change: ([FieldDefinition]) -> [FieldDefinition]) -> CommonParameter {
        CommonParameter(field: change([field]).first ?? field, source: source)
    }
}
