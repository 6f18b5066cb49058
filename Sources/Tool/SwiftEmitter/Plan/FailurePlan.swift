import ContractModel

/// Makes the template input of what commands fail with.
enum FailurePlan {
    /// The failures that any command can have: the errors of the defaults, and the built-in ones.
    static func shared(_ context: EmissionContext) -> FailureInput {
        input(
            context, name: ResolvedEndpoint.sharedFailure, doc: "The failures that any command can have.",
            context.contract.sharedErrors)
    }

    /// The failure of the commands without errors of their own whose effect can stay unknown; nil if there are none.
    static func ofWrites(_ context: EmissionContext) -> FailureInput? {
        guard context.contract.endpoints.contains(where: \.hasWriteFailure) else { return nil }
        var input = input(
            context, name: ResolvedEndpoint.writeFailure,
            doc: "The failures of commands whose effect can stay unknown.", [])
        input.mayStayOpen = true
        input.shared = context.inside(ResolvedEndpoint.sharedFailure)
        return input
    }

    static func own(_ context: EmissionContext, _ endpoint: ResolvedEndpoint) -> FailureInput {
        var input = input(
            context, name: endpoint.failureType, doc: "The failures of `\(endpoint.identifier)`.",
            endpoint.listedErrors)
        input.mayStayOpen = endpoint.mayStayOpen
        input.shared = context.inside(ResolvedEndpoint.sharedFailure)
        return input
    }

    /// The cases of the shared failure that cannot occur, because the command has no session.
    static func absentErrors(of endpoint: ResolvedEndpoint, _ context: EmissionContext) -> [String] {
        let contract = context.contract
        let absent = contract.sharedErrors.filter { !endpoint.errors.contains($0) }
        return absent.compactMap { contract.error(named: $0)?.identifier }
    }

    private static func input(
        _ context: EmissionContext, name: String, doc: String, _ errors: [String]
    ) -> FailureInput {
        var input = FailureInput()
        input.doc = DocComment(doc)
        input.access = context.access.rawValue
        input.name = name
        input.errors = errors.compactMap(context.contract.error).map { error in
            var declared = FailureInput.DeclaredError()
            declared.doc = DocComment(Deprecation.doc(error.doc, error.deprecated))
            declared.name = SwiftIdentifier.spelled(error.identifier)
            declared.literal = .string(error.name.value)
            declared.type = dataType(context, error)
            declared.loader = dataLoader(context, error)
            return declared
        }
        return input
    }

    /// The type of an error's data.
    private static func dataType(_ context: EmissionContext, _ error: ErrorDefinition) -> SwiftType? {
        switch error.data {
        case .fields: context.inside(error.dataType)
        case .type(let type, _): context.spelling.type(type)
        case nil: nil
        }
    }

    /// The function that reads an error's data; nil if its type says enough.
    private static func dataLoader(_ context: EmissionContext, _ error: ErrorDefinition) -> Expression? {
        guard case .type(let type, _) = error.data else { return nil }
        let shape = context.contract.shape(of: type)
        if case .structure = shape { return nil }
        return context.reads.dataLoader(of: shape)
    }
}

extension ResolvedEndpoint {
    /// The failure that the commands of all endpoints share.
    static let sharedFailure = "Failure"
    /// The failure of the endpoints with `hasWriteFailure`.
    static let writeFailure = "WriteFailure"

    /// The errors that the endpoint lists itself, each once.
    var listedErrors: [String] {
        let listed = Set(definition.errors.map(\.value))
        return errors.filter(listed.contains)
    }

    /// Whether the command can end without anyone knowing whether it took effect.
    var mayStayOpen: Bool { effect == .keyed || effect == .once }

    var hasWriteFailure: Bool { !declaresOwnErrors && mayStayOpen }

    /// The name of what its command fails with.
    var failureName: String {
        if declaresOwnErrors { return failureType }
        return hasWriteFailure ? Self.writeFailure : Self.sharedFailure
    }
}
