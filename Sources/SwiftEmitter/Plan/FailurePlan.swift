import ContractModel

/// Makes the template input of what commands fail with.
enum FailurePlan {
    /// The failure of the endpoints that declare nothing of their own: all errors that any of them lists.
    static func shared(_ emission: Emission) -> FailureInput {
        let endpoints = emission.contract.endpoints.filter { !$0.declaresOwnErrors }
        let listed = Set(endpoints.flatMap(\.errors))
        let errors = emission.contract.errors.filter { listed.contains($0.name.value) }
        let mayStayOpen = endpoints.contains { $0.effect == .keyed || $0.effect == .once }
        return input(
            emission, name: "Failure", doc: "What the commands that declare no errors of their own fail with.",
            errors, mayStayOpen: mayStayOpen)
    }

    static func own(_ emission: Emission, _ endpoint: ResolvedEndpoint) -> FailureInput {
        input(
            emission, name: endpoint.failureType, doc: "What `\(endpoint.identifier)` fails with.",
            endpoint.errors.compactMap { emission.contract.error(named: $0) },
            mayStayOpen: endpoint.effect == .keyed || endpoint.effect == .once)
    }

    private static func input(
        _ emission: Emission, name: String, doc: String, _ errors: [ErrorDefinition], mayStayOpen: Bool
    ) -> FailureInput {
        var input = FailureInput()
        input.doc = DocComment.lines(doc, indent: "    ")
        input.access = emission.access.rawValue
        input.name = name

        var plain: [String] = []
        var documented = ""
        var declared: [String] = []
        var contexts: [String] = []
        var details: [String] = []
        for error in errors {
            let identifier = SwiftIdentifier.spelled(error.identifier)
            let type = dataType(emission, error)
            let declaration = "\(identifier)(\(type.map { "FailureDetails<\($0)>" } ?? "FailureContext"))"
            if let doc = Deprecation.doc(error.doc, error.deprecated) {
                documented += DocComment.lines(doc, indent: "        ") + "        case \(declaration)\n"
            } else {
                plain.append(declaration)
            }
            let number = emission.contract.number(ofError: error.name.value) ?? -1
            let value = type == nil ? "match.context" : "match.details(\(dataLoader(emission, error)))"
            declared.append("case \(number): return .\(identifier)(\(value))")
            if type == nil {
                contexts.append(".\(identifier)(let context)")
            } else {
                details.append("case .\(identifier)(let details): return details.context")
            }
        }
        if mayStayOpen {
            plain.append("unconfirmed(ErrandRuntime.Receipt)")
            declared.append("case ErrorMatch.open: return .unconfirmed(match.receipt)")
        }
        plain.append("fault(CommandFault)")
        if mayStayOpen { details.append("case .unconfirmed(let receipt): return receipt.context") }
        details.append("case .fault(let fault): return fault.context")

        input.cases = documented
            + SourceLayout.fill(plain, separator: ", ", first: "        case ", indent: "            ") + "\n"
        let indent = "        "
        input.declared = SourceLayout.cases(declared + ["default: return nil"], indent: indent)
        let shared = contexts.isEmpty ? "" : SourceLayout.fill(
            contexts, separator: ", ", first: indent + "case ", indent: indent + "    ") + ": return context\n"
        input.contexts = shared + SourceLayout.cases(details, indent: indent) + "\n"
        return input
    }

    /// The type of an error's data.
    private static func dataType(_ emission: Emission, _ error: ErrorDefinition) -> String? {
        switch error.data {
        case .fields: emission.service + "." + error.dataType
        case .type(let type, _): emission.spelling.spelled(type)
        case nil: nil
        }
    }

    /// The function that reads an error's data; empty where its type says enough.
    private static func dataLoader(_ emission: Emission, _ error: ErrorDefinition) -> String {
        guard case .type(let type, _) = error.data else { return "" }
        let shape = emission.contract.shape(of: type)
        if case .structure = shape { return "" }
        return emission.reads.dataLoader(of: shape)
    }
}
