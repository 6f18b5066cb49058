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
            emission, name: "Failure", doc: "The failures of commands without errors of their own.",
            errors, mayStayOpen: mayStayOpen)
    }

    static func own(_ emission: Emission, _ endpoint: ResolvedEndpoint) -> FailureInput {
        input(
            emission, name: endpoint.failureType, doc: "The failures of `\(endpoint.identifier)`.",
            endpoint.errors.compactMap { emission.contract.error(named: $0) },
            mayStayOpen: endpoint.effect == .keyed || endpoint.effect == .once)
    }

    private static func input(
        _ emission: Emission, name: String, doc: String, _ errors: [ErrorDefinition], mayStayOpen: Bool
    ) -> FailureInput {
        var input = FailureInput()
        input.doc = DocComment(doc)
        input.access = emission.access.rawValue
        input.name = name
        input.mayStayOpen = mayStayOpen
        input.errors = errors.map { error in
            var declared = FailureInput.DeclaredError()
            declared.doc = DocComment(Deprecation.doc(error.doc, error.deprecated))
            declared.name = SwiftIdentifier.spelled(error.identifier)
            declared.literal = .string(error.name.value)
            declared.type = dataType(emission, error)
            declared.loader = dataLoader(emission, error)
            return declared
        }
        return input
    }

    /// The type of an error's data.
    private static func dataType(_ emission: Emission, _ error: ErrorDefinition) -> SwiftType? {
        switch error.data {
        case .fields: emission.inside(error.dataType)
        case .type(let type, _): emission.spelling.type(type)
        case nil: nil
        }
    }

    /// The function that reads an error's data; nil if its type says enough.
    private static func dataLoader(_ emission: Emission, _ error: ErrorDefinition) -> Expression? {
        guard case .type(let type, _) = error.data else { return nil }
        let shape = emission.contract.shape(of: type)
        if case .structure = shape { return nil }
        return emission.reads.dataLoader(of: shape)
    }
}
